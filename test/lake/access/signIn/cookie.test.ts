import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import type {LakeSettings} from '../../../../lake/lakeSettings.ts'
import {askFrom} from '../../../support/client.ts'
import {runLake} from '../../support/lake.ts'
import {accountsIn, cookieOf, pressLink} from '../../support/signIn.ts'

const HTTPS = 'https://lake.example'
const FORGED = {'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example'}

async function lakeWithAda(t: TestContext, settings: Partial<LakeSettings> = {}) {
  const lake = await runLake(t, {}, settings)
  const accounts = accountsIn(lake.stateFolder)
  const {id} = await accounts.addEditor({
    name: 'Ada',
    email: 'ada@example.com',
    rights: everywhere('publisher'),
  })
  const {port} = new URL(lake.address)
  /** Signs in like a browser at `origin` and returns the `Set-Cookie` header. */
  const signIn = async (origin: string, headers: Record<string, string> = {}) => {
    const response = await askFrom('127.0.0.1', `${lake.address}/login`, {
      method: 'POST',
      headers: {
        host: new URL(origin).host,
        origin,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: String(new URLSearchParams({code: await accounts.makeLink(id), to: '/'})),
    })
    return {status: response.status, cookie: response.headers['set-cookie']?.[0] ?? ''}
  }
  const providerUrl = async (headers: Record<string, string>) => {
    const {body} = await askFrom('127.0.0.1', `${lake.address}/v1/auth/providers`, {headers})
    return JSON.parse(body).providers[0].url
  }
  const me = async (headers: Record<string, string>) =>
    (await askFrom('127.0.0.1', `${lake.address}/v1/users/me`, {headers})).status
  return {lake, port, signIn, providerUrl, me}
}

test('with an https LAKE_ORIGIN, sign-in requires TLS and the cookie is Secure', async (t) => {
  const {signIn, providerUrl, me} = await lakeWithAda(t, {origin: HTTPS})
  for (const headers of [{host: 'lake.example'}, {host: 'evil.example'}, {'x-forwarded-proto': 'http'}])
    assert.equal(await providerUrl(headers), `${HTTPS}/login`)
  const {cookie} = await signIn(HTTPS)
  assert.match(
    cookie,
    /^__Host-handrail_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  )
  const [pair = ''] = cookie.split(';')
  assert.equal(await me({host: 'lake.example', cookie: pair}), 200)
  assert.equal(
    await me({host: 'lake.example', cookie: pair.replace('__Host-', '')}),
    401,
    'without the prefix',
  )
  const planted = `handrail_session=planted; ${pair}`
  assert.equal(await me({host: 'lake.example', cookie: planted}), 200, 'with a cookie of a subdomain')
})

test('a lake behind TLS rejects requests from a plain-text page with the same host name', async (t) => {
  const {signIn, me} = await lakeWithAda(t, {origin: HTTPS})
  assert.deepEqual(await signIn('http://lake.example'), {status: 403, cookie: ''})
  const {cookie} = await signIn(HTTPS)
  const headers = {host: 'lake.example', cookie: cookie.split(';')[0] ?? ''}
  assert.equal(await me({...headers, origin: 'http://lake.example'}), 403)
  assert.equal(await me({...headers, origin: HTTPS}), 200)
})

test('without LAKE_ORIGIN, a forged header changes neither the address nor the cookie', async (t) => {
  const {port, signIn, providerUrl} = await lakeWithAda(t)
  const origin = `http://localhost:${port}`
  assert.equal(await providerUrl({host: `localhost:${port}`, ...FORGED}), `${origin}/login`)
  const {cookie} = await signIn(origin, FORGED)
  assert.match(cookie, new RegExp(`^handrail_session_${port}=`))
  assert.doesNotMatch(cookie, /Secure/)
})

test('without LAKE_ORIGIN, a trusted proxy can say that browsers use TLS', async (t) => {
  const {lake, port, signIn, providerUrl, me} = await lakeWithAda(t, {trustedProxies: ['loopback']})
  const forwarded = {'x-forwarded-proto': 'https'}
  const host = `localhost:${port}`
  assert.equal(await providerUrl({host, ...forwarded}), `https://${host}/login`)
  const {cookie} = await signIn(`https://${host}`, forwarded)
  assert.match(cookie, new RegExp(`^__Host-handrail_session_${port}=.*; Secure`))
  const [pair = ''] = cookie.split(';')
  assert.equal(await me({host, cookie: pair, ...forwarded}), 200)
  assert.equal(await me({host, cookie: pair}), 200, 'as the lake itself does')
  assert.equal(await me({host: new URL(lake.address).host, cookie: 'a=b; =; ;;'}), 401)
})

test('two lakes on one host have separate sessions', async (t) => {
  const lakes = [await lakeWithAda(t), await lakeWithAda(t)]
  const origin = (port: string) => `http://localhost:${port}`
  const pairs = await Promise.all(
    lakes.map(async ({port, signIn}) => (await signIn(origin(port))).cookie.split(';')[0] ?? ''),
  )
  // Cookies ignore ports: a browser shares them among all ports of a host.
  const names = new Set(pairs.map((pair) => pair.split('=')[0]))
  assert.equal(names.size, 2)
  for (const {port, me} of lakes)
    assert.equal(await me({host: `localhost:${port}`, cookie: pairs.join('; ')}), 200)
})

test('signing out removes the cookie with the attributes it was set with', async (t) => {
  const {lake, signIn, me} = await lakeWithAda(t, {origin: HTTPS})
  const {cookie} = await signIn(HTTPS)
  const headers = {host: 'lake.example', origin: HTTPS, cookie: cookie.split(';')[0] ?? ''}
  const out = await askFrom('127.0.0.1', `${lake.address}/v1/auth/logout`, {method: 'POST', headers})
  assert.equal(out.status, 204)
  assert.match(
    out.headers['set-cookie']?.[0] ?? '',
    /^__Host-handrail_session=; Max-Age=0; Path=\/; .*Secure/,
  )
  assert.equal(await me(headers), 401)
  assert.equal(cookieOf(await pressLink(lake, 'made-up')), '')
})
