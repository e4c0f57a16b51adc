import assert from 'node:assert/strict'
import {readFile, writeFile} from 'node:fs/promises'
import {test} from 'node:test'
import {Access} from '../../../../lake/access/access.ts'
import {manageAccounts} from '../../../../lake/access/command.ts'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import {token} from '../../support/app.ts'
import {runLake} from '../../support/lake.ts'
import {accountsIn, pressLink, signInByLink} from '../../support/signIn.ts'

const ada = {name: 'Ada', email: 'ada@example.com', rights: everywhere('publisher')} as const

test('a damaged credentials file is logged and rejects credentials with 503', async (t) => {
  const lake = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}})
  const accounts = accountsIn(lake.editorsFile)
  const {id} = await accounts.addEditor(ada, 'correct horse battery')
  const viewer = await accounts.addToken('reader', everywhere('viewer'))
  const code = await accounts.makeLink(id)
  const cookie = await signInByLink(lake, id)
  const good = await readFile(lake.editorsFile, 'utf8')
  await writeFile(lake.editorsFile, good.replace('"editors"', '"editors'))
  let clock = performance.now()
  t.mock.method(performance, 'now', () => clock)
  clock += 1_100

  const path = '/v2025-02-19/users/me'
  const get = (headers: Record<string, string>) => fetch(lake.address + path, {headers})
  for (const headers of [{cookie}, {authorization: `Bearer ${viewer}`}, {authorization: 'Bearer made-up'}]) {
    const response = await get(headers)
    const body = await response.text()
    assert.equal(response.status, 503, body)
    assert.equal(JSON.parse(body).errorCode, 'CREDENTIALS_UNAVAILABLE')
    assert.ok(!body.includes(lake.editorsFile), 'strangers do not see paths')
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

  const [problem, ...more] = lake.warnings.map(({msg}) => msg)
  assert.deepEqual(more, [], 'one line, however many requests fail')
  assert.ok(problem?.includes(lake.editorsFile), problem)
  assert.match(problem ?? '', /is not valid JSON at position.*Repair the file, or restore it from a backup/)
  const access = new Access({editorsFile: lake.editorsFile})
  assert.equal(await access.accounts.problem(), problem)
  await assert.rejects(manageAccounts(['token', 'remove', '--name', 'reader'], lake.editorsFile, ''), {
    message: problem,
  })

  await writeFile(lake.editorsFile, good)
  clock += 1_100
  assert.equal((await get({cookie})).status, 200)
  assert.equal((await get({authorization: `Bearer ${viewer}`})).status, 200)
  assert.equal(await accountsIn(lake.editorsFile).problem(), undefined)
})

test('a lake starts with an unusable credentials file and reports it', async (t) => {
  const lake = await runLake(t)
  await writeFile(lake.editorsFile, '{"editors": [{"id": 1}]}')
  const other = await runLake(t, {}, {editorsFile: lake.editorsFile})
  assert.match(other.warnings[0]?.msg ?? '', /cannot be used: "editors"\[0\]: "id" must be a string\./)
  assert.equal((await fetch(`${other.address}/healthz`)).status, 200)
})
