import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {type House, runHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

async function houseFor(t: TestContext, environment: NodeJS.ProcessEnv): Promise<House> {
  return runHouse(t, [siteDocument(), toolDocument()], {RATE_LIMIT_MAX: '3', ...environment})
}

/** The statuses of consecutive requests that name these clients. */
async function statuses(house: House, clients: string[]): Promise<number[]> {
  const seen: number[] = []
  for (const client of clients) {
    const {status} = await house.config('shop-public', '/', {headers: {'x-forwarded-for': client}})
    seen.push(status)
  }
  return seen
}

const warnings = (house: House) =>
  house.lines.filter(({msg}) => String(msg).includes('TRUSTED_PROXIES')).map(({address}) => address)

test('a client that is not a trusted proxy cannot choose its address; the log explains once how to trust a proxy', async (t) => {
  const house = await houseFor(t, {})
  assert.deepEqual(
    await statuses(house, ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']),
    [200, 200, 200, 429],
  )
  assert.deepEqual(warnings(house), ['127.0.0.1'])
})

test('behind a trusted proxy each client has its own limit, and IPv6 clients one per network', async (t) => {
  const house = await houseFor(t, {TRUSTED_PROXIES: 'loopback, 10.0.0.0/8'})
  assert.deepEqual(await statuses(house, Array(4).fill('192.0.2.1')), [200, 200, 200, 429])
  assert.deepEqual(await statuses(house, ['192.0.2.2', '192.0.2.3']), [200, 200])
  assert.deepEqual(
    await statuses(house, ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4', '2001:db8:0:1::1']),
    [200, 200, 200, 429, 200],
  )
  assert.deepEqual(await statuses(house, ['127.0.0.1']), [200], 'a client on the machine of the proxy')
  assert.deepEqual(warnings(house), [])
})
