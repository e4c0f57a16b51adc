import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import type {LakeSettings} from '../../../../lake/lakeSettings.ts'
import {runLake} from '../../support/lake.ts'
import {accountsIn, auditTextIn, cookieOf, pressLink, signInByLink} from '../../support/signIn.ts'

const ada = {name: 'Ada Lovelace', email: 'ada@example.com', rights: everywhere('author')} as const
const OLD = 'correct horse battery'
const NEW = 'another horse battery'

async function openLake(
  t: TestContext,
  {password, ...settings}: Partial<LakeSettings> & {password?: string} = {},
) {
  const lake = await runLake(t, {}, {trustedProxies: ['loopback'], ...settings})
  const accounts = accountsIn(lake.stateFolder)
  const {id} = await accounts.addEditor(ada, password)
  let clients = 0
  const send = (cookie: string, body: unknown, client = `192.0.2.${++clients}`) =>
    fetch(`${lake.address}/v1/access/me/password`, {
      method: 'PUT',
      headers: {cookie, origin: lake.address, 'content-type': 'application/json', 'x-forwarded-for': client},
      body: JSON.stringify(body),
    })
  const signIn = (typed: string) =>
    fetch(`${lake.address}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: {origin: lake.address, 'x-forwarded-for': `192.0.2.${++clients}`},
      body: new URLSearchParams({email: ada.email, password: typed}),
    })
  const me = async (cookie: string) => {
    const response = await fetch(`${lake.address}/v1/access/me`, {headers: {cookie}})
    return response.status === 200 ? JSON.parse(await response.text()).password : response.status
  }
  const audit = async () => {
    const lines = auditTextIn(lake.stateFolder).trim().split('\n')
    return lines.map((line): string => JSON.parse(line).text)
  }
  return {lake, accounts, id, send, signIn, me, audit}
}

const messageOf = async (response: Response): Promise<string> => JSON.parse(await response.text()).message

test('a person who came by a link sets a password, and only the session of this browser goes on', async (t) => {
  const {lake, accounts, id, send, signIn, me, audit} = await openLake(t)
  const elsewhere = await signInByLink(lake, id)
  const here = await signInByLink(lake, id)
  const unused = await accounts.makeLink(id)
  assert.deepEqual(await me(here), {isOffered: true, isSet: false, mayReset: true})
  const response = await send(here, {password: NEW})
  assert.equal(response.status, 204)
  const renewed = cookieOf(response)
  assert.deepEqual(await me(renewed), {isOffered: true, isSet: true, mayReset: false})
  assert.deepEqual([await me(here), await me(elsewhere)], [401, 401])
  assert.equal((await pressLink(lake, unused)).status, 403, 'links end too')
  assert.equal((await signIn(NEW)).status, 303)
  assert.ok((await audit()).includes('Ada Lovelace changed their password'))
  assert.ok(!auditTextIn(lake.stateFolder).includes(NEW))
})

test('a password is changed with the current one, and with no other', async (t) => {
  const {send, signIn, me, audit} = await openLake(t, {password: OLD})
  const cookie = cookieOf(await signIn(OLD))
  assert.deepEqual(await me(cookie), {isOffered: true, isSet: true, mayReset: false})
  const without = await send(cookie, {password: NEW})
  assert.deepEqual(
    [without.status, await messageOf(without)],
    [403, 'Type your current password, or sign in with a sign-in link first'],
  )
  const wrong = await send(cookie, {current: 'a wrong password', password: NEW})
  assert.deepEqual([wrong.status, await messageOf(wrong)], [403, 'The current password is not right'])
  assert.deepEqual(await me(cookie), {isOffered: true, isSet: true, mayReset: false})
  assert.equal((await send(cookie, {current: OLD, password: NEW})).status, 204)
  assert.deepEqual([(await signIn(OLD)).status, (await signIn(NEW)).status], [403, 303])
  assert.ok((await audit()).includes('Failed sign-in as Ada Lovelace (ada@example.com) with a password'))
})

test('a session that began with a link needs the current password after half an hour', async (t) => {
  const {lake, id, send, me} = await openLake(t, {password: OLD})
  const cookie = await signInByLink(lake, id)
  const now = Date.now()
  t.mock.method(Date, 'now', () => now + 31 * 60_000)
  assert.deepEqual(await me(cookie), {isOffered: true, isSet: true, mayReset: false})
  assert.equal((await send(cookie, {password: NEW})).status, 403)
  assert.equal((await send(cookie, {current: OLD, password: NEW})).status, 204)
})

test('guesses at the current password are limited like those on the sign-in page', async (t) => {
  const {lake, id, send} = await openLake(t, {password: OLD})
  const cookie = await signInByLink(lake, id)
  const guess = async (number: number) =>
    messageOf(await send(cookie, {current: `guess ${number}`, password: NEW}))
  for (let number = 0; number < 20; number++)
    assert.equal(await guess(number), 'The current password is not right')
  assert.match(await guess(20), /^Too many wrong passwords/)
  const statuses = await Promise.all(
    Array.from({length: 12}, async () => (await send(cookie, {password: 'short'}, '198.51.100.1')).status),
  )
  assert.ok(statuses.includes(429), 'and each client has ten attempts a minute')
})

test('a password that is too short or easy to guess is refused with a reason', async (t) => {
  const {lake, id, send} = await openLake(t)
  const cookie = await signInByLink(lake, id)
  for (const [password, message] of [
    ['short', /at least 10 characters/],
    ['x'.repeat(1_001), /at most 1000 characters/],
    ['aaaaaaaaaaaa', /easy to guess/],
    ['ADA@example.com', /easy to guess/],
    ['Ada Lovelace', /easy to guess/],
    [7, /must be a string/],
  ] as const) {
    const response = await send(cookie, {password})
    assert.equal(response.status, 400, String(password))
    assert.match(await messageOf(response), message)
  }
})

test('programs, people of an identity provider and lakes without passwords have none to set', async (t) => {
  const {lake, accounts, id, send, me} = await openLake(t, {passwords: false})
  const cookie = await signInByLink(lake, id)
  assert.deepEqual(await me(cookie), {isOffered: false})
  assert.match(await messageOf(await send(cookie, {password: NEW})), /switched off/)
  const token = await accounts.tokens.add('ci', everywhere('viewer'))
  const response = await fetch(`${lake.address}/v1/access/me/password`, {
    method: 'PUT',
    headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
    body: JSON.stringify({password: NEW}),
  })
  assert.match(await messageOf(response), /Only a person who is signed in/)
  const other = await openLake(t)
  const kim = await other.accounts.signInFrom(
    {
      issuer: 'https://id.example',
      subject: 'kim',
      isEmailVerified: true,
      name: 'Kim',
      email: 'kim@example.com',
    },
    everywhere('viewer'),
  )
  const ofKim = await signInByLink(other.lake, kim.editor.id)
  assert.deepEqual(await other.me(ofKim), {isOffered: false})
  assert.match(await messageOf(await other.send(ofKim, {password: NEW})), /single sign-on/)
})
