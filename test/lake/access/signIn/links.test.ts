import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import {type RunningLake, runLake} from '../../support/lake.ts'
import {accountsIn, cookieOf, openStateIn, pressLink} from '../../support/signIn.ts'

const ada = {name: 'Ada <Lovelace>', email: 'ada@example.com', rights: everywhere('publisher')} as const

/** A lake behind a proxy, so that each request can come from its own client address. */
async function lakeWithAda(t: TestContext) {
  const lake = await runLake(t, {}, {trustedProxies: ['loopback']})
  const accounts = accountsIn(lake.stateFolder)
  const {id} = await accounts.addEditor(ada)
  let clients = 0
  const anotherClient = () => ({'x-forwarded-for': `192.0.${2 + (++clients >> 8)}.${clients & 255}`})
  return {lake, accounts, id, anotherClient}
}

const me = async (lake: RunningLake, cookie: string) =>
  (await fetch(`${lake.address}/v1/users/me`, {headers: {cookie}})).status

test('a link used by many clients at the same time signs in once', async (t) => {
  const {lake, accounts, id, anotherClient} = await lakeWithAda(t)
  for (let round = 0; round < 20; round++) {
    const code = await accounts.makeLink(id)
    const codes = [code, 'made-up-1', code, 'made-up-2', code, 'made-up-3', code, 'made-up-4']
    const responses = await Promise.all(codes.map((one) => pressLink(lake, one, {headers: anotherClient()})))
    const statuses = responses.map(({status}) => status).sort()
    assert.deepEqual(statuses, [303, 403, 403, 403, 403, 403, 403, 403])
    assert.equal((await accounts.peekLink(code))?.state, 'used')
  }
})

test('opening a link does not use it up; the button on its page does', async (t) => {
  const {lake, accounts, id} = await lakeWithAda(t)
  const code = await accounts.makeLink(id)
  const url = `${lake.address}/login?${new URLSearchParams({code, to: '/structure'})}`
  assert.equal((await fetch(url, {method: 'HEAD', redirect: 'manual'})).status, 200)
  for (let time = 0; time < 2; time++) {
    const response = await fetch(url, {redirect: 'manual'})
    assert.deepEqual([response.status, response.headers.get('set-cookie')], [200, null])
    const html = await response.text()
    assert.match(html, /Ada &lt;Lovelace&gt;/)
    assert.match(html, /ada@example\.com/)
    assert.match(
      html,
      new RegExp(`<form method="post" action="/login">[^]*value="/structure"[^]*value="${code}"`),
    )
    assert.doesNotMatch(html, /<script/)
  }
  const signedIn = await pressLink(lake, code, {to: '/structure'})
  assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, '/structure'])
  assert.equal(await me(lake, cookieOf(signedIn)), 200)
  assert.equal((await fetch(url)).status, 403)
  assert.equal((await pressLink(lake, code)).status, 403)
})

/** What the sign-in page says, without its markup. */
const textOf = async (response: Response) =>
  (await response.text()).replace(/<style>[\s\S]*<\/style>|<[^>]+>/g, ' ').replace(/\s+/g, ' ')

test('the page of a link that does not work any more says why, and whom to ask', async (t) => {
  const {lake, accounts, anotherClient} = await lakeWithAda(t)
  await accounts.addEditor({name: 'Charles', email: 'c@example.com', rights: everywhere('administrator')})
  const {editor, code} = await accounts.invite({name: 'Grace', email: 'g@example.com', rights: ada.rights})
  const open = (one: string) => fetch(`${lake.address}/login?code=${one}`, {headers: anotherClient()})
  assert.match(
    await textOf(await open(code)),
    /This invitation signs you in once as Grace.*you can set a password/,
  )
  const now = Date.now()
  const late = t.mock.method(Date, 'now', () => now + 73 * 3_600_000)
  const expired = await textOf(await open(code))
  assert.match(expired, /This link is older than 3 days\. Ask Charles for a new link\./)
  assert.doesNotMatch(expired, /Password/, 'she has none')
  late.mock.restore()

  assert.equal((await pressLink(lake, code)).status, 303)
  assert.match(
    await textOf(await open(code)),
    /already used, or there is a newer one\. Ask Charles for a new link\./,
  )
  await accounts.setPassword(editor.email, 'nanoseconds of wire')
  assert.match(await textOf(await open(code)), /Sign in with your password, or ask Charles for a new link\./)
  const unknown = await textOf(await open('made-up'))
  assert.match(unknown, /This sign-in link does not work/)
  assert.doesNotMatch(unknown, /Charles/, 'strangers learn no names')
})

test('the sign-in page names administrators only in a browser in which somebody was signed in', async (t) => {
  const {lake, accounts, id, anotherClient} = await lakeWithAda(t)
  await accounts.addEditor({name: 'Charles', email: 'c@example.com', rights: everywhere('administrator')})
  const page = async (cookie: string) =>
    textOf(await fetch(`${lake.address}/login`, {headers: {cookie, ...anotherClient()}}))
  const cookie = cookieOf(await pressLink(lake, await accounts.makeLink(id)))
  for (const stranger of ['', cookie.replace(/=.*/, '=forged')])
    assert.match(await page(stranger), /forgotten\? Ask an administrator of this Studio/)
  const now = Date.now()
  t.mock.method(Date, 'now', () => now + 31 * 24 * 3_600_000)
  assert.equal(await me(lake, cookie), 401, 'the session has expired')
  assert.match(await page(cookie), /forgotten\? Ask Charles for a sign-in link/)
})

test('an unknown code changes no credentials and begins no session', async (t) => {
  const {lake} = await lakeWithAda(t)
  const state = openStateIn(lake.stateFolder)
  const stored = () => ['editor', 'token', 'session'].map((table) => state.all(`SELECT * FROM ${table}`))
  const before = stored()
  for (const code of ['', 'made-up', 'x'.repeat(5_000)]) {
    assert.equal((await fetch(`${lake.address}/login?code=${code}`)).status, 403)
    assert.equal((await pressLink(lake, code)).status, 403)
  }
  await fetch(`${lake.address}/v1/auth/logout`, {
    method: 'POST',
    headers: {origin: lake.address, cookie: `handrail_session_${new URL(lake.address).port}=made-up`},
  })
  assert.deepEqual(stored(), before)
})
