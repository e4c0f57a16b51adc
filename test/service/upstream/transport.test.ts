import assert from 'node:assert/strict'
import {createServer, type RequestListener} from 'node:http'
import {type TestContext, test} from 'node:test'
import {gzipSync} from 'node:zlib'
import {createUpstreamClient} from '../../../service/upstream/client.ts'
import {createTransport} from '../../../service/upstream/transport.ts'
import {messagesIn} from '../../../service/upstream/upstreamFailure.ts'
import {listen} from '../../support/network/ports.ts'

async function startUpstream(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  return `http://127.0.0.1:${await listen(server, t)}`
}

function clientOf(apiHost: string) {
  return createUpstreamClient({
    projectId: 'local',
    dataset: 'production',
    apiToken: undefined,
    serviceTokenFile: undefined,
    apiHost,
  })
}

const JSON_GZIP = {'content-type': 'application/json', 'content-encoding': 'gzip'}

test('queries are compressed, and so are the reasons why one is refused', async (t) => {
  const asked: unknown[] = []
  const apiHost = await startUpstream(t, ({headers}, response) => {
    asked.push(headers['accept-encoding'])
    if (asked.length === 1) response.writeHead(200, JSON_GZIP).end(gzipSync('{"result":"ä€😀"}'))
    else response.writeHead(422, JSON_GZIP).end(gzipSync('{"error":{"description":"too large"}}'))
  })
  assert.equal(await clientOf(apiHost).fetch('*'), 'ä€😀')
  await assert.rejects(clientOf(apiHost).fetch('*'), /too large/)
  assert.deepEqual(asked, ['gzip', 'gzip'])
})

test('a long query is sent as JSON', async (t) => {
  const apiHost = await startUpstream(t, async (request, response) => {
    const sent = await request.setEncoding('utf8').toArray()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({result: [request.method, JSON.parse(sent.join('')).params.text.length]}))
  })
  const result = await clientOf(apiHost).fetch('*[name == $text]', {text: 'x'.repeat(20_000)})
  assert.deepEqual(result, ['POST', 20_000])
})

test('an event stream arrives piece by piece, uncompressed', async (t) => {
  const {promise: read, resolve: onRead} = Promise.withResolvers<void>()
  const address = await startUpstream(t, async ({headers}, response) => {
    response.setHeader('content-type', 'text/event-stream')
    response.write(`: ${headers['accept-encoding']}\n`)
    await read
    response.end(': two\n')
  })
  const {body, headers} = await createTransport()(address, {headers: {accept: 'text/event-stream'}})
  assert.equal(headers.get('content-type'), 'text/event-stream')
  const pieces: string[] = []
  for await (const piece of body ?? []) {
    pieces.push(Buffer.from(piece).toString())
    onRead()
  }
  assert.deepEqual(pieces, [': identity\n', ': two\n'])
})

test('redirects are followed, without the token to another origin', async (t) => {
  const tokens: unknown[] = []
  const target = await startUpstream(t, ({headers}, response) => {
    tokens.push(headers.authorization)
    response.end('here')
  })
  const address = await startUpstream(t, ({url}, response) => {
    const location = url === '/loop' ? '/loop' : target
    response.writeHead(307, {location}).end()
  })
  const send = createTransport()
  const response = await send(address, {headers: {authorization: 'Bearer secret'}})
  assert.deepEqual([response.status, response.ok, await response.text()], [200, true, 'here'])
  assert.deepEqual(tokens, [undefined])
  await assert.rejects(send(`${address}/loop`), /Redirect loop/)
})

test('an aborted request fails with the reason, before its response and while it arrives', async (t) => {
  const address = await startUpstream(t, ({url}, response) => {
    if (url === '/begun') response.writeHead(200).write('begun')
  })
  const send = createTransport()
  const abort = new AbortController()
  const pending = send(address, {signal: abort.signal})
  const begun = await send(`${address}/begun`, {signal: abort.signal})
  const text = begun.text()
  abort.abort(new Error('too late'))
  await assert.rejects(pending, /too late/)
  await assert.rejects(text, /too late/)
  await assert.rejects(send(address, {signal: abort.signal}), /too late/)
})

test('a proxy is not used for this machine, and named if it fails for another', async (t) => {
  const before = process.env.HTTP_PROXY
  process.env.HTTP_PROXY = 'http://user:password@127.0.0.1:9'
  t.after(() => {
    if (before === undefined) Reflect.deleteProperty(process.env, 'HTTP_PROXY')
    else process.env.HTTP_PROXY = before
  })
  const address = await startUpstream(t, (_request, response) => response.end('direct'))
  const transport = createTransport()
  assert.equal(await (await transport(address)).text(), 'direct')
  await assert.rejects(transport('http://lake.example/'), (error) => {
    assert.match(messagesIn(error), /through the proxy of HTTP_PROXY \(127\.0\.0\.1:9\).*ECONNREFUSED/)
    assert.doesNotMatch(messagesIn(error), /password/)
    return true
  })
})
