import assert from 'node:assert/strict'
import {test} from 'node:test'
import {runHouse} from '../../support/house.ts'

test('each error response has the name of its request, and the log names each', async (t) => {
  const house = await runHouse(t, [])
  house.network.fault = () => ({kind: 'refuse'})
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = [{'x-request-id': 'of-the-proxy'}, {traceparent: `00-${trace}-00f067aa0ba902b7-01`}]
  for (const [index, name] of ['of-the-proxy', trace].entries()) {
    const url = `${house.serviceAddress}/api/sites/site-${index}/config`
    const response = await fetch(url, {headers: headers[index] ?? {}})
    assert.deepEqual([response.status, response.headers.get('x-request-id')], [500, name])
    const told = house.lines.filter(({reqId}) => reqId === name)
    assert.deepEqual(
      told.map(({msg, route}) => [msg, route]),
      [['request failed', '/api/sites/:publicId/config']],
    )
  }
  const init = {method: 'DELETE', headers: {'x-request-id': 'refused'}}
  const refused = await fetch(`${house.serviceAddress}/api/sites/site-0/config`, init)
  assert.deepEqual([refused.status, refused.headers.get('x-request-id')], [405, 'refused'])
  const told = house.lines.filter(({reqId}) => reqId === 'refused')
  assert.deepEqual(
    told.map(({level, msg, status, code}) => ({level, msg, status, code})),
    [{level: 30, msg: 'request refused', status: 405, code: 'METHOD_NOT_ALLOWED'}],
  )
})
