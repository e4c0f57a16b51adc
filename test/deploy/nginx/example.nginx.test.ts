import assert from 'node:assert/strict'
import {once} from 'node:events'
import {get, type IncomingMessage} from 'node:http'
import {connect} from 'node:http2'
import {Agent} from 'node:https'
import {after, before, describe, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import tls from 'node:tls'
import {brotliDecompressSync, gunzipSync} from 'node:zlib'
import {MAX_LENGTH} from '../../../snippet/report/limits.ts'
import {recordOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, runHouse, startHouse} from '../../support/house.ts'
import {type ProxiedAnswer, type RunningNginx, startNginx} from '../../support/network/nginx.ts'
import {freePort} from '../../support/network/ports.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const CONFIG = '/api/sites/shop-public/config'

/** Requests for one site that one client may send. */
const MAX = 200

describe('the nginx example', () => {
  let house: House
  let nginx: RunningNginx

  before(async () => {
    house = await startHouse(
      [siteDocument(), toolDocument({description: 'Searches. '.repeat(200)})],
      {TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_MAX: String(MAX)},
      {query: 3_000},
    )
    nginx = await startNginx({services: [Number(new URL(house.serviceAddress).port)]})
  })
  after(async () => {
    await nginx.close()
    await house.close()
  })

  test('a config is the same bytes, plain and compressed', async () => {
    const direct = Buffer.from(await (await house.config('shop-public', '/')).arrayBuffer())
    const plain = await nginx.get(`${CONFIG}?path=/`)
    const gzipped = await eventually(
      () => nginx.get(`${CONFIG}?path=/`, {'accept-encoding': 'gzip'}),
      ({headers}) => headers['content-encoding'] === 'gzip',
    )
    assert.deepEqual([plain.body, gunzipSync(gzipped.body)], [direct, direct])
    assert.ok(gzipped.body.length < direct.length / 4)
    for (const {headers} of [plain, gzipped]) {
      assert.equal(headers.vary, 'Accept-Encoding')
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['cache-control'], 'public, max-age=58')
      assert.match(headers.age ?? '', /^\d+$/)
    }
  })

  test('the largest report of calls arrives, and nothing larger', async () => {
    const send = async (bytes: number) => {
      const calls = JSON.stringify({calls: [['searchProducts', 'ok', 0, 1]]})
      const body = calls.padEnd(bytes)
      const headers = {'content-type': 'text/plain', 'content-length': String(body.length)}
      return (await nginx.send('/api/sites/shop-public/calls', {method: 'POST', headers, body})).status
    }
    assert.equal(await send(MAX_LENGTH), 404, 'from the service, whose site does not count calls')
    assert.equal(await send(9_000), 413)
  })

  test('304 for the tag, a weak tag, a list and *, in each encoding', async () => {
    const answers = [
      {encoding: 'identity', headers: (await nginx.get(`${CONFIG}?path=/304`)).headers},
      {
        encoding: 'gzip',
        headers: (await nginx.get(`${CONFIG}?path=/304`, {'accept-encoding': 'gzip'})).headers,
      },
    ]
    // First from the service, then from the cache.
    for (const path of ['/304', '/304', '/304']) {
      for (const {encoding, headers} of answers) {
        const tag = headers.etag ?? ''
        for (const field of [tag, `W/${tag}`, `"other", W/${tag}`, '*']) {
          const conditions = {'accept-encoding': encoding, 'if-none-match': field}
          const answer = await nginx.get(`${CONFIG}?path=${path}`, conditions)
          assert.deepEqual([answer.status, answer.body.length], [304, 0], field)
          assert.equal(answer.headers.vary, 'Accept-Encoding')
          assert.equal(answer.headers['cache-control'], 'public, max-age=58')
          assert.equal(answer.headers.etag, tag)
          assert.match(answer.headers.age ?? '', /^\d+$/)
        }
      }
      assert.equal((await nginx.get(`${CONFIG}?path=${path}`, {'if-none-match': '"other"'})).status, 200)
    }
    const caches = (await nginx.accesses()).filter(({uri}) => uri.endsWith('/304')).map(({cache}) => cache)
    assert.ok(caches.includes('HIT') && caches.includes('MISS'))
  })

  test('the snippet keeps the encoding, tag and lifetime that the service set', async () => {
    const plain = await nginx.get('/snippet.js')
    const brotli = await nginx.get('/snippet.js', {'accept-encoding': 'br, gzip'})
    assert.equal(brotli.headers['content-encoding'], 'br')
    assert.deepEqual(brotliDecompressSync(brotli.body), plain.body)
    assert.match(brotli.headers['cache-control'] ?? '', /max-age=300/)
    const again = await nginx.get('/snippet.js', {
      'accept-encoding': 'br, gzip',
      'if-none-match': brotli.headers.etag ?? '',
    })
    assert.equal(again.status, 304)
    assert.equal((await nginx.get('/preview.js')).status, 200)
    const pinned = await nginx.get('/snippet.0000000000000000.js')
    assert.deepEqual([pinned.status, codeOf(pinned)], [404, 'NOT_FOUND'])
  })

  test('errors of the service pass through with their code, and are not cached', async () => {
    for (let i = 0; i < 4; i++) {
      const {status, headers, body} = await nginx.get('/api/sites/no-such-site/config')
      assert.deepEqual([status, codeOf({body})], [404, 'NOT_FOUND'])
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['access-control-allow-origin'], '*')
    }
    const asked = (await nginx.accesses()).filter(({uri}) => uri.includes('no-such-site'))
    assert.deepEqual(
      asked.map(({cache}) => cache),
      ['MISS', 'MISS', 'MISS', 'MISS'],
    )
    const path = `${CONFIG}?path=/a&path=/b`
    assert.deepEqual(codeOf(await nginx.get(path)), 'BAD_REQUEST')
  })

  test('a lake that hangs takes down no replica: only requests that wait for it fail', async () => {
    house.network.fault = {kind: 'hang'}
    const waiting = nginx.get('/api/sites/never-asked-for/config')
    let isOver = false
    waiting.finally(() => {
      isOver = true
    })
    while (!isOver) {
      assert.equal((await nginx.get(`${CONFIG}?path=/meanwhile`)).status, 200)
      await setTimeout(200) // until the query of the service fails
    }
    const {status, body} = await waiting
    assert.deepEqual([status, codeOf({body})], [500, 'INTERNAL_ERROR'])
    house.network.fault = {kind: 'none'}
  })

  test('operator endpoints are not reachable from outside, however the path is written', async () => {
    const port = Number(new URL(nginx.address).port)
    for (const path of [
      ...['/metrics', '/readyz', '/healthz', '/', '//metrics', '/%6detrics', '/metrics/', '/metrics?x'],
      ...['/api/../metrics', '/api/%2e%2e/metrics', '/api/..%2fmetrics', '/snippet.js/../metrics'],
      ...[
        '/metrics/../api/',
        '/metrics/..%2fapi/',
        '/metrics;/../api/',
        '/metrics%3f/../api/',
        '/metrics#/../api/',
      ],
    ]) {
      const answer = await rawGet(port, path, nginx.certificate)
      assert.match(answer, /^HTTP\/1.1 404 /, path)
      assert.match(answer, /\r\naccess-control-allow-origin: \*\r\n/i, path)
      assert.match(answer, /"code":"NOT_FOUND"/, path)
    }
  })

  test('a path of 2,048 escaped characters passes', async () => {
    const path = `/${'é'.repeat(2_047)}`
    const {status} = await nginx.get(`${CONFIG}?path=${encodeURIComponent(path)}`)
    assert.equal(status, 200)
  })

  test('a delivery reaches the webhook, and one that is too large does not', async () => {
    const post = async (body: string) => {
      const session = connect(nginx.address, {ca: nginx.certificate})
      const stream = session.request({':method': 'POST', ':path': '/webhooks/sanity'})
      stream.end(body)
      const [headers] = await once(stream, 'response')
      const text = (await stream.toArray()).join('')
      session.close()
      return {status: recordOf(headers)[':status'], text}
    }
    const {status, text} = await post('{}')
    assert.match(text, /"WEBHOOK_OFF"/)
    assert.notEqual(status, 200)
    assert.equal((await post('x'.repeat(300_000))).status, 413)
  })

  test('HTTP/2 over TLS; plain HTTP redirects to it', async () => {
    const socket = tls.connect({
      host: '127.0.0.1',
      port: Number(new URL(nginx.address).port),
      ca: nginx.certificate,
      ALPNProtocols: ['h2', 'http/1.1'],
    })
    await once(socket, 'secureConnect')
    assert.equal(socket.alpnProtocol, 'h2')
    socket.destroy()

    const request = get(`${nginx.plainAddress}${CONFIG}?path=/a`, {headers: {host: 'handrail.example'}})
    const [answer]: IncomingMessage[] = await once(request, 'response')
    answer?.resume()
    assert.equal(answer?.statusCode, 308)
    assert.equal(answer?.headers.location, `https://handrail.example${CONFIG}?path=/a`)
  })

  test('a client is limited by its own address, whatever address it claims', async () => {
    let refused: ProxiedAnswer | undefined
    for (let i = 0; i < 2 * MAX && !refused; i++) {
      const answer = await nginx.get(`${CONFIG}?path=/limit/${i}`, {'x-forwarded-for': `192.0.2.${i}`})
      if (answer.status === 429) refused = answer
    }
    assert.ok(refused)
    assert.equal(codeOf(refused), 'RATE_LIMITED')
    assert.match(refused.headers['retry-after'] ?? '', /^\d+$/)
    assert.equal(refused.headers['cache-control'], 'no-store')
    const elsewhere = await house.config('shop-public', '/', {headers: {'x-forwarded-for': '192.0.2.1'}})
    assert.equal(elsewhere.status, 200, 'the client that the proxy named is refused; another one is not')
  })
})

test('a client with 200 concurrent requests gets Retry-After; other clients are served', async (t) => {
  const house = await runHouse(t, [siteDocument(), toolDocument()], {TRUSTED_PROXIES: '127.0.0.1'})
  await house.config('shop-public')
  const nginx = await startNginx({services: [Number(new URL(house.serviceAddress).port)]})
  t.after(() => nginx.close())
  const {promise: released, resolve: release} = Promise.withResolvers<void>()
  house.network.fault = {kind: 'hold', until: released}
  const statuses: number[] = []
  const asked = Array.from({length: 220}, async (_, number) => {
    const {status, headers} = await nginx.get(`/api/sites/not-seen-yet/config?path=/${number}`)
    statuses.push(status)
    if (status === 429) assert.equal(headers['retry-after'], '1')
  })
  await eventually(() => statuses.length, 20)
  assert.deepEqual(new Set(statuses), new Set([429]))
  const neighbour = new Agent({ca: nginx.certificate, localAddress: '127.0.0.3'})
  t.after(() => neighbour.destroy())
  for (let number = 0; number < 50; number++)
    assert.equal((await nginx.get(`${CONFIG}?path=/${number}`, {}, neighbour)).status, 200)
  house.network.fault = {kind: 'none'}
  release()
  await Promise.all(asked)
  assert.deepEqual(new Set(statuses), new Set([429, 404]))
})

test('what one replica lacks comes from another one, and what all lack takes none out of service', async (t) => {
  const house = await runHouse(t, [siteDocument(), toolDocument()])
  await house.config('shop-public')
  house.network.fault = {kind: 'refuse'}
  const empty = await house.replica({SNAPSHOT_DIR: `${house.snapshotDir}/empty`})
  assert.equal((await empty.config('shop-public')).status, 500)
  const services = [house, empty].map(({serviceAddress}) => Number(new URL(serviceAddress).port))
  const nginx = await startNginx({services})
  t.after(() => nginx.close())
  for (let number = 0; number < 20; number++) {
    const unknown = await nginx.get('/api/sites/never-asked-for/config')
    assert.deepEqual([unknown.status, codeOf(unknown)], [500, 'INTERNAL_ERROR'])
    assert.match(unknown.headers['retry-after'] ?? '', /^\d+$/)
    const {status, headers} = await nginx.get(`${CONFIG}?path=/${number}`)
    assert.equal(status, 200)
    assert.match(headers['cache-control'] ?? '', /^public, max-age=(58|60)$/)
  }
  const tried = (await nginx.accesses()).filter(({uri}) => uri.startsWith(CONFIG))
  assert.ok(tried.some(({upstreams}) => upstreams.length > 1))
})

test('without a service, the response is an error that any page can read', async (t) => {
  const nginx = await startNginx({services: [await freePort(), await freePort()]})
  t.after(() => nginx.close())
  const scripts = 'snippet snippet.calls snippet.ask snippet.conditions snippet.report preview'
  const paths = scripts.split(' ').map((name) => `/${name}.js`)
  for (const path of [CONFIG, ...paths]) {
    const {status, headers, body} = await nginx.get(path)
    assert.equal(status, 503)
    assert.equal(codeOf({body}), 'INTERNAL_ERROR')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['retry-after'], '5')
  }
})

function codeOf({body}: Pick<ProxiedAnswer, 'body'>): unknown {
  return recordOf(recordOf(JSON.parse(body.toString())).error).code
}

/** Sends a path unchanged: clients would normalise it. */
async function rawGet(port: number, path: string, ca: string): Promise<string> {
  const socket = tls.connect({host: '127.0.0.1', port, ca})
  socket.write(`GET ${path} HTTP/1.1\r\nhost: handrail.example\r\nconnection: close\r\n\r\n`)
  return (await socket.toArray()).join('')
}
