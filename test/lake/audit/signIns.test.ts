import assert from 'node:assert/strict'
import {test} from 'node:test'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {token} from '../support/app.ts'
import {runLake} from '../support/lake.ts'
import {accountsIn, auditTextIn, cookieOf, pressLink} from '../support/signIn.ts'

test('signing in and out, failed attempts and the use of tokens are recorded, without any secret', async (t) => {
  const lake = await runLake(t)
  const accounts = accountsIn(lake.stateFolder)
  const {id} = await accounts.addEditor(
    {name: 'Ada', email: 'ada@example.com', rights: everywhere('publisher')},
    'right password',
  )
  const {address} = lake
  const post = (path: string, headers: Record<string, string> = {}, body?: Record<string, string>) =>
    fetch(address + path, {
      method: 'POST',
      redirect: 'manual',
      headers: {origin: address, ...headers},
      body: body === undefined ? null : new URLSearchParams(body),
    })
  const signIn = (email: string, password: string) => post('/login', {}, {email, password})

  await lake.client.fetch('1')
  await lake.client.fetch('2')
  const me = `${address}/v1/users/me`
  assert.equal((await fetch(me, {headers: {authorization: 'Bearer made-up-token'}})).status, 401)
  assert.equal((await signIn('typed password', 'made-up')).status, 403)
  assert.equal((await signIn('ADA@example.com', 'wrong password')).status, 403)
  const code = await accounts.makeLink(id)
  const cookie = cookieOf(await pressLink(lake, code))
  assert.equal((await pressLink(lake, code)).status, 403)
  assert.equal((await signIn('ada@example.com', 'right password')).status, 303)
  assert.equal((await post('/v1/auth/logout', {cookie})).status, 204)
  assert.equal((await post('/v1/auth/logout', {cookie})).status, 204)

  await lake.close()
  const text = auditTextIn(lake.stateFolder)
  const events = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    events.map((event) => event.text),
    [
      'The token “API token” was used',
      'Failed sign-in with a token',
      'Failed sign-in with a password',
      'Failed sign-in as Ada (ada@example.com) with a password',
      'Ada signed in with a sign-in link',
      'Failed sign-in with a sign-in link',
      'Ada signed in with a password',
      'Ada signed out',
    ],
  )
  for (const event of events) assert.equal(event.client, '127.0.0.1')
  const [, secret = ''] = cookie.split('=')
  for (const hidden of [token, 'made-up', 'typed', 'wrong', 'right', code, secret]) {
    assert.ok(hidden !== '' && !text.includes(hidden))
  }
})
