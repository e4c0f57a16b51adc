import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {open, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {promisify} from 'node:util'
import {REFUSALS} from '../../../lake/http/routes/gitWebhook.ts'
import {temporaryFolder} from '../support/git.ts'
import {type Answer, deliver, post, secret, workshop} from './support.ts'

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

const codeOf = ({status, body: {errorCode}}: Answer) => [status, errorCode]

test('only the secret in the address counts, not what is sent or by whom', async (t) => {
  const {push, lake} = await workshop(t)
  const commit = await push({'post/a.json': post('a', 'theirs')})
  const headers = [
    {'content-type': 'application/x-www-form-urlencoded'},
    {'x-github-event': 'ping', 'x-forwarded-host': 'lake.example', origin: 'https://github.example'},
  ]
  for (const one of headers) {
    const answer = await deliver(lake, secret, one)
    assert.deepEqual([answer.status, answer.body.commit], [200, commit])
  }
  for (const wrong of [secret.slice(1), `${secret}x`, '%00', 'a'.repeat(10_000)])
    assert.deepEqual(codeOf(await deliver(lake, wrong)), [401, 'WEBHOOK_SECRET_WRONG'])
})

test('a client that guesses secrets is limited', async (t) => {
  const {lake} = await workshop(t)
  const statuses = new Set<number>()
  for (let count = 0; count < 121; count += 1) statuses.add((await deliver(lake, 'guessed')).status)
  assert.deepEqual([...statuses], [401, 429])
})

test('without a secret or a remote, the error says what is missing', async (t) => {
  const off = await workshop(t, {gitWebhookSecrets: []})
  assert.deepEqual(codeOf(await off.deliver()), [404, 'WEBHOOK_OFF'])
  const alone = await workshop(t, {gitRemote: undefined})
  assert.deepEqual(codeOf(await alone.deliver()), [409, 'WEBHOOK_NO_REMOTE'])
})

test('docs/errors.md lists every webhook error of the lake with its status', async () => {
  const [, text = ''] = (await readFile('docs/errors.md', 'utf8')).split('## The lake')
  const documented = [...text.matchAll(/^- `([A-Z_]+)` \((\d+)/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])
  assert.deepEqual(
    documented,
    Object.entries(REFUSALS).map(([code, [status]]) => [code, status]),
  )
})
