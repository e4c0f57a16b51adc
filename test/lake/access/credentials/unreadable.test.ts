import assert from 'node:assert/strict'
import {test} from 'node:test'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import {manageAccounts} from '../../../../lake/commands/accounts.ts'
import {changeState} from '../../../content/state/changeState.ts'
import {token} from '../../support/app.ts'
import {runLake} from '../../support/lake.ts'
import {accountsIn, openStateIn, pressLink, signInByLink} from '../../support/signIn.ts'

const ada = {name: 'Ada', email: 'ada@example.com', rights: everywhere('publisher')} as const

test('unreadable credentials are logged and reject credentials with 503', async (t) => {
  const lake = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}})
  const accounts = accountsIn(lake.stateFolder)
  const {id} = await accounts.addEditor(ada, 'correct horse battery')
  const viewer = await accounts.addToken('reader', everywhere('viewer'))
  const code = await accounts.makeLink(id)
  const cookie = await signInByLink(lake, id)
  changeState(lake.repository, (state) => state.run('ALTER TABLE editor RENAME TO hidden'))

  const path = '/v2025-02-19/users/me'
  const get = (headers: Record<string, string>) => fetch(lake.address + path, {headers})
  for (const headers of [{cookie}, {authorization: `Bearer ${viewer}`}, {authorization: 'Bearer made-up'}]) {
    const response = await get(headers)
    const body = await response.text()
    assert.equal(response.status, 503, body)
    assert.equal(JSON.parse(body).errorCode, 'CREDENTIALS_UNAVAILABLE')
    assert.ok(!body.includes(lake.stateFolder), 'strangers do not see paths')
  }
  for (const response of [
    await fetch(`${lake.address}/login?code=${code}`),
    await pressLink(lake, code),
    await fetch(`${lake.address}/login`, {
      method: 'POST',
      headers: {origin: lake.address},
      body: new URLSearchParams({email: ada.email, password: 'correct horse battery'}),
    }),
  ]) {
    assert.equal(response.status, 503)
    assert.match(await response.text(), /<div role="alert">Sign-in is unavailable/)
  }
  assert.equal((await get({})).status, 401, 'a request without credentials')
  assert.equal((await get({authorization: `Bearer ${token}`})).status, 200, 'the token from the environment')
  assert.equal((await fetch(`${lake.address}/login`)).status, 200)

  const [problem, ...more] = lake.warnings.filter(({reqId}) => reqId === undefined).map(({msg}) => msg)
  assert.deepEqual(more, [], 'one line, however many requests fail')
  assert.equal(problem, 'The credentials cannot be read: no such table: editor')
  assert.equal(await accounts.problem(), problem)
  const listed = manageAccounts(['token', 'list'], openStateIn(lake.stateFolder), '')
  await assert.rejects(listed, {message: problem})

  changeState(lake.repository, (state) => state.run('ALTER TABLE hidden RENAME TO editor'))
  assert.equal((await get({cookie})).status, 200)
  assert.equal((await get({authorization: `Bearer ${viewer}`})).status, 200)
  assert.equal(await accounts.problem(), undefined)
})
