import assert from 'node:assert/strict'
import {test} from 'node:test'
import {askFrom, statusesFrom} from '../../support/client.ts'
import {runHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const GREEDY = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'
const MAX = 20

test('a client over the limit of one site is refused there; its other sites and other clients are served', async (t) => {
  const house = await runHouse(
    t,
    [siteDocument(), siteDocument({_id: 'b', publicId: 'site-b'}), toolDocument()],
    {RATE_LIMIT_MAX: String(MAX)},
  )
  const url = `${house.serviceAddress}/api/sites/shop-public/config`
  const elsewhere = `${house.serviceAddress}/api/sites/site-b/config`

  const [asked, ofOtherSite, neighbours] = await Promise.all([
    statusesFrom(GREEDY, url, 3 * MAX),
    statusesFrom(GREEDY, elsewhere, MAX),
    statusesFrom(NEIGHBOUR, url, MAX),
  ])
  assert.deepEqual(asked, [...Array(MAX).fill(200), ...Array(2 * MAX).fill(429)])
  assert.deepEqual(new Set(ofOtherSite), new Set([200]))
  assert.deepEqual(new Set(neighbours), new Set([200]), 'refusals of others do not count')

  // docs/specification.md, “Errors and limits”: 429 RATE_LIMITED with Retry-After, and no counters on a cacheable response.
  assert.equal((await askFrom(NEIGHBOUR, elsewhere)).headers['x-ratelimit-remaining'], undefined)

  // Neither another path nor another spelling of the site's address avoids the limit.
  for (const around of [`${url}?path=/other`, `${url}?path=/&utm=1`, url.replace('shop-', 'shop%2D')]) {
    const {status, headers, body} = await askFrom(GREEDY, around)
    assert.deepEqual([status, headers['cache-control']], [429, 'no-store'])
    assert.match(body, /"code":"RATE_LIMITED"/)
    const seconds = Number(headers['retry-after'])
    assert.ok(Number.isInteger(seconds) && seconds > 0 && seconds <= 60, `Retry-After ${seconds}`)
  }
  assert.equal((await askFrom(NEIGHBOUR, url)).status, 429, 'each has the same')
})
