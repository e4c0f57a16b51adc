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
    assert.equal(accounts.peekLink(code), undefined)
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

test('the page of an invitation says what to do next, and that of a link that does not work any more how long links work', async (t) => {
  const {lake, accounts, anotherClient} = await lakeWithAda(t)
  const {code} = await accounts.invite({name: 'Grace', email: 'g@example.com', rights: ada.rights})
  const open = async (one: string) =>
    (await fetch(`${lake.address}/login?code=${one}`, {headers: anotherClient()})).text()
  assert.match(await open(code), /This invitation signs you in once as.*Grace.*you can set a password/s)
  assert.equal((await pressLink(lake, code)).status, 303)
  for (const one of [code, 'made-up'])
    assert.match(
      await open(one),
      /This sign-in link does not work\. A link works once, .*Ask an administrator/s,
    )
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
