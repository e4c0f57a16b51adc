import assert from 'node:assert/strict'
import {chmod, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {readServiceToken} from '../../../common/serviceToken.ts'
import {readLakeSettings} from '../../../lake/settings.ts'
import {temporaryFolder} from '../support/git.ts'
import {runLake} from '../support/lake.ts'

const query = '/v2025-02-19/data/query/production?query=1'

test('a lake creates a token for the service in a file only its owner can read, and reuses it', async (t) => {
  const serviceTokenFile = join(await temporaryFolder(t), 'service-token')
  const settings = {serviceTokenFile}
  const first = await runLake(t, {}, settings)
  assert.equal(await readServiceToken(serviceTokenFile), first.serviceToken)
  assert.equal((await stat(serviceTokenFile)).mode & 0o777, 0o600)
  const second = await runLake(t, {}, settings)
  assert.equal(second.serviceToken, first.serviceToken)

  await chmod(serviceTokenFile, 0o644)
  await assert.rejects(runLake(t, {}, settings), /The token of the service in .* other users can read it/)
})

test('the service’s token is a viewer’s; an unwritable token file does not stop the lake', async (t) => {
  const serviceTokenFile = '/proc/nowhere/service-token'
  const {address, serviceToken, warnings} = await runLake(t, {}, {serviceTokenFile})
  assert.deepEqual(
    warnings.map(({msg}) => msg),
    [
      'the token of the service cannot be written: set SANITY_API_TOKEN to the same token for the lake and the service',
    ],
  )
  const headers = {authorization: `Bearer ${serviceToken}`}
  assert.equal((await fetch(address + query, {headers})).status, 200)
  const me: unknown = await (await fetch(`${address}/v1/users/me`, {headers})).json()
  assert.match(JSON.stringify(me), /"name":"Service".*"role":"viewer"/)
})

test('SANITY_API_TOKEN is the service’s, LAKE_API_TOKEN is for writing, and they must differ', () => {
  const settings = readLakeSettings({SANITY_API_TOKEN: 'reads', LAKE_API_TOKEN: 'writes'})
  assert.equal(settings.serviceTokenFile, undefined, 'no token file is needed')
  assert.deepEqual([settings.serviceTokens, settings.apiTokens], [['reads'], ['writes']])
  assert.throws(
    () => readLakeSettings({SANITY_API_TOKEN: 'one', LAKE_API_TOKEN: 'one'}),
    /^Error: LAKE_API_TOKEN: must differ from SANITY_API_TOKEN/,
  )
})
