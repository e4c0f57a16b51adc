import {deepEqual, equal, match, ok} from 'node:assert/strict'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {withoutCredentials} from '../../../../lake/git/remote/redact.ts'
import {temporaryFolder, testRepository} from '../../support/git.ts'
import {toolText} from '../../support/publisher.ts'
import {trio, until} from '../../support/remote.ts'

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
  deepEqual({...(await push()), since: ''}, {state: 'ok', since: '', ahead: 0})
  equal(await remoteHead(), await head())
})

test('a named remote is pushed to, and a missing branch is created there', async (context) => {
  const {publish, push, remote, repository, head} = await trio(context, {remote: 'origin'})
  await repository.git('remote', 'add', 'origin', remote.directory)
  await repository.git('checkout', '--quiet', '-b', 'drafts/spring')
  await publish({'tool/a.json': toolText('a', 'second')})
  await push()
  equal((await remote.git('rev-parse', 'drafts/spring')).trim(), await head())
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

test('a detached HEAD is not pushed, and this is reported', async (context) => {
  const {repository, push} = await trio(context)
  await repository.git('checkout', '--quiet', '--detach')
  match((await push('failing')).lastError ?? '', /HEAD is detached/)
})

test('closing pushes everything that was published before', async (context) => {
  const {publish, pusher, remoteHead, head} = await trio(context)
  await publish({'tool/a.json': toolText('a', 'second')})
  pusher.published()
  await pusher.close(10_000)
  equal(await remoteHead(), await head())
})

test('credentials of a remote appear neither in the state nor in the log', async (context) => {
  const remote = 'http://ada:s3cr%40t@127.0.0.1:9/x.git?key=s3cret'
  const {push, log} = await trio(context, {remote})
  const state = await push('failing')
  for (const text of [JSON.stringify(state), JSON.stringify(log)]) ok(!/s3cr|ada/.test(text), text)
  match(state.lastError ?? '', /127\.0\.0\.1/)
})

test('credentials are redacted from any text', () => {
  equal(
    withoutCredentials('to https://a:b@c@h/x and ssh://git@h:22/y'),
    'to https://***@h/x and ssh://***@h:22/y',
  )
  equal(withoutCredentials("'https://h/x?token=abc&b=c'"), "'https://h/x?token=***&b=***'")
  equal(withoutCredentials('git@github.com:a/b.git'), 'git@github.com:a/b.git')
})
