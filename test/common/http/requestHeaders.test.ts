import assert from 'node:assert/strict'
import {once} from 'node:events'
import {after, before, describe, test} from 'node:test'
import {connectFrom} from '../../support/client.ts'
import {type House, startHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const CONFIG = '/api/sites/shop-public/config'

/** Sends raw request lines. @returns the final status and the JSON body of the response */
async function send(address: string, ...lines: string[]): Promise<{status: number; body: unknown}> {
  const socket = await connectFrom('127.0.0.1', address)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write([...lines, 'connection: close', '', ''].join('\r\n'))
  await once(socket, 'close')
  const [body = '', head = ''] = text.replace('HTTP/1.1 100 Continue\r\n\r\n', '').split('\r\n\r\n').reverse()
  return {status: Number(head.slice(9, 12)), body: JSON.parse(body)}
}

const refused: [name: string, status: number, message: RegExp, headers: string[]][] = [
  ['two Host headers', 400, /exactly one Host/, ['Host: localhost', 'hOST: localhost']],
  ['no Host header', 400, /exactly one Host/, []],
  ['an unknown expectation', 417, /expectation/, ['host: localhost', 'expect: gifts']],
]

describe('both servers refuse in their own error format', () => {
  let house: House
  let lakeAddress: string
  before(async () => {
    house = await startHouse([siteDocument(), toolDocument()])
    // From now on it is served from memory.
    assert.equal((await house.config('shop-public')).status, 200)
    lakeAddress = house.client.config().apiHost
  })
  after(() => house.close())

  for (const [name, status, message, headers] of refused)
    test(name, async () => {
      const service = await send(house.serviceAddress, `GET ${CONFIG} HTTP/1.1`, ...headers)
      assert.equal(service.status, status)
      assert.match(
        JSON.stringify(service.body),
        new RegExp(`^{"error":{"code":"BAD_REQUEST","message":".*${message.source}`),
      )

      const lake = await send(lakeAddress, 'GET /healthz HTTP/1.1', ...headers)
      assert.equal(lake.status, status)
      assert.match(
        JSON.stringify(lake.body),
        new RegExp(`^{"statusCode":${status},"error":".*","message":".*${message.source}`),
      )
    })

  test('HTTP/1.0 needs no Host header, and "100-continue" is a known expectation', async () => {
    for (const address of [house.serviceAddress, lakeAddress]) {
      assert.equal((await send(address, 'GET /healthz HTTP/1.0')).status, 200)
      const continued = ['GET /healthz HTTP/1.1', 'host: localhost', 'expect: 100-Continue']
      assert.equal((await send(address, ...continued)).status, 200)
      const twice = [...continued, 'expect: 100-continue']
      assert.equal((await send(address, ...twice)).status, 200, 'a proxy may add it again')
    }
  })
})
