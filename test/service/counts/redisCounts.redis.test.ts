import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {callsIn} from '../../../service/calls/keys.ts'
import {RedisCounts} from '../../../service/counts/redisCounts.ts'
import {ANY_PAGE, type Count, type StoredCounts, VISIT} from '../../../service/counts/store.ts'
import {connectRedis} from '../../../service/limits/redis.ts'
import {eventually} from '../../support/eventually.ts'
import {startRedis} from '../../support/network/redis.ts'

const HOUR = 3_600_000
const START = 1_800_000_000_000
const hour = START / HOUR

const HASH = '00000000000000ff'

/** The number of calls, without errors. */
const sumOf = ({counts}: StoredCounts) =>
  counts.reduce((sum, {key, number}) => (key === HASH ? sum : sum + number), 0)

const countsOf = (publicId: string, count = 1, at = hour): Map<string, Count[]> =>
  new Map([
    [
      publicId,
      [
        {tool: 'cart', hour: at, key: 'error 0', number: count},
        {tool: 'cart', hour: at, key: 'error 9', number: 2},
        {tool: 'cart', hour: at, key: HASH, number: count},
        {...VISIT, tool: ANY_PAGE, number: START + count},
        {...VISIT, tool: 'cart', number: START - count},
      ],
    ],
  ])

function storeAt(t: TestContext, url: string, clock: () => number, lost?: unknown[]): RedisCounts {
  // A busy machine is no slow Redis.
  const redis = connectRedis(url, lost ? 250 : 30_000).on('error', () => {})
  t.after(() => redis.disconnect())
  return new RedisCounts({redis, prefix: 'test:', clock, onLost: (error) => lost?.push(error)})
}

/** Adds counts, once the store is connected. */
const added = (store: RedisCounts, sites: Map<string, Count[]>) =>
  eventually(
    () =>
      store.add(sites).then(
        () => true,
        () => false,
      ),
    Boolean,
  )

test('replicas add to the same hours, and Redis forgets after 92 days', async (t) => {
  const redis = await startRedis()
  t.after(() => redis.dispose())
  const [one, other] = [storeAt(t, redis.url, () => START + HOUR), storeAt(t, redis.url, () => START + HOUR)]
  await added(one, countsOf('shop'))
  await added(other, countsOf('shop', 4))
  await added(one, countsOf('shop', 1, hour + 1))
  await added(one, countsOf('blog'))
  const {counts} = await other.read('shop', hour, hour + 1)
  assert.deepEqual(
    new Set(counts.map(({hour: at, tool, key, number}) => `${at - hour} ${tool} ${key}: ${number}`)),
    new Set([
      '1 cart error 0: 1',
      '1 cart error 9: 2',
      `1 cart ${HASH}: 1`,
      '0 cart error 0: 5',
      '0 cart error 9: 4',
      `0 cart ${HASH}: 5`,
    ]),
  )
  assert.equal(sumOf(await other.read('shop', hour + 1, hour + 1)), 3)
  assert.deepEqual(
    (await one.read('shop', VISIT.hour, VISIT.hour)).counts,
    [
      {...VISIT, tool: ANY_PAGE, number: START + 1},
      {...VISIT, tool: 'cart', number: START - 1},
    ],
    'the last times of all replicas',
  )
  const seconds = Number(await redis.command('TTL', `test:shop:${hour}`))
  assert.ok(seconds > 91 * 86_400 && seconds <= 92 * 86_400)
})

test('what Redis may have added is not sent again, and what it surely has not waits', async (t) => {
  const redis = await startRedis()
  t.after(() => redis.dispose())
  const lost: unknown[] = []
  const store = storeAt(t, redis.url, () => START, lost)
  await assert.rejects(store.add(countsOf('shop')), /not connected/)
  await added(store, countsOf('shop'))
  await redis.signal('SIGSTOP')
  await store.add(countsOf('shop'))
  assert.match(String(lost), /timed out/)
  await redis.signal('SIGCONT')
  await eventually(async () => sumOf(await store.read('shop', hour, hour)), 6)
})

test('values that another program wrote to Redis are left out', async (t) => {
  const redis = await startRedis()
  t.after(() => redis.dispose())
  const counts = storeAt(t, redis.url, () => START)
  await added(counts, countsOf('shop'))
  const wrong = ['100000000', '1000000000', '10', '-1', '1.5', 'x', ''].flatMap((bucket) => [
    `cart ok ${bucket}`,
    '5',
  ])
  const numbers = ['-5', 'NaN', 'Infinity', '1e308', 'x', '', '99999999999999999999']
  wrong.push(...numbers.flatMap((count, index) => [`cart none ${index}`, count, `cart hash${index}`, count]))
  wrong.push(`${'x'.repeat(301)} ok 1`, '5')
  await redis.command('HSET', `test:shop:${hour}`, ...wrong)
  await redis.command('SET', 'test:since', 'NaN')
  await redis.command('HSET', 'test:shop:0', 'cart visit', '1e300', 'list visit', '-inf')
  const {counts: found, since} = await counts.read('shop', hour, hour)
  const {calls, errors} = callsIn(found)
  assert.deepEqual([calls, errors], Object.values(callsIn(countsOf('').get('') ?? [])))
  assert.equal(since, undefined)
  const visits = await counts.read('shop', VISIT.hour, VISIT.hour)
  assert.deepEqual(
    visits.counts.map(({tool}) => tool),
    [ANY_PAGE],
  )
})

test('what a Redis that was flushed or restarted lost is known: since when there are counts', async (t) => {
  const redis = await startRedis()
  t.after(() => redis.dispose())
  const time = {now: START}
  const counts = storeAt(t, redis.url, () => time.now)
  const read = () =>
    eventually(
      () => counts.read('shop', hour, hour + 2).catch(() => undefined),
      (found) => found !== undefined,
    )
  const lose = [() => redis.command('FLUSHALL'), () => redis.kill().then(() => redis.restart())]
  for (const [index, losing] of lose.entries()) {
    await added(counts, countsOf('shop', 1, hour + index))
    const since = time.now
    time.now += HOUR
    await added(counts, countsOf('shop', 1, hour + index))
    const found = await read()
    assert.deepEqual([found && sumOf(found), found?.since], [6, since])
    await losing()
    const lost = await read()
    assert.deepEqual([lost && sumOf(lost), lost?.since], [0, undefined])
  }
})
