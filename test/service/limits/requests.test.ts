import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {connect, type Socket} from 'node:net'
import {after, before, describe, test} from 'node:test'
import {promisify} from 'node:util'
import {answerClientErrors} from '../../../common/http/clientErrors.ts'
import {askFrom, connectFrom, statusesFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, runHouse, startHouse} from '../../support/house.ts'
import {listeningLog} from '../../support/log.ts'
import {listen} from '../../support/network/ports.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const ATTACKER = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'

/** Writes every 20 ms until the connection ends, and returns what was received. */
async function trickle(socket: Socket, text: string): Promise<string> {
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const trickling = setInterval(() => socket.write(text), 20)
  await once(socket, 'close')
  clearInterval(trickling)
  return answer
}

/** The status of a raw response, after checking its CORS headers. */
function coded(answer: string): string | undefined {
  assert.match(answer, /^access-control-allow-origin: \*\r$/m)
  assert.match(answer, /^cache-control: no-store\r$/m)
  assert.match(answer, /^connection: close\r$/m)
  return `${answer.split(' ')[1]} ${/"code":"(\w+)"/.exec(answer)?.[1]}`
}

describe('requests that are too slow or too large', {concurrency: true}, () => {
  let house: House
  let url: string
  before(async () => {
    house = await startHouse([siteDocument(), toolDocument()], {RATE_LIMIT_MAX: '1000000'})
    url = `${house.serviceAddress}/api/sites/shop-public/config`
    await house.config('shop-public')
  })
  after(() => house.close())

  test('slowly sent headers and bodies get 408, and a silent connection is closed without a response', async (t) => {
    const impatient = await runHouse(
      t,
      [siteDocument(), toolDocument()],
      {SANITY_WEBHOOK_SECRET: 'secret'},
      {requests: {headersTimeout: 100, requestTimeout: 150, connectionsCheckingInterval: 20}},
    )
    const address = impatient.serviceAddress
    const [headers, body, silent] = await Promise.all([
      connectFrom(ATTACKER, address),
      connectFrom(ATTACKER, address),
      connectFrom(ATTACKER, address),
    ])
    headers.write('GET / HTTP/1.1\r\n')
    body.write(
      'POST /webhooks/sanity HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
        'sanity-webhook-signature: t=1,v1=x\r\ncontent-length: 1000\r\n\r\n',
    )
    silent.resume()
    const [slowHeaders, slowBody] = await Promise.all([
      trickle(headers, 'a: b\r\n'),
      trickle(body, ' '),
      once(silent, 'close'),
    ])
    assert.equal(coded(slowHeaders), '408 REQUEST_TOO_SLOW')
    assert.equal(coded(slowBody), '408 REQUEST_TOO_SLOW')
    assert.equal(silent.bytesRead, 0)
  })

  test('more than 32 kB of address or headers gets 431, in one header, in many and in the address', async () => {
    const many = Array.from({length: 4_000}, (_, number) => `x-${number}: ${number}\r\n`).join('')
    for (const text of [
      `GET /?${'a'.repeat(40_000)} HTTP/1.1\r\n\r\n`,
      `GET / HTTP/1.1\r\nhost: localhost\r\ncookie: ${'a'.repeat(40_000)}\r\n\r\n`,
      `GET / HTTP/1.1\r\nhost: localhost\r\n${many}\r\n`,
    ]) {
      const socket = await connectFrom(ATTACKER, url)
      const answer = trickle(socket, '')
      socket.write(text)
      const [refused, neighbour] = await Promise.all([answer, statusesFrom(NEIGHBOUR, url, 20)])
      assert.equal(coded(refused), '431 HEADERS_TOO_LARGE')
      assert.deepEqual(new Set(neighbour), new Set([200]))
    }
  })

  test('the longest page path that is matched fits, in any script', async () => {
    const longest = `/${'値'.repeat(2_047)}`
    const answer = await askFrom(NEIGHBOUR, `${url}?path=${encodeURIComponent(longest)}`)
    assert.equal(answer.status, 200)
  })

  test('invalid HTTP gets an error, and the connection closes even if the client keeps sending', async () => {
    const socket = await connectFrom(ATTACKER, url)
    const answer = trickle(socket, 'more')
    socket.write('nonsense\r\n\r\n')
    assert.equal(coded(await answer), '400 BAD_REQUEST')
  })

  test('a connection that the client leaves open after an error is closed', async (t) => {
    const {log, lines} = listeningLog()
    const answer = () => ({code: 'BAD_REQUEST', body: '{}'})
    const server = createServer().on('clientError', answerClientErrors({log, answer, farewell: 50}))
    const port = await listen(server, t)
    const socket = connect({host: '127.0.0.1', port: port ?? 0, allowHalfOpen: true})
    t.after(() => socket.destroy())
    socket.write('nonsense\r\n\r\n')
    const [received] = await once(socket, 'data')
    const [, reqId] = /x-request-id: (\S+)/.exec(String(received)) ?? []
    assert.deepEqual(
      lines.map(({status, code, reqId}) => ({status, code, reqId})),
      [{status: 400, code: 'BAD_REQUEST', reqId}],
    )
    socket.resume()
    await once(socket, 'end')
    await eventually(() => promisify(server.getConnections.bind(server))(), 0)
  })
})
