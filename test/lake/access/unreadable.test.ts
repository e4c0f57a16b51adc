import assert from 'node:assert/strict'
import {test} from 'node:test'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {manageAccounts} from '../../../lake/commands/accounts.ts'
import {changeState} from '../../content/state/changeState.ts'
import {token} from '../support/app.ts'
import {runLake} from '../support/lake.ts'
import {accountsIn, openStateIn, pressLink, signInByLink} from '../support/signIn.ts'

const ada = {name: 'Ada', email: 'ada@example.com', rights: everywhere('publisher')} as const

test('accounts that cannot be read are logged, and their credentials get 503', async (t) => {
  const lake = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}})
  const accounts = accountsIn(lake.stateFolder)
  const {id} = await accounts.addEditor(ada, 'correct horse battery')
  const code = await accounts.makeLink(id)
  const cookie = await signInByLink(lake, id)
  changeState(lake.repository, (state) => state.run('ALTER TABLE editor RENAME TO hidden'))

  const path = '/v2025-02-19/users/me'
  const get = (headers: Record<string, string>) => fetch(lake.address + path, {headers})
  const response = await get({cookie})
  const body = await response.text()
  assert.deepEqual([response.status, JSON.parse(body).errorCode], [503, 'DATABASE_UNAVAILABLE'])
  assert.ok(!body.includes(lake.stateFolder), 'strangers do not see paths')
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

  await assert.rejects(
    manageAccounts(['editor', 'list'], openStateIn(lake.stateFolder), ''),
    /no such table: editor/,
  )

  changeState(lake.repository, (state) => state.run('ALTER TABLE hidden RENAME TO editor'))
  assert.equal((await get({cookie})).status, 200)
})
