import assert from 'node:assert/strict'
import {execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {GitLauncher} from '../../../../lake/git/launcher/launcher.ts'
import type {GitEnd} from '../../../../lake/git/launcher/spawnGit.ts'
import {git, runGitSeparately, streamGit} from '../../../../lake/git/process.ts'
import {temporaryFolder, temporaryRepository} from '../../support/git.ts'

const program = fileURLToPath(new URL('../../support/processes/gitSeparately.ts', import.meta.url))

runGitSeparately()

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

function end(pid: number | undefined): void {
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('Git is started by another process, in the given folder', async (t) => {
  const {directory} = await temporaryRepository(t)
  const [starter = '', folder] = (await git(directory, shell('ps -o ppid= -p $PPID; pwd'))).trim().split('\n')
  assert.equal(folder, directory)
  assert.notEqual(Number(starter), process.pid)
  assert.ok(isRunning(Number(starter)))
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
  const began = performance.now()
  await assert.rejects(git('.', shell('exec sleep 60'), {timeout: 200}), /stopped by SIGTERM/)
  await git('.', shell('exec sleep 60'), {signal: AbortSignal.timeout(200)})
  const failing = streamGit('.', shell('yes'), () => {
    throw new Error('enough')
  })
  await assert.rejects(failing, /enough/)
  assert.ok(performance.now() - began < 30_000)
})

test('Git that ignores being stopped is killed after five seconds, and later commands run', async (t) => {
  const launcher = new GitLauncher()
  t.after(() => end(launcher.pid))
  const loop = "trap '' TERM; echo ready; for n in 1 2 3 4 5 6 7 8 9; do sleep 1; done"
  const {ended, said, stop} = start(launcher, shell(loop))
  await said
  stop()
  const began = performance.now()
  assert.deepEqual(await ended, {code: null, signal: 'SIGKILL', stderr: ''})
  assert.ok(performance.now() - began >= 4_900)
  assert.deepEqual(await start(launcher, ['--version']).ended, SUCCESS)
})

test('if the process that runs Git is killed, its commands fail, and the next one starts a new process', async (t) => {
  const launcher = new GitLauncher()
  t.after(() => end(launcher.pid))
  const {ended} = start(launcher, shell('exec sleep 10'))
  end(launcher.pid)
  assert.equal(await ended, 'the process that runs Git ended')
  assert.deepEqual(await start(launcher, ['--version']).ended, SUCCESS)
})

test('signals for all processes of the lake do not end the process that runs Git', async (t) => {
  const launcher = new GitLauncher()
  t.after(() => end(launcher.pid))
  await start(launcher, ['--version']).ended
  const {pid} = launcher
  assert.ok(pid !== undefined)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal)
  assert.deepEqual(await start(launcher, ['--version']).ended, SUCCESS)
  assert.equal(launcher.pid, pid)
})

test('the process that runs Git keeps no process from ending', async () => {
  const {stdout} = await promisify(execFile)(process.execPath, [program, 'once'], {timeout: 60_000})
  assert.match(stdout, /^git version/)
})

test('options for Node are for the lake alone', async () => {
  const env = {...process.env, NODE_OPTIONS: '--import data:text/javascript,console.error(1)'}
  const {stdout, stderr} = await promisify(execFile)(process.execPath, [program, 'once'], {env})
  assert.match(stdout, /^git version/)
  assert.equal(stderr, '1\n')
})

test('when a lake is killed, the process that runs Git stops its commands and ends', async (t) => {
  const child = spawn(process.execPath, [program, 'hang'], {stdio: ['ignore', 'pipe', 'inherit']})
  t.after(() => child.kill('SIGKILL'))
  const [launcher]: string[] = await once(createInterface(child.stdout), 'line')
  child.kill('SIGKILL')
  await once(child, 'exit')
  for (let waited = 0; isRunning(Number(launcher)); waited += 100) {
    assert.ok(waited < 30_000, 'it still runs')
    await setTimeout(100)
  }
})
