import assert from 'node:assert/strict'
import {connect} from 'node:net'
import {test} from 'node:test'
import {listeningLog} from '../../support/log.ts'
import {lakeWith} from '../access/oidc/support/signIn.ts'
import {token} from '../support/app.ts'
import {runLake} from '../support/lake.ts'

test('each error response has the name of its request, and the log names each', async (t) => {
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

test('the log names requests that a client has to correct, also those that are not HTTP', async (t) => {
  const {log, lines} = listeningLog()
  const {address} = await runLake(t, {}, {logger: log})
  const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
  const mutations = [{patch: {id: 'missing', set: {a: 1}, ifRevisionID: 'x'}}]
  const requests = [
    {path: '/v1/data/mutate/production', body: {mutations}, code: 'documentNotFoundError'},
    {path: '/v1/data/mutate/production', body: {mutations: 1}, code: 'validationError'},
    {path: '/v1/data/mutate/other', body: {mutations}, code: 'Not Found'},
    {path: '/v1/data/query/production?query=*[', body: undefined, code: 'queryParseError'},
    {path: '/%zz', body: undefined, code: 'FST_ERR_BAD_URL'},
  ]
  for (const {path, body, code} of requests) {
    const init = body === undefined ? {headers} : {method: 'POST', headers, body: JSON.stringify(body)}
    const response = await fetch(address + path, init)
    const reqId = response.headers.get('x-request-id')
    const told = lines
      .filter((line) => line.reqId === reqId)
      .map(({level, status, code}) => ({level, status, code}))
    assert.deepEqual(told, [{level: 30, status: response.status, code}])
  }
  // An event stream has sent its headers already.
  const listen = `${address}/v1/data/listen/production?query=*[`
  const stream = await fetch(listen, {headers: {...headers, 'x-request-id': 'listens'}})
  assert.match(await stream.text(), /event: channelError\ndata: .*"requestId":"listens"/)
  assert.equal(lines.find(({reqId}) => reqId === 'listens')?.code, 'queryParseError')
  const answer = await responseTo(address, `GET / HTTP/1.1\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`)
  assert.match(answer, /^HTTP\/1\.1 431 /)
  const [, reqId] = /x-request-id: (\S+)/.exec(answer) ?? []
  assert.equal(lines.find((line) => line.reqId === reqId)?.status, 431)
})

/** What a server sends for bytes, until it closes the connection. */
async function responseTo(address: string, bytes: string): Promise<string> {
  const {hostname, port} = new URL(address)
  const socket = connect({host: hostname, port: Number(port)})
  socket.write(bytes)
  return (await socket.toArray()).join('')
}
