import assert from 'node:assert/strict'
import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {before, describe, test} from 'node:test'
import {commandHelp} from '../../lake/commands/commandLine.ts'
import {DRAIN} from '../../service/http/drain.ts'
import {recordOf} from '../support/answers.ts'
import {readStages} from './support/dockerfile.ts'
import {listOf, projectFile, readYaml} from './support/files.ts'
import {CLOSING, readSettingNames} from './support/settings.ts'

describe('the Compose file', () => {
  let services: Record<string, unknown>
  before(async () => {
    const [compose] = await readYaml('deploy/compose.yaml')
    services = recordOf(recordOf(compose).services)
  })

  test('builds stages that exist, and sets only variables that the code reads', async () => {
    const stages = await readStages()
    const known = new Set([...(await readSettingNames()).values()].flat())
    for (const [name, service] of Object.entries(services)) {
      const {build, environment = {}} = recordOf(service)
      if (build === undefined) continue
      assert.ok(stages.has(String(recordOf(build).target)), name)
      for (const variable of Object.keys(recordOf(environment))) assert.ok(known.has(variable), variable)
    }
  })

  test('gives the lake and each replica the same token, and does not start without one', () => {
    const tokens = ['lake', 'service-1', 'service-2'].map(
      (name) => recordOf(recordOf(services[name]).environment).SANITY_API_TOKEN,
    )
    assert.equal(new Set(tokens).size, 1)
    assert.match(String(tokens[0]), /^\$\{SANITY_API_TOKEN:\?.+\}$/)
  })

  test('runs everything without privileges, with limited memory and read-only files, and keeps nginx from lake and Redis', () => {
    const networks = new Map<string, unknown[]>()
    for (const [name, service] of Object.entries(services)) {
      const {read_only, cap_drop, security_opt, mem_limit, ...rest} = recordOf(service)
      assert.deepEqual([read_only, cap_drop, security_opt], [true, ['ALL'], ['no-new-privileges:true']], name)
      assert.match(String(mem_limit), /^\d+[mg]$/, name)
      // The images of ours name their users themselves.
      assert.ok('build' in rest || /^[1-9]\d*:[1-9]\d*$/.test(String(rest.user)), name)
      networks.set(name, rest.network_mode === 'none' ? [] : listOf(rest.networks))
    }
    for (const name of ['lake', 'redis'])
      assert.ok(!networks.get(name)?.some((network) => networks.get('nginx')?.includes(network)), name)
    for (const name of ['nginx', 'lake', 'redis'])
      assert.ok(
        networks.get(name)?.some((network) => networks.get('service-1')?.includes(network)),
        name,
      )
  })

  test('backs up the volume of the lake', () => {
    const {command, volumes} = recordOf(services.backup)
    const [, words = ''] =
      /node lake\/main\.mjs (backup --to \/backups .+?) &&/.exec(String(listOf(command)[2])) ?? []
    assert.equal(commandHelp(words.split(' ')), undefined)
    assert.deepEqual(listOf(volumes), [...listOf(recordOf(services.lake).volumes), 'backups:/backups'])
  })

  test('lets nginx write where its example keeps files, as its user', async () => {
    const {tmpfs, user} = recordOf(services.nginx)
    const [uid, gid] = String(user).split(':')
    const writable = listOf(tmpfs).map((mount) => {
      const [path, options] = String(mount).split(':')
      assert.equal(options, `uid=${uid},gid=${gid}`)
      return path
    })
    const example = await readFile(projectFile('deploy/nginx/handrail.conf'), 'utf8')
    const [, cache] = /proxy_cache_path (\S+)/.exec(example) ?? []
    for (const path of [cache, '/etc/nginx/conf.d', '/var/cache/nginx', '/run'])
      assert.ok(writable.includes(path), path)
  })

  test('protects Redis with a password, which the service sends', () => {
    const {environment, command} = recordOf(services.redis)
    assert.match(String(recordOf(environment).REDIS_PASSWORD), /^\$\{REDIS_PASSWORD\}$/)
    assert.match(String(command), /requirepass \$\$REDIS_PASSWORD/)
    const url = String(recordOf(recordOf(services['service-1']).environment).REDIS_URL)
    assert.match(url, /^redis:\/\/:\$\{REDIS_PASSWORD:\?[^}]+\}@redis:6379$/)
  })

  test('gives nginx the example, with its addresses replaced by the names of the replicas', async () => {
    const example = await readFile(projectFile('deploy/nginx/handrail.conf'), 'utf8')
    const [script = ''] = listOf(recordOf(services.nginx).command).map(String).slice(-1)
    const replaced = [...script.matchAll(/'s\/([^/]+)\/([^/]+)\/'/g)]
    assert.equal(replaced.length, 2)
    for (const [, address = '', name = ''] of replaced) {
      const lines = example.split('\n').filter((line) => line.includes(address))
      assert.equal(lines.length, 2, `${address} must be in both groups of replicas of the example`)
      for (const line of lines) assert.equal(line.split(address).length, 2, 'sed replaces one in each line')
      assert.ok(String(name.split(':')[0]) in services, name)
      assert.equal(name.split(':')[1], '3000')
    }
    for (const mount of listOf(recordOf(services.nginx).volumes).map(String)) {
      const [source = ''] = mount.split(':')
      if (source !== './tls') assert.ok(existsSync(projectFile(`deploy/${source}`)), source)
    }
  })

  test('gives each replica its own folder, and enough time to drain', async () => {
    const volumes = ['service-1', 'service-2'].map((name) => {
      const {volumes, stop_grace_period: grace} = recordOf(services[name])
      assert.ok(Number.parseInt(String(grace), 10) >= DRAIN / 1_000 + CLOSING)
      const [volume] = listOf(volumes)
      return String(volume).split(':')[0]
    })
    assert.equal(new Set(volumes).size, 2)
  })
})
