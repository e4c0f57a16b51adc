import assert from 'node:assert/strict'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {before, type TestContext, test} from 'node:test'
import {GitLauncher} from '../../../git/launcher/launcher.ts'
import {type GitEnd, spawnGit} from '../../../git/launcher/spawnGit.ts'
import {git, streamGit} from '../../../git/process.ts'
import {gitLauncher, temporaryFolder, temporaryRepository} from '../../lake/support/git.ts'
import {eventually} from '../../support/eventually.ts'

before(gitLauncher)

/** A Git command that a shell runs. */
const shell = (text: string) => ['-c', `alias.run=!${text}`, 'run']

const SUCCESS: GitEnd = {code: 0, signal: null, stderr: ''}

/** Runs Git; `ended` resolves with how it ended, or with the reason why that is not known, `said` with its first output. */
function start(launcher: GitLauncher, args: readonly string[]) {
  const {promise: ended, resolve} = Promise.withResolvers<GitEnd | string>()
  const {promise: said, resolve: onData} = Promise.withResolvers<Buffer>()
  const command = {directory: process.cwd(), args, env: process.env, input: ''}
  const {stop} = launcher.run(command, {onData, onEnd: resolve, onError: resolve})
  return {ended, said, stop}
}

function end({pid}: GitLauncher): void {
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

/** A launcher whose process ends with the test. */
function launcherFor(t: TestContext): GitLauncher {
  const launcher = new GitLauncher()
  t.after(async () => {
    end(launcher)
    await eventually(
      async () => launcher.pid,
      (pid) => pid === undefined,
    )
  })
  return launcher
}

test('Git is started by another process, in the given folder', async (t) => {
  const {directory} = await temporaryRepository(t)
  const [starter = '', folder] = (await git(directory, shell('ps -o ppid= -p $PPID; pwd'))).trim().split('\n')
  assert.equal(folder, directory)
  assert.notEqual(Number(starter), process.pid)
})

test('input and output of any size are exact', async (t) => {
  const {directory} = await temporaryRepository(t)
  const input = `${'ä€😀'.repeat(300_000)}\n`
  assert.equal(await git(directory, shell('cat'), {input}), input)
  const chunks: Buffer[] = []
  await streamGit(directory, shell('head -c 50000000 /dev/zero'), (chunk) => chunks.push(chunk))
  assert.ok(Buffer.concat(chunks).equals(Buffer.alloc(50_000_000)))
})

test('many commands at once each return their own output', async (t) => {
  const {directory} = await temporaryRepository(t)
  const numbers = Array.from({length: 30}, (_, number) => String(number))
  assert.deepEqual(await Promise.all(numbers.map((input) => git(directory, shell('cat'), {input}))), numbers)
})

test('a failure has the exit code and the first line of standard error', async (t) => {
  const {directory} = await temporaryRepository(t)
  const failing = git(directory, shell('echo first >&2; echo second >&2; exit 3'))
  await assert.rejects(failing, {message: 'git run: first', exitCode: 3})
})

test('a missing folder, and arguments that no program can have, fail with the reason', async (t) => {
  const missing = `${await temporaryFolder(t)}/missing`
  await assert.rejects(git(missing, ['--version']), {
    message: `git : not found, or ${missing} is gone`,
  })
  await assert.rejects(git('.', ['log', 'a\0b']), /without null bytes/)
  assert.match(await git('.', ['--version']), /^git version/)
})

test('the environment of this process, and the variables of the command, are those of Git', async (t) => {
  process.env.HANDRAIL_TEST = 'later'
  t.after(() => Reflect.deleteProperty(process.env, 'HANDRAIL_TEST'))
  const options = {indexFile: '/tmp/none', config: new Map([['a.b', 'c']])}
  const printed = await git('.', shell('echo $HANDRAIL_TEST $GIT_INDEX_FILE; git config a.b'), options)
  assert.equal(printed, 'later /tmp/none\nc\n')
})

test('a timeout and a signal stop Git', async () => {
  await assert.rejects(git('.', shell('exec sleep 60'), {timeout: 50}), /stopped by SIGTERM/)
  await git('.', shell('exec sleep 60'), {signal: AbortSignal.timeout(50)})
  const failing = streamGit('.', shell('yes'), () => {
    throw new Error('enough')
  })
  await assert.rejects(failing, /enough/)
})

test('Git that ignores being stopped is killed', async (t) => {
  const folder = await temporaryFolder(t)
  const script = "#!/bin/sh\ntrap '' TERM\necho ready\nwhile true; do sleep 0.1; done\n"
  await writeFile(join(folder, 'git'), script, {mode: 0o700})
  const {promise: ended, resolve: onEnd, reject: onError} = Promise.withResolvers<GitEnd>()
  const {promise: said, resolve: onData} = Promise.withResolvers<Buffer>()
  const env = {...process.env, PATH: `${folder}:${process.env.PATH}`}
  const command = {directory: folder, args: [], env, input: ''}
  const {stop} = spawnGit(command, {onData, onEnd, onError}, 20)
  await said
  stop()
  assert.deepEqual(await ended, {code: null, signal: 'SIGKILL', stderr: ''})
})

test('if the process that runs Git is killed, its commands fail, and the next one starts a new process', async (t) => {
  const launcher = launcherFor(t)
  const {ended} = start(launcher, shell('exec sleep 10'))
  end(launcher)
  assert.equal(await ended, 'the process that runs Git ended')
  assert.deepEqual(await start(launcher, ['--version']).ended, SUCCESS)
})

test('signals for all processes of the lake do not end the process that runs Git', async (t) => {
  const launcher = launcherFor(t)
  await start(launcher, ['--version']).ended
  const {pid} = launcher
  assert.ok(pid !== undefined)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal)
  assert.deepEqual(await start(launcher, ['--version']).ended, SUCCESS)
  assert.equal(launcher.pid, pid)
})
