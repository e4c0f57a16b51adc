import assert from 'node:assert/strict'
import {test} from 'node:test'
import {lakeWith} from '../access/oidc/support/signIn.ts'

test('each error response has the name of its request, and the log names each request that failed', async (t) => {
  const lake = await lakeWith(t, 'http://127.0.0.1:1')
  for (const [path, status, lines] of [
    ['/login/oidc', 503, ['request failed']],
    ['/nothing', 404, []],
  ] as const) {
    const name = `asks-for${path.replaceAll('/', '-')}`
    const response = await fetch(lake.address + path, {headers: {'x-request-id': name}})
    assert.deepEqual([response.status, response.headers.get('x-request-id')], [status, name])
    const told = lake.warnings.filter(({reqId}) => reqId === name)
    assert.deepEqual(
      told.map(({msg}) => msg),
      lines,
    )
  }
})
