import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {errorOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, type Replica, runHouse} from '../../support/house.ts'
import {startRedis} from '../../support/network/redis.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const MAX = 50

const documents = [siteDocument(), toolDocument()]

async function houseFor(t: TestContext, environment: NodeJS.ProcessEnv): Promise<House> {
  return runHouse(t, documents, {RATE_LIMIT_MAX: String(MAX), ...environment})
}

/** How many of these requests succeed, sent to the replicas in turn. */
async function granted(replicas: Replica[], requests: number, client?: string): Promise<number> {
  let granted = 0
  for (let request = 0; request < requests; request++) {
    const headers = client === undefined ? {} : {'x-forwarded-for': client}
    const response = await replicas[request % replicas.length]?.config('shop-public', '/', {headers})
    if (response?.status === 200) granted++
    else assert.equal(response?.status, 429)
    await response?.arrayBuffer()
  }
  return granted
}

/**
 * Uses the limit of a client up at one replica, and sends requests to another until it refuses them, too. Reports arrive in
 * the background: how soon is not promised.
 * @returns how many the other replica granted
 */
async function grantedByOther(one: Replica, other: Replica, client: string): Promise<number> {
  assert.equal(await granted([one], MAX + 1, client), MAX)
  let requests = 0
  await eventually(
    () => granted([other], 1, client),
    (count) => ++requests > MAX || count === 0,
  )
  return requests - 1
}

const told = (house: House, text: string) =>
  house.lines.filter(({msg}) => typeof msg === 'string' && msg.includes(text)).length

test('two replicas share one limit, and continue separately without Redis', async (t) => {
  const redis = await startRedis()
  t.after(() => redis.dispose())
  const house = await houseFor(t, {REDIS_URL: redis.url, TRUSTED_PROXIES: 'loopback'})
  const other = await house.replica()
  const replicas = [house, other]
  await eventually(() => told(house, 'Redis reachable'), 2)

  const together = await grantedByOther(house, other, '203.0.113.1')
  assert.ok(together < MAX, String(together))
  const refused = await house.config('shop-public', '/', {headers: {'x-forwarded-for': '203.0.113.1'}})
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await errorOf(refused)).code, 'RATE_LIMITED')
  assert.ok((await granted(replicas, MAX, '203.0.113.2')) === MAX, 'of another client')
  await eventually(
    async () => {
      const keys = (await redis.command('KEYS', '*')).split('\n')
      return keys.filter((key) => key.includes('shop-public')).sort()
    },
    ['1', '2'].map((client) => `handrail:local:production:limit:shop-public 203.0.113.${client}`),
  )

  await redis.kill()
  const alone = await granted(replicas, 3 * MAX, '203.0.113.3')
  assert.ok(alone >= MAX && alone <= 2 * MAX, String(alone))
  assert.equal(await granted(replicas, 2, '203.0.113.3'), 0, 'local limits are limits')
  await eventually(() => told(house, 'Redis unreachable'), 2)

  await redis.restart()
  await eventually(() => told(house, 'Redis reachable'), 4)
  assert.equal(told(house, 'Redis unreachable'), 2)
  const again = await grantedByOther(house, other, '203.0.113.4')
  assert.ok(again < MAX, String(again))
})
