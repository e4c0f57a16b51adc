import assert from 'node:assert/strict'
import {connect} from 'node:net'
import {text} from 'node:stream/consumers'
import {after, before, describe, test} from 'node:test'
import {errorOf} from '../../support/answers.ts'
import {type House, startHouse} from '../../support/house.ts'
import {siteDocument} from '../../support/shop.ts'

describe('request bodies', () => {
  let house: House
  before(async () => {
    house = await startHouse([siteDocument()], {SANITY_WEBHOOK_SECRET: 'a-secret'})
  })
  after(() => house.close())

  /** The response to a request whose body is announced but never sent. */
  async function responseBeforeBody(method: string, path: string): Promise<string> {
    const {port} = new URL(house.serviceAddress)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
        'content-length: 1000000\r\nconnection: close\r\n\r\n{',
    )
    const timer = setTimeout(() => socket.destroy(), 30_000) // a service that waits for the body would never respond
    const response = await text(socket)
    clearTimeout(timer)
    return response
  }

  for (const [method, path, status] of [
    ['POST', '/nothing-here', 404],
    ['PUT', '/api/sites', 404],
    ['PATCH', '/webhooks/other', 404],
    ['POST', '/api/sites/shop-public/config', 405],
    ['POST', '/snippet.js', 405],
    ['POST', '/webhooks/sanity', 401],
  ] as const)
    test(`${method} ${path} gets ${status} before its body arrives`, async () => {
      assert.match(await responseBeforeBody(method, path), new RegExp(`^HTTP/1.1 ${status} `))
    })

  test('bodies at unknown addresses are not parsed: invalid JSON gets 404, not 400', async () => {
    const response = fetch(`${house.serviceAddress}/nothing-here`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: '['.repeat(500_000),
    })
    const {status, code} = await errorOf(response)
    assert.deepEqual([status, code], [404, 'NOT_FOUND'])
  })
})
