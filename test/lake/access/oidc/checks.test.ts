import assert from 'node:assert/strict'
import {writeFile} from 'node:fs/promises'
import {type TestContext, test} from 'node:test'
import {Sessions} from '../../../../lake/access/signIn/sessions.ts'
import {eventually} from '../../../support/eventually.ts'
import {runLakeOver} from '../../support/lake.ts'
import {accountsIn, auditTextIn, openStateIn, pressLink, signInByLink} from '../../support/signIn.ts'
import {type Lie, type LyingProvider, startLyingProvider} from './support/lyingProvider.ts'
import {anotherClient, begin, lakeWith, me, RULES, type SingleSignOnLake, signIn} from './support/signIn.ts'

const ada = {sub: 'a1', email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['editors']}

/** A lake that asks the provider before each request with a session. */
async function eagerLake(t: TestContext): Promise<{provider: LyingProvider; lake: SingleSignOnLake}> {
  const provider = await startLyingProvider(t)
  provider.person = ada
  return {provider, lake: await lakeWith(t, provider.issuer, {checkEvery: 0}, {passwords: false})}
}

async function sessionIn(lake: SingleSignOnLake): Promise<string> {
  const {session, html} = await signIn(lake)
  assert.ok(session, html)
  return session
}

async function auditLines(lake: SingleSignOnLake): Promise<string> {
  return auditTextIn(lake.stateFolder)
}

test('a session follows what the provider and the mapping file say', async (t) => {
  const {provider, lake} = await eagerLake(t)

  const refusals: readonly [string, () => void][] = [
    ['the account was switched off', () => (provider.lie = {tokenError: 'invalid_grant'})],
    ['the access token was revoked', () => (provider.lie = {userInfoStatus: 401})],
    ['the tokens belong to another account now', () => (provider.lie = {idToken: {sub: 'b2'}})],
    ['the person left all groups', () => (provider.person = {...ada, groups: []})],
  ]
  for (const [name, refuse] of refusals) {
    await t.test(`a session ends: ${name}`, async () => {
      const session = await sessionIn(lake)
      assert.equal((await me(lake, session)).status, 200)
      refuse()
      assert.equal((await me(lake, session)).status, 401)
      provider.lie = {}
      provider.person = ada
      assert.equal((await me(lake, session)).status, 401, 'it stays ended')
    })
  }

  const troubles: readonly [string, Lie][] = [
    ['is down', {isDown: true}],
    ['refuses the client', {tokenError: 'invalid_client'}],
    ['refuses the client with a challenge', {refusesClient: true}],
    ['is overloaded', {tokenError: 'temporarily_unavailable'}],
    ['has an error page', {token: [503, 'Come back later']}],
    ['cannot tell about users', {userInfoStatus: 500}],
  ]
  for (const [name, lie] of troubles) {
    await t.test(`a session goes on while the provider ${name}`, async () => {
      const session = await sessionIn(lake)
      provider.lie = lie
      assert.equal((await me(lake, session)).status, 200)
      provider.lie = {}
      assert.equal((await me(lake, session)).status, 200)
    })
  }

  await t.test('a session goes on while the provider signs with an unknown key', async () => {
    const session = await sessionIn(lake)
    provider.lie = {signature: 'another key'}
    assert.equal((await me(lake, session)).status, 200)
    provider.lie = {}
  })

  await t.test('another group, another name and another rule change open sessions', async () => {
    const session = await sessionIn(lake)
    assert.equal((await me(lake, session)).role, 'publisher')
    provider.person = {...ada, groups: ['admins'], email: 'ada.king@example.com'}
    const {role, email} = await me(lake, session)
    assert.deepEqual([role, email], ['administrator', 'ada.king@example.com'])
    provider.person = ada
    const viewers = [{claim: 'groups', value: 'editors', rights: [{role: 'viewer', sites: 'all'}]}]
    await writeFile(lake.rightsFile, JSON.stringify({rules: viewers}))
    assert.equal((await me(lake, session)).role, 'viewer')

    await writeFile(lake.rightsFile, '{"rules": [')
    assert.equal((await me(lake, session)).role, 'viewer', 'a damaged file changes no rights')
    const refused = await signIn(lake)
    assert.deepEqual([refused.status, refused.session], [503, undefined])
    await writeFile(lake.rightsFile, JSON.stringify({rules: RULES}))
    assert.equal((await me(lake, session)).role, 'publisher')
  })

  await t.test(
    'refresh tokens are used once, are not in the database, and end with the process',
    async (t) => {
      const session = await sessionIn(lake)
      for (let round = 0; round < 3; round++) assert.equal((await me(lake, session)).status, 200)
      const sessions = openStateIn(lake.stateFolder).all('SELECT * FROM session')
      assert.doesNotMatch(JSON.stringify(sessions), /refresh-|ada@|an-access-token/)
      // The name of the cookie has the port.
      const port = Number(new URL(lake.address).port)
      await lake.close()
      const again = await runLakeOver(t, lake.repository, {...lake.settings, port})
      assert.equal((await me(again, session)).status, 401)
      await again.close()
      assert.match(await auditLines(lake), /"signIn.succeeded".*"oidc"/)
      assert.match(await auditLines(lake), /"people.sessionsEnded".*127\.0\.0\.1 ended/)
      assert.match(await auditLines(lake), /"people.rightsChanged"/)
      assert.doesNotMatch(await auditLines(lake), /refresh-|code-\d/)
    },
  )
})

test('a provider is asked for offline access only once it gave no refresh token without', async (t) => {
  const {provider, lake} = await eagerLake(t)
  const scopeOf = async () => new URL((await begin(lake)).location).searchParams.get('scope')
  await sessionIn(lake)
  assert.equal(await scopeOf(), 'openid profile email')
  provider.givesRefreshTokens = false
  await sessionIn(lake)
  assert.equal(await scopeOf(), 'openid profile email offline_access')
})

test('a wrong client secret is an error of the lake: sessions go on', async (t) => {
  const {provider, lake} = await eagerLake(t)
  const session = await sessionIn(lake)
  provider.lie = {refusesClient: true}
  assert.equal((await me(lake, session)).status, 200)
  const refused = await signIn(lake)
  assert.deepEqual([refused.status, refused.session], [503, undefined], refused.html)
  const errors = lake.warnings.filter(({level}) => level === 50)
  assert.equal(errors.length, 1)
  assert.match(errors[0]?.msg ?? '', /invalid_client.*LAKE_OIDC_CLIENT_SECRET/)
  const readyz = async (address: string) => (await fetch(`${address}/readyz`)).text()
  await eventually(() => readyz(lake.address), /SIGN_IN_FAILING/)
  provider.lie = {}
  await sessionIn(lake)
  await eventually(() => readyz(lake.address), /"problems":\[\]/)
})

test('without refresh tokens, the access token is checked', async (t) => {
  const {provider, lake} = await eagerLake(t)
  provider.givesRefreshTokens = false
  const session = await sessionIn(lake)
  assert.equal((await me(lake, session)).status, 200)
  provider.lie = {userInfoStatus: 401}
  assert.equal((await me(lake, session)).status, 401)
})

test('an address without a word about its verification is used if the setting says so', async (t) => {
  const provider = await startLyingProvider(t)
  const {email_verified: _, ...unsaid} = ada
  provider.person = unsaid
  for (const [trustEmail, email] of [
    [false, 'a1@127.0.0.1'],
    [true, 'ada@example.com'],
  ] as const) {
    const lake = await lakeWith(t, provider.issuer, {trustEmail})
    assert.equal((await me(lake, await sessionIn(lake))).email, email)
  }
})

test('with passwords switched off, a link from the command line is the way back in', async (t) => {
  const {provider, lake} = await eagerLake(t)
  const accounts = accountsIn(lake.stateFolder)
  const password = 'correct horse battery'
  const grace = {name: 'Grace', email: 'grace@example.com', rights: []}
  const {id} = await accounts.addEditor({...grace, rights: [{role: 'publisher', sites: 'all'}]}, password)
  const page = await (await fetch(`${lake.address}/login?to=/a`, {headers: anotherClient()})).text()
  assert.match(page, /href="\/login\/oidc\?to=%2Fa">Sign in with 127\.0\.0\.1</)
  assert.doesNotMatch(page, /type="password"/)
  const refused = await fetch(`${lake.address}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: {origin: lake.address, ...anotherClient()},
    body: new URLSearchParams({email: grace.email, password}),
  })
  assert.deepEqual([refused.status, refused.headers.get('set-cookie')], [403, null])
  assert.match(await refused.text(), /switched off/)

  // Also while the provider is down, and for its own editors.
  const session = await sessionIn(lake)
  const ofAda = (await me(lake, session)).id
  assert.ok(ofAda)
  provider.lie = {isDown: true}
  assert.equal((await me(lake, await signInByLink(lake, id))).status, 200)
  await pressLink(lake, await accounts.makeLink(ofAda))
  const latest = new Sessions(openStateIn(lake.stateFolder))
    .ofEditor(ofAda)
    .find(({method}) => method === 'link')
  assert.ok(latest)
  assert.equal(latest.expiresAt - latest.since, 12 * 3_600_000)
})
