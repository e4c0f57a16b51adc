import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {commandHelp} from '../../lake/commands/commandLine.ts'
import {readLakeSettings} from '../../lake/settings.ts'
import {DRAIN} from '../../service/http/drain.ts'
import {readServiceSettings} from '../../service/settings.ts'
import {recordOf} from '../support/answers.ts'
import {projectFile} from './support/files.ts'
import {CLOSING} from './support/settings.ts'
import {variablesOf} from './support/units.ts'

const read = (path: string) => readFile(projectFile(path), 'utf8')

test('the systemd unit starts a process per port of the nginx example, each with its own snapshots', async () => {
  const unit = await read('deploy/systemd/handrail@.service')
  const nginx = await read('deploy/nginx/handrail.conf')
  const groups = [...nginx.matchAll(/^upstream [^}]+/gm)].map(([group]) =>
    [...group.matchAll(/^ {4}server 127\.0\.0\.1:(\d+)/gm)].map(([, port = '']) => port),
  )
  const [ports = [], ...others] = groups
  assert.deepEqual(others, [ports], 'the groups of the example have the same replicas')
  assert.ok(ports.length > 1)
  assert.ok(unit.includes(`systemctl enable --now ${ports.map((port) => `handrail@${port}`).join(' ')}\n`))

  const settings = ports.map((port) => {
    return readServiceSettings(variablesOf(unit.replaceAll('%i', port)))
  })
  assert.deepEqual(
    settings.map(({port}) => String(port)),
    ports,
  )
  assert.equal(new Set(settings.map(({snapshotDir}) => snapshotDir)).size, ports.length)
  const [first] = settings
  assert.deepEqual([first?.redisUrl, first?.trustedProxies], ['redis://127.0.0.1:6379', ['loopback']])
  const [, stop = ''] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? []
  assert.ok(Number(stop) >= DRAIN / 1_000 + CLOSING)
})

test('the systemd unit of the lake keeps everything in its own folder, behind its nginx example', async () => {
  const unit = await read('deploy/systemd/handrail-lake.service')
  const {contentDir, serviceTokenFile, host, port, trustedProxies} = readLakeSettings(variablesOf(unit))
  const [, folder] = /^StateDirectory=(.+)$/m.exec(unit) ?? []
  for (const path of [contentDir, serviceTokenFile]) assert.ok(path?.startsWith(`/var/lib/${folder}/`), path)
  const user = `useradd --system --home-dir /var/lib/${folder} `
  for (const page of [unit, await read('docs/operations.md')]) assert.ok(page.includes(user))
  assert.deepEqual(trustedProxies, ['loopback'])
  assert.ok((await read('deploy/nginx/lake.conf')).includes(`server ${host}:${port};`))
})

test('the systemd units run a program that exists, with the Node that its packages include', async () => {
  const manifest = recordOf(JSON.parse(await read('package.json')))
  assert.match(String(recordOf(manifest.dependencies).node), /^24\./)
  const lock = recordOf(JSON.parse(await read('package-lock.json')))
  const installed = recordOf(recordOf(lock.packages)['node_modules/node'])
  assert.deepEqual([recordOf(installed.bin).node, installed.dev], ['bin/node', undefined])
  for (const name of ['handrail@.service', 'handrail-lake.service', 'handrail-backup.service']) {
    const unit = await read(`deploy/systemd/${name}`)
    const [, folder = '', program = ''] =
      /^ExecStart=(.+)\/node_modules\/\.bin\/node (\S+)(?: .+)?$/m.exec(unit) ?? []
    assert.ok(unit.includes(`\nWorkingDirectory=${folder}\n`), name)
    assert.notEqual(await read(program), '', name)
  }
})

test('systemd waits for a process at its own address, and not for one that has ended', async () => {
  for (const [name, variable] of [
    ['handrail@.service', 'PORT'],
    ['handrail-lake.service', 'LAKE_PORT'],
  ]) {
    const check = `deploy/healthcheck.ts ${variable} 60000 $MAINPID\n`
    assert.ok((await read(`deploy/systemd/${name}`)).includes(check), name)
  }
})

test('the timer of backups copies the lake of its unit', async () => {
  const [lake, backup] = [
    await read('deploy/systemd/handrail-lake.service'),
    await read('deploy/systemd/handrail-backup.service'),
  ]
  assert.equal(variablesOf(backup).CONTENT_DIR, variablesOf(lake).CONTENT_DIR)
  for (const name of ['User', 'StateDirectory', 'WorkingDirectory']) {
    const line = new RegExp(`^${name}=.+$`, 'm')
    assert.deepEqual(line.exec(backup)?.[0], line.exec(lake)?.[0])
  }
  const [, words = '', folder = ''] = /main\.ts (backup --to (\S+) .+)$/m.exec(backup) ?? []
  assert.equal(commandHelp(words.split(' ')), undefined)
  assert.ok(backup.includes(`install -d -o handrail -m 700 ${folder}\n`))
  assert.match(await read('deploy/systemd/handrail-backup.timer'), /^OnCalendar=.+$/m)
})
