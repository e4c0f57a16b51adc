import assert from 'node:assert/strict'
import {createHmac} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {REFUSALS} from '../../../lake/webhooks/refusals.ts'
import {eventually} from '../../support/eventually.ts'
import {type Answer, deliver, post, secret, send, workshop} from './support.ts'

const body = JSON.stringify({ref: 'refs/heads/main', object_kind: 'push'})
const hex = (key: string | Buffer, text = body) => createHmac('sha256', key).update(text).digest('hex')
const now = () => String(Math.floor(Date.now() / 1_000))

/** A signature as GitLab creates it with a signing token. */
function standard(key: string | Buffer, timestamp = now(), id = 'a5f7') {
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'x-gitlab-event': 'Push Hook',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${digest}`,
  }
}

const codeOf = ({status, body: {errorCode}}: Answer) => [status, errorCode]

test('GitHub, GitLab (token or signature) and Gitea are supported', async (t) => {
  const {push, lake} = await workshop(t)
  const commit = await push({'post/a.json': post('a', 'theirs')})
  const rows: [string, Record<string, string>][] = [
    ['GitHub', {'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hex(secret)}`}],
    ['GitLab, secret token', {'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret}],
    ['GitLab, system hook', {'x-gitlab-event': 'System Hook', 'x-gitlab-token': secret}],
    ['GitLab, signing token', standard(secret)],
    [
      'GitLab, one of two signatures',
      {...standard(secret), 'webhook-signature': `v1,old ${standard(secret)['webhook-signature']}`},
    ],
    [
      'Gitea',
      {
        'x-gitea-event': 'push',
        'x-gitea-signature': hex(secret),
        'x-github-event': 'push',
        'x-hub-signature-256': `sha256=${hex(secret)}`,
      },
    ],
    [
      'through a proxy, from another origin',
      {
        'x-github-event': 'push',
        'x-hub-signature-256': `sha256=${hex(secret)}`,
        'x-forwarded-host': 'lake.example',
        origin: 'https://github.example',
      },
    ],
  ]
  for (const [sender, headers] of rows) {
    const answer = await eventually(
      () => send(lake.address, body, headers),
      ({body: {result}}) => result !== 'pulling',
    )
    assert.deepEqual([answer.status, answer.body.commit], [200, commit], sender)
  }
})

test('a signing token contains its key in base64', async (t) => {
  const key = Buffer.alloc(32, 7)
  const {lake} = await workshop(t, {gitWebhookSecrets: [`whsec_${key.toString('base64')}`]})
  const {errorCode} = (await send(lake.address, body, standard(key))).body
  assert.equal(errorCode, undefined)
  const raw = await send(lake.address, body, standard(`whsec_${key.toString('base64')}`))
  assert.deepEqual(codeOf(raw), [401, 'WEBHOOK_SIGNATURE_WRONG'])
})

test('every unauthenticated delivery is rejected with its own error and pulls nothing', async (t) => {
  const {push, lake, title} = await workshop(t)
  await push({'post/a.json': post('a', 'theirs')})
  const signed = {'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hex(secret)}`}
  const wrong = [401, 'WEBHOOK_SIGNATURE_WRONG']
  const rows: [string, Record<string, string>, unknown[]][] = [
    ['no signature', {'x-github-event': 'push'}, [401, 'WEBHOOK_UNSIGNED']],
    ['another secret', {...signed, 'x-hub-signature-256': `sha256=${hex('guessed')}`}, wrong],
    ['another body', {...signed, 'x-hub-signature-256': `sha256=${hex(secret, '{}')}`}, wrong],
    ['no algorithm', {...signed, 'x-hub-signature-256': hex(secret)}, wrong],
    ['SHA-1 alone', {'x-github-event': 'push', 'x-hub-signature': 'sha1=00'}, [401, 'WEBHOOK_UNSIGNED']],
    ['an empty signature', {...signed, 'x-hub-signature-256': ''}, wrong],
    ['another token', {'x-gitlab-event': 'Push Hook', 'x-gitlab-token': `${secret}x`}, wrong],
    ['an empty token', {'x-gitlab-event': 'Push Hook', 'x-gitlab-token': ''}, wrong],
    ['a wrong signature with the right token', {...standard('guessed'), 'x-gitlab-token': secret}, wrong],
    ['another id than the signed one', {...standard(secret), 'webhook-id': 'other'}, wrong],
    ['another time than the signed one', {...standard(secret), 'webhook-timestamp': '1'}, wrong],
    [
      'a signature without a time',
      {'webhook-signature': standard(secret)['webhook-signature'], 'webhook-id': 'a5f7'},
      [401, 'WEBHOOK_UNSIGNED'],
    ],
    ['signed long ago', standard(secret, String(Number(now()) - 400)), [401, 'WEBHOOK_EXPIRED']],
    ['signed in the future', standard(secret, String(Number(now()) + 400)), [401, 'WEBHOOK_EXPIRED']],
    ['signed without a time', standard(secret, 'soon'), [401, 'WEBHOOK_EXPIRED']],
  ]
  for (const [why, headers, expected] of rows)
    assert.deepEqual(codeOf(await send(lake.address, body, headers)), expected, why)
  assert.equal(await title('a'), 'first')
})

test('a signed but invalid delivery is rejected with the reason', async (t) => {
  const {lake} = await workshop(t)
  const rows: [string, Parameters<typeof deliver>[1], RegExp][] = [
    ['not JSON', {body: '{"ref":'}, /The body is not a JSON object/],
    ['not an object', {body: '[]'}, /not a JSON object/],
    ['an empty body', {body: ''}, /The body is not a JSON object/],
    ['no ref', {payload: {}}, /"ref"/],
    ['a ref of another kind', {payload: {ref: 7}}, /"ref"/],
  ]
  for (const [why, changes, message] of rows) {
    const answer = await deliver(lake, changes)
    assert.deepEqual(codeOf(answer), [400, 'WEBHOOK_NOT_UNDERSTOOD'], why)
    assert.match(String(answer.body.message), message)
  }
  const nameless = await send(lake.address, '{}', {'x-hub-signature-256': `sha256=${hex(secret, '{}')}`})
  assert.match(String(nameless.body.message), /X-GitHub-Event or X-Gitlab-Event is missing/)
})

test('a form is rejected with the setting to change', async (t) => {
  const {lake} = await workshop(t)
  const form = await deliver(lake, {headers: {'content-type': 'application/x-www-form-urlencoded'}})
  assert.deepEqual(codeOf(form), [415, 'WEBHOOK_MEDIA_TYPE'])
  assert.match(String(form.body.message), /application\/json/)
})

test('without a secret or a remote, the error says what is missing', async (t) => {
  const off = await workshop(t, {gitWebhookSecrets: []})
  assert.deepEqual(codeOf(await off.deliver()), [404, 'WEBHOOK_OFF'])
  const alone = await workshop(t, {gitRemote: undefined})
  assert.deepEqual(codeOf(await alone.deliver()), [409, 'WEBHOOK_NO_REMOTE'])
  assert.equal((await alone.deliver({event: 'ping', payload: {}})).status, 200, 'the webhook itself works')
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
