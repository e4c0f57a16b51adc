import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {before, describe, test} from 'node:test'
import {commandHelp} from '../../lake/commands/commandLine.ts'
import {readLakeSettings} from '../../lake/settings.ts'
import {readServiceSettings} from '../../service/settings.ts'
import {temporaryFolder} from '../lake/support/git.ts'
import {recordOf} from '../support/answers.ts'
import {commandsOf} from '../support/docs/commands.ts'
import {listOf, projectFile, readYaml} from './support/files.ts'
import {settingsOf, variablesOf} from './support/units.ts'

const read = (path: string) => readFile(projectFile(path), 'utf8')

/** The pages with commands for operators. */
const PAGES = [
  'runbook',
  'operations',
  'monitoring',
  'scale',
  'release',
  'people',
  'rights',
  'single-sign-on',
  'webhooks',
]

/** Commands that no layout decides, and why they are not compared. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  'they need a network or Docker':
    /^(?:docker (?:load|save)|gh attestation |git (?:clone|pull) |npm (?:audit|ci)|cd \/opt\/handrail$)/,
  'they run in a clone': /^git (?:commit|filter-repo|push|revert|rm)/,
  'other tests read or run what they name':
    /^(?:docker compose -f deploy\/compose.yaml up|kubectl apply -k |helm install handrail deploy\/kubernetes\/base |node_modules\/|npm (?:install .\/handrail-|run |start|test)|useradd )/,
  'they are of other programs':
    /^(?:export REDISCLI_AUTH=|npm version |openssl rand |redis-cli |systemctl reload nginx)/,
}

/** The volumes of a container: `ro` for one that it cannot write to, by their paths. */
type Mounts = ReadonlyMap<string, string>

describe('commands for operators', () => {
  let compose: Record<string, unknown>
  let containers: Record<string, unknown>[]
  let job: unknown
  let unit: string

  before(async () => {
    compose = recordOf((await readYaml('deploy/compose.yaml'))[0])
    const lake = (await readYaml('deploy/kubernetes/base/lake.yaml')).map(recordOf)[0]
    const pod = recordOf(recordOf(recordOf(lake?.spec).template).spec)
    containers = [...listOf(pod.containers), ...listOf(pod.initContainers)].map(recordOf)
    job = recordOf(recordOf((await readYaml('deploy/kubernetes/restore.yaml'))[0]).metadata).name
    unit = await read('deploy/systemd/handrail-lake.service')
  })

  /** Asserts that a command of a container exists, and that its paths are in volumes, which it may write to. */
  function checkInside(mounts: Mounts, words: readonly string[]): void {
    const command = words.join(' ')
    const [program, ...rest] = words
    if (program === 'node') assert.equal(commandHelp(rest.slice(1)), undefined, command)
    else assert.match(command, /^(?:git -C|mv) \/data\/content\.git /)
    for (const [at, word] of words.entries()) {
      if (!word.startsWith('/')) continue
      const mount = mounts.get(`/${word.split('/')[1]}`)
      assert.notEqual(mount, undefined, `${command}: the container has no volume at ${word}`)
      if (program === 'mv' || words[at - 1] === '--to') assert.notEqual(mount, 'ro', command)
    }
  }

  function checkCompose(words: readonly string[]): void {
    const services = recordOf(compose.services)
    const [verb = '', ...rest] = words
    if (verb === 'stop' || verb === 'start') {
      for (const name of rest) assert.ok(name in services, name)
      return
    }
    assert.match(verb, /^(?:exec|run)$/)
    // Without --no-deps, `run` starts what a service needs, such as a lake that locks the repository.
    if (verb === 'run') assert.deepEqual(rest.splice(0, 2), ['--rm', '--no-deps'])
    const added = rest[0] === '-v' ? rest.splice(0, 2).slice(1) : []
    const [name = '', ...command] = rest
    const service = recordOf(services[name])
    const mounts = [...listOf(service.volumes).map(String), ...added].map((mount) => mount.split(':'))
    for (const [volume = ''] of mounts)
      assert.ok(volume.replace(`${compose.name}_`, '') in recordOf(compose.volumes), volume)
    checkInside(new Map(mounts.map(([, path = '', mode = '']) => [path, mode])), command)
  }

  function checkKubernetes(command: string): void {
    const [, container = '', inside = ''] =
      /^exec (?:-it )?handrail-lake-0 -c (\w+) -- (.+)$/.exec(command) ?? []
    const found = containers.find(({name}) => name === container)
    const [, file] = /^apply -f (\S+)$/.exec(command) ?? []
    const [, named] = / job\/([\w-]+)(?: |;|$)/.exec(command) ?? []
    if (found !== undefined) {
      const mounts = listOf(found.volumeMounts).map(recordOf)
      const modes = mounts.map(({mountPath, readOnly}) => [`${mountPath}`, readOnly ? 'ro' : ''] as const)
      checkInside(new Map(modes), inside.split(' '))
    } else if (file !== undefined) assert.ok(existsSync(projectFile(file)), file)
    else if (named !== undefined) assert.equal(named, job)
    else assert.match(command, /^scale statefulset\/handrail-lake --replicas=[01]$/)
  }

  async function checkMachine(command: string): Promise<void> {
    const {contentDir} = readLakeSettings(variablesOf(unit))
    const [program = '', ...words] = command.split(' ')
    const [, wrapper] = /^(?:\/opt\/handrail\/)?(deploy\/systemd\/\S+)$/.exec(program) ?? []
    if (wrapper !== undefined) {
      assert.ok(existsSync(projectFile(wrapper)))
      assert.equal(commandHelp(words), undefined, command)
      const {[words.indexOf('--from') + 1]: from} = words
      if (words[0] === 'restore')
        assert.ok((await read('deploy/systemd/handrail-backup.service')).includes(` backup --to ${from} `))
    } else if (program === 'systemctl') {
      for (const name of words.filter((word) => word.startsWith('handrail'))) {
        const file = name.replace(/@\d+$/, '@').replace(/(?<!\.timer)$/, '.service')
        assert.ok(existsSync(projectFile(`deploy/systemd/${file.replace('.timer.service', '.timer')}`)), name)
      }
    } else if (program === 'runuser') {
      const [, user] = /^User=(.+)$/m.exec(unit) ?? []
      assert.deepEqual(words.slice(0, 6), ['-u', user, '--', 'git', '-C', contentDir])
    } else if (program === 'mv') assert.equal(words[0], contentDir)
    else assert.match(command, /^git -C CONTENT_DIR |^(?:install|printf|sed|cp) /)
  }

  test('exist for each way of running, in containers that have the volumes they name', async () => {
    for (const page of PAGES)
      for (const command of commandsOf(await read(`docs/${page}.md`)).flatMap((line) => line.split(' && '))) {
        const [, words] = /^npm run lake -- (.+)$/.exec(command) ?? []
        if (words !== undefined) assert.equal(commandHelp(words.split(' ')), undefined, command)
        else if (Object.values(OTHERS).some((known) => known.test(command))) continue
        else if (command.startsWith('docker compose ')) checkCompose(command.split(' ').slice(2))
        else if (/^(?:until )?kubectl -n handrail /.test(command))
          checkKubernetes(command.replace(/^(?:until )?kubectl -n handrail /, ''))
        else await checkMachine(command)
      }
  })

  test('lead from nothing to settings with which the lake and the service of one machine find each other', async (t) => {
    const folder = await temporaryFolder(t)
    for (const path of ['etc/nginx/conf.d', 'etc/systemd/system'])
      await mkdir(join(folder, path), {recursive: true})
    const lines = (await read('docs/operations.md'))
      .split('\n')
      .filter((line) => /^(?:LAKE=|install|printf|sed|cp) ?/.test(line))
      .map((line) => line.replaceAll(' /etc/', ` ${folder}/etc/`))
    execFileSync('sh', ['-euc', lines.join('\n')], {cwd: projectFile('.')})
    const written = (path: string) => readFile(join(folder, 'etc', path), 'utf8')
    const [ofLake, ofService] = [await written('handrail/lake.env'), await written('handrail/service.env')]
    assert.ok(
      (ofLake + ofService).split('\n').filter(Boolean).length <= 6,
      'more settings than a person likes',
    )
    const lake = readLakeSettings(await settingsOf('handrail-lake.service', ofLake))
    const service = readServiceSettings(await settingsOf('handrail@.service', ofService))
    assert.match(String(service.apiToken), /^[0-9a-f]{64}$/)
    assert.deepEqual([service.apiToken], lake.serviceTokens)
    assert.equal(lake.origin, 'https://lake.example.com')
    assert.equal(new URL(String(service.apiHost)).port, String(lake.port))
    for (const name of ['lake', 'handrail'])
      assert.doesNotMatch(await written(`nginx/conf.d/${name}.conf`), /server_name \w+\.example;/)
  })

  test('of systemd run as the user of the lake, with its settings, and get their arguments as they are', async (t) => {
    const folder = await temporaryFolder(t)
    await writeFile(join(folder, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n')
    await chmod(join(folder, 'systemd-run'), 0o755)
    const given = ['editor', 'add', '--name', 'Ada  Lovelace']
    const output = execFileSync(projectFile('deploy/systemd/handrail-lake-command'), given, {
      env: {PATH: `${folder}:/usr/bin:/bin`},
      encoding: 'utf8',
    })
    const words = output.trimEnd().split('\n')
    const at = words.indexOf('--')
    const [, start = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? []
    assert.deepEqual(words.slice(at + 1), [...start.split(' '), ...given])
    const lines = words.slice(0, at).flatMap((option) => {
      const [, kind, value] = /^--(\S+?)=(.+)$/.exec(option) ?? []
      const names = {
        uid: 'User=',
        'working-directory': 'WorkingDirectory=',
        setenv: 'Environment=',
        property: '',
      }
      return Object.entries(names).flatMap(([name, line]) => (name === kind ? [line + value] : []))
    })
    assert.equal(lines.length, 8)
    for (const line of lines) assert.ok(unit.split('\n').includes(line), line)
  })
})
