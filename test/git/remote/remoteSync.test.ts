import {deepEqual, equal, match, ok} from 'node:assert/strict'
import {existsSync} from 'node:fs'
import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {type TestRepository, temporaryFolder, testRepository} from '../../lake/support/git.ts'
import {toolText} from '../../lake/support/publisher.ts'
import {trio, until} from '../../lake/support/remote.ts'
import {eventually} from '../../support/eventually.ts'

test('without a remote nothing is pushed', async (context) => {
  const {pusher} = await trio(context, {remote: undefined})
  pusher.published()
  equal((await pusher.pull()).state, 'off')
})

test('publishes are pushed; of many, only the newest state is', async (context) => {
  const {publish, push, pusher, remoteHead, head} = await trio(context)
  equal(pusher.state.state, 'pending')
  for (let count = 0; count < 5; count += 1) {
    await publish({'tool/a.json': toolText('a', count)})
    pusher.published()
  }
  deepEqual({...(await push()), since: ''}, {state: 'ok', since: ''})
  equal(await remoteHead(), await head())
})

test('a named remote is pushed to; a branch that it does not have is a problem until a person creates it', async (context) => {
  const {publish, push, pusher, remote, repository, head, remoteHead} = await trio(context, {
    remote: 'origin',
  })
  await repository.git('remote', 'add', 'origin', remote.directory)
  await publish({'tool/a.json': toolText('a', 'second')})
  await push()
  equal(await remoteHead(), await head())
  await repository.git('branch', 'drafts/spring')
  await repository.git('symbolic-ref', 'HEAD', 'refs/heads/drafts/spring')
  await publish({'tool/a.json': toolText('a', 'third')})
  equal((await push('conflict')).code, 'REMOTE_BRANCH_MISSING')
  equal(await remote.git('branch', '--list', 'drafts/*'), '')
  await repository.git('push', '--quiet', 'origin', 'drafts/spring')
  await until(pusher, 'ok')
  await publish({'tool/a.json': toolText('a', 'fourth')})
  await push()
  equal((await remote.git('rev-parse', 'drafts/spring')).trim(), await head())
})

test('a branch that was renamed in the remote is not created again, and followed once it is renamed here', async (context) => {
  const {publish, push, pusher, remote, repository, head} = await trio(context)
  await push()
  await remote.git('branch', '--move', 'main', 'trunk')
  const {commit} = await publish({'tool/a.json': toolText('a', 'second')})
  const state = await push('conflict')
  equal(state.code, 'REMOTE_BRANCH_MISSING')
  match(state.lastError ?? '', /has no branch main, but trunk\. .*: git branch -m main trunk\./)
  equal(await remote.git('branch', '--format=%(refname:short)'), 'trunk\n')
  equal(await head(), commit)
  await repository.git('branch', '--move', 'main', 'trunk')
  await until(pusher, 'ok')
  equal((await remote.git('rev-parse', 'trunk')).trim(), commit)
})

test('an empty remote gets the first push; one that lost its branch later does not', async (context) => {
  const {push, remote, publish} = await trio(context)
  await remote.git('update-ref', '-d', 'refs/heads/main')
  await push()
  await remote.git('update-ref', '-d', 'refs/heads/main')
  await publish({'tool/a.json': toolText('a', 'second')})
  match((await push('conflict')).lastError ?? '', /has no branch main, and is empty/)
  equal(await remote.git('for-each-ref'), '')
})

test('the words of a host that refuses a push are reported as one line, without credentials', async (context) => {
  const {publish, push, remote, log} = await trio(context)
  const words = [
    'GH006: Protected branch update failed.',
    'Use a pull request:\u001b[31m see https://ada:s3cret@h/x',
    '',
  ]
  await remote.write('hooks/pre-receive', `#!/bin/sh\nprintf '%s\\n' '${words.join("' '")}' >&2\nexit 1\n`)
  await chmod(join(remote.directory, 'hooks/pre-receive'), 0o755)
  await publish({'tool/a.json': toolText('a', 'second')})
  const {lastError = ''} = await push('failing')
  equal(
    lastError,
    '[remote rejected] (pre-receive hook declined): GH006: Protected branch update failed. ' +
      'Use a pull request: [31m see https://***@h/x',
  )
  equal(log.at(-1)?.reason, lastError)
})

test('a host that says very much is reported in a bounded message', async (context) => {
  const {publish, push, remote} = await trio(context)
  await remote.write('hooks/pre-receive', '#!/bin/sh\nyes "no direct pushes" | head -c 2000000 >&2\nexit 1\n')
  await chmod(join(remote.directory, 'hooks/pre-receive'), 0o755)
  await publish({'tool/a.json': toolText('a', 'second')})
  const {lastError = ''} = await push('failing')
  match(lastError, /no direct pushes no direct pushes/)
  ok(lastError.length <= 1_500)
})

test('a push that failed waits for the pause before it is retried', async (context) => {
  const failures: number[] = []
  const pause = (count: number) => {
    failures.push(count)
    return count < 3 ? 1 : 60_000
  }
  const {push, pusher, repository} = await trio(context, {remote: '/nowhere', pause})
  await push('failing')
  await eventually(() => failures.length, 3)
  // Far longer than an attempt takes.
  for (let count = 0; count < 5; count += 1) await repository.git('fetch', '--quiet', '../remote')
  deepEqual(failures, [1, 2, 3])
  equal(pusher.state.state, 'failing')
})

test('a push to an unreachable remote is retried and loses nothing', async (context) => {
  const missing = join(await temporaryFolder(context), 'later')
  const {publish, push, pusher, head, log} = await trio(context, {remote: missing})
  await publish({'tool/a.json': toolText('a', 'second')})
  const state = await push('failing')
  match(state.lastError ?? '', /does not appear to be a git repository/)
  await mkdir(missing)
  await testRepository(missing).git('init', '--quiet', '--bare')
  await until(pusher, 'ok')
  equal((await testRepository(missing).git('rev-parse', 'main')).trim(), await head())
  equal(log.length, 1)
})

test('a push to a remote that never responds times out and does not delay closing', async (context) => {
  const {repository, publish, push, pusher} = await trio(context, {
    remote: 'ssh://slow.example/x',
    timeout: 50,
  })
  await repository.git('config', 'core.sshCommand', 'exec sleep 40 #')
  await publish({'tool/a.json': toolText('a', 'second')})
  match((await push('failing')).lastError ?? '', /^the remote did not respond in time$/)
  await pusher.close(50)
})

const SSH = 'ssh://slow.example/x'

/** Runs commands before the remote receives a push and sends a fetch, instead of SSH. */
async function connect(
  {git}: TestRepository,
  {directory}: TestRepository,
  {push = ':', fetch = ':'}: {readonly push?: string; readonly fetch?: string},
): Promise<void> {
  const [receive, send] = [`${push}; git-receive-pack ${directory}`, `${fetch}; git-upload-pack ${directory}`]
  const command = `exec 2>/dev/null; sh -c 'case "$1" in *receive-pack*) ${receive};; *) ${send};; esac'`
  await git('config', 'core.sshCommand', command)
  await git('config', 'ssh.variant', 'simple')
}

test('a detached HEAD is not pushed, and this is reported', async (context) => {
  const {repository, push} = await trio(context)
  await repository.write('HEAD', await repository.git('rev-parse', 'HEAD'))
  match((await push('failing')).lastError ?? '', /HEAD is detached/)
})

test('closing pushes everything that was published before', async (context) => {
  const {publish, pusher, remoteHead, head} = await trio(context)
  await publish({'tool/a.json': toolText('a', 'second')})
  pusher.published()
  await pusher.close(10_000)
  equal(await remoteHead(), await head())
})

test('closing pushes what was published while a push failed', async (context) => {
  const folder = await temporaryFolder(context)
  const [started, permission] = [join(folder, 'started'), join(folder, 'permission')]
  const {remote, repository, publish, pusher, remoteHead, head} = await trio(context, {remote: SSH})
  const wait = `touch ${started}; while [ ! -e ${permission} ]; do sleep 0.01; done`
  await connect(repository, remote, {push: `if [ ! -e ${started} ]; then ${wait}; exit 1; fi`})
  await publish({'tool/a.json': toolText('a', 'second')})
  pusher.published()
  await eventually(async () => existsSync(started), Boolean)
  await publish({'tool/a.json': toolText('a', 'third')})
  pusher.published()
  const closed = pusher.close(60_000)
  await writeFile(permission, '')
  await closed
  equal(await remoteHead(), await head())
})

test('credentials of a remote appear neither in the state nor in the log', async (context) => {
  const remote = 'http://ada:s3cr%40t@127.0.0.1:9/x.git?key=s3cret'
  const {push, log} = await trio(context, {remote})
  const state = await push('failing')
  for (const text of [JSON.stringify(state), JSON.stringify(log)]) ok(!/s3cr|ada/.test(text), text)
  match(state.lastError ?? '', /127\.0\.0\.1/)
})

test('pulls that are asked for during a pull share the next one', async (context) => {
  const fetches = join(await temporaryFolder(context), 'fetches')
  const {pusher, remote, repository} = await trio(context, {remote: SSH})
  await connect(repository, remote, {fetch: `echo >> ${fetches}`})
  const first = pusher.pull()
  await new Promise((begun) => setImmediate(begun))
  await Promise.all([first, ...Array.from({length: 20}, () => pusher.pull())])
  equal((await readFile(fetches, 'utf8')).length, 2)
})
