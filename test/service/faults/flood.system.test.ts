import assert from 'node:assert/strict'
import {Agent} from 'node:http'
import {test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {errorOf} from '../../support/answers.ts'
import {askFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {runHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const STRANGER = '127.0.0.1'
const STRANGERS = 300
const EACH = 15

test('thousands of made-up public IDs: known sites are served and updated, the lake is spared, memory stays small', async (t) => {
  const house = await runHouse(t, [siteDocument(), toolDocument()], {RATE_LIMIT_MAX: '1000000'})
  const agent = new Agent({keepAlive: true, maxSockets: STRANGERS})
  t.after(() => agent.destroy())
  const statuses = new Map<number, number>()
  const known: number[] = []

  assert.equal((await house.config('shop-public')).status, 200)
  house.network.mostUnanswered = 0
  let isOver = false
  const strangers = Array.from({length: STRANGERS}, async (_, stranger) => {
    for (let number = 0; number < EACH; number++) {
      const url = `${house.serviceAddress}/api/sites/made-up-${stranger}-${number}/config`
      const {status} = await askFrom(STRANGER, url, {agent})
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  })
  const visitor = (async () => {
    while (!isOver) {
      known.push((await house.config('shop-public')).status)
      await setTimeout(20) // a visitor, not another flood
    }
  })()
  const editor = (async () => {
    await house.client.patch('search').set({description: 'Changed during the flood.'}).commit()
    await eventually(async () => (await house.config('shop-public')).text(), /Changed during the flood\./, 30)
  })()
  await Promise.all([...strangers, editor])
  isOver = true
  await visitor

  assert.ok(known.length > 0 && known.every((status) => status === 200))
  assert.equal(
    [...statuses.values()].reduce((sum, count) => sum + count),
    STRANGERS * EACH,
  )
  assert.deepEqual(
    new Set(statuses.keys()),
    new Set([404, 500]),
    'some are looked up, some are told to retry',
  )
  assert.ok(house.network.mostUnanswered <= 32, `${house.network.mostUnanswered} concurrent queries`)

  const metrics = await (await fetch(`${house.serviceAddress}/metrics`)).text()
  const absent = Number(/^handrail_absent_sites(?:\{.*\})? (\d+)/m.exec(metrics)?.[1])
  assert.ok(absent > 0 && absent <= 10_000, `${absent} unknown IDs in memory`)
  assert.match(metrics, /^handrail_sites(?:\{.*\})? 1$/m)
  const told = house.lines.filter(({msg}) => String(msg).startsWith('Too many queries for unknown'))
  assert.equal(told.length, 1, 'logged once')
})

test('requests for made-up public IDs during a flood get Retry-After: 1', async (t) => {
  const house = await runHouse(t, [siteDocument()], {RATE_LIMIT_MAX: '1000000'})
  house.network.fault = {kind: 'hang'}
  const agent = new Agent({keepAlive: true, maxSockets: STRANGERS})
  t.after(() => agent.destroy())
  const waiting = Array.from({length: 16 + 256}, (_, number) =>
    askFrom(STRANGER, `${house.serviceAddress}/api/sites/made-up-${number}/config`, {agent}).catch(() => {}),
  )
  const response = await eventually(
    () =>
      fetch(`${house.serviceAddress}/api/sites/one-too-many/config`, {
        signal: AbortSignal.timeout(500),
      }).catch(() => undefined),
    (answered) => answered !== undefined,
    10,
  )
  assert.ok(response)
  assert.equal(response.headers.get('retry-after'), '1')
  assert.equal((await errorOf(response)).code, 'INTERNAL_ERROR')
  assert.equal(house.network.unanswered, 16)
  house.network.fault = {kind: 'none'}
  house.network.cut()
  await Promise.all(waiting)
})
