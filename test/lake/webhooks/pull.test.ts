import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {open} from 'node:fs/promises'
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

test('a conflict is reported in the response, the log and /readyz, and loses nothing', async (t) => {
  const {push, deliver, title, lake} = await workshop(t)
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
