import assert from 'node:assert/strict'
import {test} from 'node:test'
import {NO_LOGGER} from '../../../../lake/access/oidc/mapping.ts'
import {Provider, ProviderRefusal} from '../../../../lake/access/oidc/provider.ts'
import {CLIENT, type Lie, startLyingProvider} from './support/lyingProvider.ts'
import {anotherClient, begin, finish, lakeWith, me, passProvider, signIn} from './support/signIn.ts'

const ada = {sub: 'a1', email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['editors']}
const now = () => Math.floor(Date.now() / 1000)

const unavailable = /not available at the moment/
const refused = /did not sign you in/
const noRights = /has no rights here/

const lies: readonly [name: string, lie: () => Lie, status: number, text: RegExp][] = [
  ['another issuer', () => ({idToken: {iss: 'https://evil.example'}}), 503, unavailable],
  ['another audience', () => ({idToken: {aud: 'another-client'}}), 503, unavailable],
  ['several audiences without azp', () => ({idToken: {aud: ['lake', 'b']}}), 503, unavailable],
  ['another nonce', () => ({idToken: {nonce: 'guessed'}}), 503, unavailable],
  ['no nonce', () => ({idToken: {nonce: undefined}}), 503, unavailable],
  ['another key', () => ({signature: 'another key'}), 503, unavailable],
  ['no signature', () => ({signature: 'none'}), 503, unavailable],
  ['a signature with the client secret', () => ({signature: 'client secret'}), 503, unavailable],
  ['an expired token', () => ({idToken: {exp: now() - 90}}), 503, unavailable],
  ['a token of the future', () => ({idToken: {nbf: now() + 600}}), 503, unavailable],
  ['no subject', () => ({idToken: {sub: undefined}}), 503, unavailable],
  ['no ID token', () => ({withoutIdToken: true}), 503, unavailable],
  ['user info of another account', () => ({userInfo: {sub: 'b2'}}), 503, unavailable],
  ['another issuer in the callback', () => ({callback: {iss: 'https://evil.example'}}), 403, refused],
  ['another state in the callback', () => ({callback: {state: 'guessed'}}), 403, /another browser/],
  ['an error in the callback', () => ({callback: {error: 'access_denied'}}), 403, refused],
  [
    'a text in the callback',
    () => ({callback: {error: 'x', error_description: '<b>Call 555</b>'}}),
    403,
    refused,
  ],
  ['a refused code', () => ({tokenError: 'invalid_grant'}), 403, refused],
  ['a refused client', () => ({tokenError: 'invalid_client'}), 503, unavailable],
  ['an error page', () => ({token: [502, '<h1>Bad gateway</h1>']}), 503, unavailable],
  ['a long response', () => ({token: [200, ' '.repeat(2 * 1024 * 1024)]}), 503, unavailable],
  ['no response', () => ({isDown: true}), 503, unavailable],
  ['no groups', () => ({userInfo: {groups: undefined}}), 403, noRights],
  ['groups of another kind', () => ({userInfo: {groups: {editors: true}}}), 403, noRights],
  ['a group with a longer name', () => ({userInfo: {groups: ['editors2', 'x editors']}}), 403, noRights],
]

test('a provider that lies signs no one in', async (t) => {
  const provider = await startLyingProvider(t)
  provider.person = ada
  const lake = await lakeWith(t, provider.issuer)

  await t.test('without a lie, the same sign-in succeeds', async () => {
    const {status, session} = await signIn(lake)
    const {role, email} = await me(lake, session)
    assert.deepEqual([status, role, email], [200, 'publisher', 'ada@example.com'])
  })

  for (const [name, lie, status, text] of lies) {
    await t.test(name, async () => {
      const {cookie, location} = await begin(lake)
      provider.lie = lie()
      const state = new URL(location).searchParams.get('state') ?? ''
      const whileDown = `${lake.address}/login/oidc/callback?${new URLSearchParams({code: 'a', state})}`
      const callback = provider.lie.isDown ? whileDown : await passProvider(location)
      const done = await finish(callback, cookie)
      provider.lie = {}
      assert.deepEqual([done.status, done.session], [status, undefined], done.html)
      assert.match(done.html, text)
      assert.doesNotMatch(done.html, /555|evil|<b>/)
    })
  }

  await t.test('clocks may differ by a minute', async () => {
    provider.lie = {idToken: {exp: now() - 30, iat: now() + 30}}
    const {status} = await signIn(lake)
    provider.lie = {}
    assert.equal(status, 200)
  })

  await t.test('a code is used once, by the browser that began', async () => {
    const {cookie, location} = await begin(lake)
    const callback = await passProvider(location)
    const other = await begin(lake)
    for (const wrong of ['', other.cookie, `${cookie}A`]) {
      const stolen = await finish(callback, wrong)
      assert.deepEqual([stolen.status, stolen.session], [403, undefined], wrong)
    }
    assert.equal((await finish(callback, cookie)).status, 200)
    const requests = provider.requests.length
    const replayed = await finish(callback, cookie)
    assert.deepEqual([replayed.status, replayed.session], [403, undefined])
    assert.equal(provider.requests.length, requests, 'the provider is not asked again')
  })

  await t.test('a callback of another sign-in leaves the one of another tab as it is', async () => {
    const first = await begin(lake)
    const second = await begin(lake)
    const stale = await fetch(await passProvider(first.location), {
      headers: {cookie: second.cookie, ...anotherClient()},
    })
    assert.equal(stale.status, 403)
    assert.deepEqual(stale.headers.getSetCookie(), [], 'the browser keeps the cookie')
    assert.equal((await finish(await passProvider(second.location), second.cookie)).status, 200)
  })

  await t.test(
    'a bad address of a callback is refused, and does not count as a problem of the provider',
    async () => {
      const warnings = lake.warnings.length
      const asked = provider.requests.filter((url) => url.includes('token')).length
      const direct = new Provider({issuer: provider.issuer, ...CLIENT}, NO_LOGGER)
      for (const [query, reason] of [
        ['code=x&code=y', /"code" more than once/],
        ['code=x&iss=https://evil.example', /does not name this provider/],
        ['error=server_error', /the error "server_error"/],
        ['code=x&error=a&error=b', /"error" more than once/],
        ['token=x', /no valid code/],
        ['', /no valid code/],
        ['code=%00', /no valid code/],
      ] as const) {
        const {cookie, location} = await begin(lake)
        const state = new URL(location).searchParams.get('state')
        const address = new URL(`${lake.address}/login/oidc/callback?state=${state}&${query}`)
        const done = await finish(address.href, cookie)
        assert.deepEqual([done.status, done.session], [403, undefined], query)
        assert.match(done.html, refused)
        const pending = {state: String(state), nonce: 'n', verifier: 'v', to: '/'}
        await assert.rejects(direct.finish(address, pending), (error) => {
          assert.ok(error instanceof ProviderRefusal)
          assert.match(error.message, reason)
          return true
        })
      }
      assert.equal(lake.warnings.length, warnings, 'no line of level warn or error')
      const tokenRequests = provider.requests.filter((url) => url.includes('token'))
      assert.equal(tokenRequests.length, asked, 'the provider is not asked')
    },
  )

  await t.test('the provider may change its key', async (t) => {
    provider.rotateKey()
    const later = Date.now() + 61_000
    t.mock.method(Date, 'now', () => later)
    assert.equal((await signIn(lake)).status, 200)
  })

  await t.test('after signing in, the browser stays on the lake', async () => {
    for (const [to, target] of [
      ['/structure/a?b=c', '/structure/a?b=c'],
      ['//evil.example', '/'],
    ] as const) {
      const {html} = await signIn(lake, to)
      assert.ok(html.includes(`content="0;url=${target}"`), html)
    }
  })

  await t.test('a provider that names another issuer is not used', async () => {
    const {issuer} = provider
    const other = new Provider({issuer: issuer.replace('127.0.0.1', 'localhost'), ...CLIENT}, NO_LOGGER)
    await assert.rejects(other.begin('http://localhost/callback'), /issuer/)
  })
})
