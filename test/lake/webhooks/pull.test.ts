import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {open, rename} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {promisify} from 'node:util'
import {eventually} from '../../support/eventually.ts'
import {temporaryFolder} from '../support/git.ts'
import {post, workshop} from './support.ts'

test('pushed commits are served once the delivery is acknowledged', async (t) => {
  const {push, deliver, title, lake} = await workshop(t)
  const commit = await push({'post/a.json': post('a', 'theirs'), 'post/b.json': post('b', 'new')})
  const {status, body} = await deliver()
  assert.deepEqual([status, body.commit], [200, commit])
  assert.deepEqual([await title('a'), await title('b')], ['theirs', 'new'])
  assert.equal((await lake.repository.git('rev-parse', 'HEAD')).trim(), commit)
})

test('a repeated delivery changes nothing, and the response says so', async (t) => {
  const {push, deliver} = await workshop(t)
  const commit = await push({'post/a.json': post('a', 'theirs')})
  await deliver()
  assert.deepEqual(await deliver(), {status: 200, body: {result: 'unchanged', commit}})
})

test('a pushed deletion takes effect, and drafts are not changed', async (t) => {
  const {push, deliver, title, lake} = await workshop(t)
  await lake.client.create(post('drafts.a', 'half written'))
  await push({'post/a.json': undefined, 'post/b.json': post('b', 'new')})
  await deliver()
  assert.deepEqual([await title('a'), await title('b')], [null, 'new'])
  const draft = await lake.client.fetch('*[_id == "drafts.a"][0].title', {}, {perspective: 'raw'})
  assert.equal(draft, 'half written')
})

test('concurrent publishes are merged with the push, and both reach the remote', async (t) => {
  const {push, deliver, title, lake, remote} = await workshop(t)
  await push({'post/b.json': post('b', 'theirs')})
  await lake.client.createOrReplace(post('a', 'ours'))
  const {status, body} = await deliver()
  assert.equal(status, 200)
  assert.deepEqual([await title('a'), await title('b')], ['ours', 'theirs'])
  await eventually(
    async () => (await remote.git('rev-parse', 'main')).trim(),
    (commit) => commit === body.commit,
  )
})

test('a conflict is reported in the response, the log and /readyz, and loses nothing', async (t) => {
  const {push, deliver, title, lake, developer} = await workshop(t)
  await push({'post/a.json': post('a', 'theirs')})
  await lake.client.createOrReplace(post('a', 'ours'))
  const {status, body} = await deliver()
  assert.equal(status, 200)
  assert.equal(body.result, 'conflict')
  assert.match(String(body.reason), /^post\/a\.json changed both here and in the remote: merge by hand/)
  assert.equal(await title('a'), 'ours')
  assert.ok(
    lake.warnings.some(({msg}) => msg === 'push failed; commits are safe locally and will be retried'),
  )
  const readiness = await (await fetch(`${lake.address}/readyz`)).text()
  assert.match(readiness, /"state":"conflict"/)

  await developer.git('fetch', '--quiet', lake.repository.directory, 'main')
  await developer.git('merge', '--quiet', '--strategy-option=ours', '--message', 'By hand', 'FETCH_HEAD')
  await developer.git('push', '--quiet')
  await deliver()
  assert.equal(await title('a'), 'theirs')
})

test('an unreachable remote is an error, and its push arrives when it is back', async (t) => {
  const {push, deliver, title, remote} = await workshop(t)
  await push({'post/a.json': post('a', 'theirs')})
  await rename(remote.directory, `${remote.directory}-away`)
  t.after(() => rename(`${remote.directory}-away`, remote.directory).catch(() => {}))
  const {status, body} = await deliver()
  assert.deepEqual([status, body.result], [202, 'failing'])
  assert.match(String(body.reason), /does not appear to be a git repository/)
  await rename(`${remote.directory}-away`, remote.directory)
  await eventually(() => title('a'), 'theirs')
})

test('an unresponsive remote delays neither the sender nor a publish', async (t) => {
  const {deliver, title, lake, remote} = await workshop(t, {
    gitRemote: 'ssh://slow.example/x',
    gitWebhookWait: 10,
  })
  const pipe = join(await temporaryFolder(t), 'pipe')
  await promisify(execFile)('mkfifo', [pipe])
  // Otherwise Git runs the command once more, to see what it is.
  await lake.repository.git('config', 'ssh.variant', 'simple')
  // Reading from it ends when a writer has closed it.
  await lake.repository.git('config', 'core.sshCommand', `cat ${pipe} #`)
  const answer = deliver()
  await lake.client.createOrReplace(post('a', 'ours'))
  assert.equal(await title('a'), 'ours')
  assert.deepEqual(await answer, {status: 202, body: {result: 'pulling'}})
  // Opens once there is a reader.
  const writer = await open(pipe, 'w')
  // So that the lake, which pushes before it closes, does not wait.
  await lake.repository.git('config', 'core.sshCommand', `sh -c 'exec \${2%% *} ${remote.directory}' --`)
  await writer.close()
})

test('each of twenty concurrent deliveries is acknowledged once the push is served', async (t) => {
  const {push, deliver, title} = await workshop(t)
  const commit = await push({'post/a.json': post('a', 'theirs')})
  const answers = await Promise.all(Array.from({length: 20}, () => deliver()))
  assert.deepEqual([...new Set(answers.map(({body}) => body.commit))], [commit])
  assert.equal(await title('a'), 'theirs')
})

test('a push of another branch, a tag and another event change nothing', async (t) => {
  const {push, deliver, title, developer} = await workshop(t)
  await developer.git('push', '--quiet', 'origin', 'HEAD:refs/heads/spring')
  await push({'post/a.json': post('a', 'theirs')})
  const rows: [Parameters<typeof deliver>[0], RegExp][] = [
    [{payload: {ref: 'refs/heads/spring'}}, /^The lake serves the branch refs\/heads\/main\.$/],
    [{payload: {ref: 'refs/tags/v1'}}, /^The lake serves the branch refs\/heads\/main\.$/],
    [{event: 'ping', payload: {zen: 'Keep it logically awesome.'}}, /^"ping" is not a push event/],
    [{event: 'issues', payload: {action: 'opened'}}, /^"issues" is not a push event/],
  ]
  for (const [changes, reason] of rows) {
    const {status, body} = await deliver(changes)
    assert.deepEqual([status, body.result], [200, 'ignored'])
    assert.match(String(body.reason), reason)
  }
  assert.equal(await title('a'), 'first')
})

test('after HEAD moves to another branch, its pushes are pulled and served', async (t) => {
  const {deliver, developer, lake, title} = await workshop(t)
  await eventually(async () => (await fetch(`${lake.address}/readyz`)).text(), /"state":"ok"/)
  await lake.repository.git('branch', 'spring')
  await lake.repository.git('symbolic-ref', 'HEAD', 'refs/heads/spring')
  await developer.git('checkout', '--quiet', '-b', 'spring')
  await developer.commit({'post/a.json': post('a', 'spring')})
  await developer.git('push', '--quiet', 'origin', 'spring')
  assert.equal((await deliver()).body.result, 'ignored')
  await deliver({payload: {ref: 'refs/heads/spring'}})
  assert.equal(await title('a'), 'spring')
})
