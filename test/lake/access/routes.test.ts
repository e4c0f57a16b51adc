import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import type {Accounts} from '../../../lake/access/accounts.ts'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import type {LakeSettings} from '../../../lake/lakeSettings.ts'
import {type RunningLake, runLake} from '../support/lake.ts'
import {accountsIn, pressLink} from '../support/signIn.ts'

const post = {_id: 'a', _type: 'post', title: 'A'}
const password = 'correct horse battery'
const host = (lake: RunningLake) => lake.address.replace('127.0.0.1', 'localhost')

/** Every way to change content. Each succeeds for an editor. */
const writes: [path: string, body: object][] = [
  ['/v2025-02-19/data/mutate/production', {mutations: [{patch: {id: 'a', set: {title: 'changed'}}}]}],
  ['/v1/data/mutate/production?dryRun=false&returnIds=true', {mutations: [{delete: {id: 'a'}}]}],
  ['/vX/data/mutate/production?visibility=async', {mutations: [{delete: {query: '*'}}]}],
  [
    '/v2025-02-19/data/actions/production',
    {
      actions: [
        {
          actionType: 'sanity.action.document.edit',
          draftId: 'drafts.a',
          publishedId: 'a',
          patch: {set: {title: 'changed'}},
        },
      ],
    },
  ],
  [
    '/v2025-02-19/data/actions/production',
    {actions: [{actionType: 'sanity.action.document.delete', publishedId: 'a'}]},
  ],
]

async function lakeWithEditors(
  t: TestContext,
  settings?: Partial<LakeSettings>,
): Promise<{lake: RunningLake; accounts: Accounts}> {
  const lake = await runLake(t, {'post/a.json': post}, settings)
  const accounts = accountsIn(lake.stateFolder)
  await accounts.addEditor({name: 'Ada', email: 'ada@example.com', rights: everywhere('publisher')}, password)
  return {lake, accounts}
}

/** Signs in and returns the cookie. */
async function signIn(lake: RunningLake): Promise<string> {
  const response = await fetch(`${host(lake)}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: {origin: host(lake), 'content-type': 'application/x-www-form-urlencoded'},
    body: new URLSearchParams({email: 'ada@example.com', password, to: '/structure'}),
  })
  assert.equal(response.status, 303)
  assert.equal(response.headers.get('location'), '/structure')
  const cookie = response.headers.get('set-cookie') ?? ''
  for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/'])
    assert.ok(cookie.includes(attribute), cookie)
  return cookie.split(';')[0] ?? ''
}

async function send(
  lake: RunningLake,
  path: string,
  body: object,
  headers: Record<string, string>,
): Promise<number> {
  const init = {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {'content-type': 'application/json', ...headers},
  }
  return (await fetch(host(lake) + path, init)).status
}

async function nothingChanged(lake: RunningLake): Promise<void> {
  const found = await lake.client.fetch<unknown[]>('*', {}, {perspective: 'raw'})
  assert.deepEqual(
    found.map((document) => JSON.stringify(document).includes('"title":"A"')),
    [true],
  )
  assert.equal((await lake.repository.git('rev-list', '--count', 'HEAD')).trim(), '1')
}

test('a page on another origin cannot change anything with an editor’s cookie', async (t) => {
  const {lake} = await lakeWithEditors(t)
  const cookie = await signIn(lake)
  const elsewhere: Record<string, string>[] = [
    {origin: 'https://evil.example'},
    {origin: 'null'},
    {origin: `${host(lake)}.evil.example`},
    {},
    {origin: host(lake), 'sec-fetch-site': 'cross-site'},
  ]
  for (const headers of elsewhere) {
    for (const [path, body] of writes)
      assert.equal(
        await send(lake, path, body, {cookie, ...headers}),
        403,
        `${path} ${JSON.stringify(headers)}`,
      )
  }
  const read = await fetch(`${host(lake)}/v2025-02-19/users/me`, {
    headers: {cookie, origin: 'https://evil.example'},
  })
  assert.equal(read.status, 403)
  assert.equal(read.headers.get('access-control-allow-origin'), null)
  await nothingChanged(lake)
})

test('a webhook accepts only its secret, not a session or a token', async (t) => {
  const {lake, accounts} = await lakeWithEditors(t, {
    gitRemote: '/nowhere',
    gitWebhookSecrets: ['known to the host'],
  })
  const token = await accounts.tokens.add('importer', everywhere('publisher'))
  const rows: [secret: string, headers: Record<string, string>, number][] = [
    ['x', {cookie: await signIn(lake), origin: host(lake)}, 401],
    ['x', {authorization: `Bearer ${token}`}, 401],
    [token, {}, 401],
    ['known%20to%20the%20host', {origin: 'https://gitlab.example'}, 202],
  ]
  for (const [secret, headers, status] of rows)
    assert.equal(await send(lake, `/webhooks/git/${secret}`, {}, headers), status, secret)
  await nothingChanged(lake)
})

test('the sign-in page redirects to this server only', async (t) => {
  const {lake, accounts} = await lakeWithEditors(t, {trustedProxies: ['loopback']})
  let attempts = 1
  const [ada] = await accounts.editors()
  assert.ok(ada)
  for (const [to, location] of [
    ['/structure/a?b=c', '/structure/a?b=c'],
    ['/日本', '/%E6%97%A5%E6%9C%AC'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/%2e//evil.example', '/'],
    ['/a/..//evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/\r\nlocation: https://evil.example', '/'],
    ['https://evil.example', '/'],
    ['/\0', '/'],
    ['/\x7f', '/'],
  ] as const) {
    const response = await pressLink({address: host(lake)}, await accounts.makeLink(ada.id), {
      to,
      // Each from its own client address: a client has ten attempts a minute.
      headers: {'x-forwarded-for': `192.0.2.${attempts++}`},
    })
    assert.deepEqual([response.status, response.headers.get('location')], [303, location], JSON.stringify(to))
  }
  const used = await fetch(`${host(lake)}/login?code=used`, {redirect: 'manual'})
  assert.equal(used.status, 403)
  assert.match(used.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.match(await used.text(), /This sign-in link does not work/)
})
