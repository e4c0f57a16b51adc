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
import {listOf, projectFile, readManifests, readYaml} from './support/files.ts'
import {settingsOf, variablesOf} from './support/units.ts'

const read = (path: string) => readFile(projectFile(path), 'utf8')

/** The pages with commands for operators. */
const PAGES = ['docs/runbook.md', 'docs/operations.md', 'docs/standby.md', 'docs/release.md']

/** Commands that no layout decides, by how they begin, and what is known of them. */
const OTHERS: Readonly<Record<string, string>> = {
  'docker buildx imagetools inspect': 'it needs a published image',
  'docker load': 'it needs Docker',
  'docker save': 'it needs Docker',
  'git revert': 'it runs in a clone of an editor',
  'git clone https://github.com/OWNER/handrail /opt/handrail': 'it needs a published repository',
  'kubectl apply -k deploy/kubernetes/base': 'kubernetes.test.ts reads that folder',
  'openssl rand -hex 32': 'its output is a secret',
  'npm ci && ': 'it downloads packages',
  'npm install ./handrail-': 'test/deploy/packages/handrail.system.test.ts installs it',
  'npm run ': 'docsCommands.test.ts: package.json has it',
  'npm test': 'these tests',
  'npm version': 'it changes the version of the project',
  'redis-cli ': 'test/service/limits/replicas.redis.test.ts runs a Redis',
  'systemctl reload nginx': 'nginx has a unit of its own',
  'useradd ': 'systemd.test.ts compares it with the unit',
}

/** What a container has at a path. */
type Mounts = ReadonlyMap<string, {readonly isReadOnly: boolean}>

describe('commands for operators', () => {
  let compose: Record<string, unknown>
  let pods: Map<string, Mounts>
  let job: unknown
  let unit: string

  before(async () => {
    compose = recordOf((await readYaml('deploy/compose.yaml'))[0])
    const [lake] = (await readManifests('deploy/kubernetes/base')).filter(
      ({kind, metadata}) => kind === 'StatefulSet' && recordOf(metadata).name === 'handrail-lake',
    )
    const {containers, initContainers} = recordOf(recordOf(recordOf(lake?.spec).template).spec)
    pods = new Map(
      [...listOf(containers), ...listOf(initContainers)].map(recordOf).map(({name, volumeMounts}) => [
        String(name),
        new Map(
          listOf(volumeMounts)
            .map(recordOf)
            .map((mount) => [String(mount.mountPath), {isReadOnly: mount.readOnly === true}]),
        ),
      ]),
    )
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
      assert.ok(mount, `${command}: the container has no volume at ${word}`)
      if (program === 'mv' || words[at - 1] === '--to') assert.ok(!mount.isReadOnly, command)
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
    // Without --no-deps, `run` starts the lake, too, whose repository a restore must not find locked.
    if (verb === 'run') assert.deepEqual(rest.splice(0, 2), ['--rm', '--no-deps'])
    const added = rest[0] === '-v' ? rest.splice(0, 2).slice(1) : []
    const [name = '', ...command] = rest
    const service = recordOf(services[name])
    const mounts = [...listOf(service.volumes).map(String), ...added].map((mount) => mount.split(':'))
    for (const [volume = ''] of mounts)
      assert.ok(volume.replace(`${compose.name}_`, '') in recordOf(compose.volumes), volume)
    checkInside(new Map(mounts.map(([, path = '', mode]) => [path, {isReadOnly: mode === 'ro'}])), command)
  }

  function checkKubernetes(command: string): void {
    const [, container = '', inside = ''] =
      /^exec (?:-it )?handrail-lake-0 -c (\w+) -- (.+)$/.exec(command) ?? []
    const mounts = pods.get(container)
    const [, file] = /^apply -f (\S+)$/.exec(command) ?? []
    const [, named] = / job\/([\w-]+)(?: |;|$)/.exec(command) ?? []
    if (mounts !== undefined) checkInside(mounts, inside.split(' '))
    else if (file !== undefined) assert.ok(existsSync(projectFile(file)), file)
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
    } else if (program === 'sudo') {
      const [, user] = /^User=(.+)$/m.exec(unit) ?? []
      assert.deepEqual(words.slice(0, 5), ['-u', user, 'git', '-C', contentDir])
    } else if (program === 'mv') assert.equal(words[0], contentDir)
    else assert.match(command, /^git -C CONTENT_DIR |^(?:install|printf|sed|cp) /)
  }

  test('exist for each way of running, in containers that have the volumes they name', async () => {
    let count = 0
    for (const page of PAGES)
      for (const command of commandsOf(await read(page))) {
        count += 1
        const [, words] = /^npm run lake -- (.+)$/.exec(command) ?? []
        if (words !== undefined) assert.equal(commandHelp(words.split(' ')), undefined, command)
        else if (Object.keys(OTHERS).some((known) => command.startsWith(known))) continue
        else if (command.startsWith('docker compose -f deploy/compose.yaml up')) continue
        else if (command.startsWith('docker compose ')) checkCompose(command.split(' ').slice(2))
        else if (/^(?:until )?kubectl -n handrail /.test(command))
          checkKubernetes(command.replace(/^(?:until )?kubectl -n handrail /, ''))
        else await checkMachine(command)
      }
    assert.ok(count > 50, `${count}`)
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
    const lake = readLakeSettings(
      await settingsOf('handrail-lake.service', await written('handrail/lake.env')),
    )
    const service = readServiceSettings(
      await settingsOf('handrail@.service', await written('handrail/service.env')),
    )
    assert.match(String(service.apiToken), /^[0-9a-f]{64}$/)
    assert.equal(service.apiToken, lake.serviceToken)
    assert.equal(lake.origin, 'https://lake.example.com')
    assert.equal(new URL(String(service.apiHost)).port, String(lake.port))
    for (const name of ['lake', 'handrail'])
      assert.doesNotMatch(await written(`nginx/conf.d/${name}.conf`), /server_name \w+\.example;/)
    assert.equal(
      await written('systemd/system/handrail@.service'),
      await read('deploy/systemd/handrail@.service'),
    )
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
    const options = words.slice(0, at)
    for (const name of ['StateDirectory', 'StateDirectoryMode', 'UMask', 'EnvironmentFile'])
      assert.ok(
        unit.includes(`\n${options.find((one) => one.startsWith(`--property=${name}=`))?.slice(11)}\n`),
        name,
      )
    assert.match(unit, /^User=handrail$/m)
    assert.ok(options.includes('--uid=handrail') && options.includes('--working-directory=/opt/handrail'))
    const variables = options.flatMap((one) => (one.startsWith('--setenv=') ? [one.slice(9)] : []))
    for (const variable of variables) assert.ok(unit.includes(`\nEnvironment=${variable}\n`), variable)
    for (const name of ['CONTENT_DIR', 'SERVICE_TOKEN_FILE'])
      assert.ok(
        variables.some((variable) => variable.startsWith(`${name}=`)),
        name,
      )
  })
})
