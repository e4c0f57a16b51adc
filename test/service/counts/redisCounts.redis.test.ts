import assert from 'node:assert/strict'
import {test} from 'node:test'
import {callsIn} from '../../../service/calls/keys.ts'
import {RedisCounts} from '../../../service/counts/redisCounts.ts'
import {ANY_PAGE, type Batch, type StoredCounts} from '../../../service/counts/store.ts'
import {eventually} from '../../support/eventually.ts'
import {startRedis} from '../../support/network/redis.ts'

const HOUR = 3_600_000
const START = 1_800_000_000_000
const hour = START / HOUR

const HASH = '00000000000000ff'

/** The number of calls, without errors. */
const sumOf = ({counts}: StoredCounts) =>
  counts.reduce((sum, {key, number}) => (key === HASH ? sum : sum + number), 0)

/** @param count of calls, so that batches differ. */
const batchOf = (id: string, publicId: string, count = 1, at = hour): Batch => ({
  id,
  sites: [
    {
      publicId,
      counts: [
        {tool: 'cart', hour: at, key: 'error 0', number: count},
        {tool: 'cart', hour: at, key: 'error 9', number: 2},
        {tool: 'cart', hour: at, key: HASH, number: count},
      ],
      visits: new Map([
        [ANY_PAGE, START + count],
        ['cart', START - count],
      ]),
    },
  ],
})

/** Adds a batch, as the service does: one whose reply is late or lost is sent again, and counts once. */
const added = (store: RedisCounts, batch: Batch) =>
  eventually(
    () =>
      store.add(batch).then(
        () => true,
        () => false,
      ),
    Boolean,
  )

test('replicas add to the same hours, a batch counts once, and Redis forgets after 92 days', async (t) => {
  const redis = await startRedis()
  t.after(() => redis.dispose())
  const [one, other] = ['one', 'other'].map(() => {
    const calls = new RedisCounts({url: redis.url, prefix: 'test:', clock: () => START + HOUR})
    t.after(() => calls.close())
    return calls
  })
  assert.ok(one && other)
  await added(one, batchOf('a', 'shop'))
  await added(one, batchOf('a', 'shop'))
  await added(other, batchOf('b', 'shop', 4))
  await added(one, batchOf('c', 'shop', 1, hour + 1))
  await added(one, batchOf('d', 'blog'))
  const {counts} = await other.read('shop', hour)
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
  assert.equal(sumOf(await other.read('shop', hour + 1)), 3)
  assert.deepEqual(
    await one.visitsOf('shop'),
    new Map([
      ['cart', START - 1],
      [ANY_PAGE, START + 4],
    ]),
    'the newest times of all replicas',
  )
  const seconds = Number(await redis.command('TTL', `test:shop:${hour}`))
  assert.ok(seconds > 91 * 86_400 && seconds <= 92 * 86_400)
})

test('an hour of a site has at most 3,000 counters, and those that it has go on', async (t) => {
  const redis = await startRedis()
  t.after(() => redis.dispose())
  const calls = new RedisCounts({url: redis.url, prefix: 'test:', clock: () => START})
  t.after(() => calls.close())
  const forged = Array.from({length: 4_000}, (_, number) => ({
    ...{hour, tool: 'cart', number: 1},
    key: number.toString(16).padStart(16, '0'),
  }))
  for (const id of ['a', 'b'])
    await added(calls, {id, sites: [{publicId: 'shop', counts: forged, visits: new Map()}]})
  const {counts} = await calls.read('shop', 0)
  assert.deepEqual([counts.length, new Set(counts.map(({number}) => number))], [3_000, new Set([2])])
})

test('values that another program wrote to Redis are left out', async (t) => {
  const redis = await startRedis()
  t.after(() => redis.dispose())
  const counts = new RedisCounts({url: redis.url, prefix: 'test:', clock: () => START})
  t.after(() => counts.close())
  await added(counts, batchOf('a', 'shop', 1))
  const wrong = ['100000000', '1000000000', '10', '-1', '1.5', 'x', ''].flatMap((bucket) => [
    `cart ok ${bucket}`,
    '5',
  ])
  const numbers = ['-5', 'NaN', 'Infinity', '1e308', 'x', '', '99999999999999999999']
  wrong.push(...numbers.flatMap((count, index) => [`cart none ${index}`, count, `cart hash${index}`, count]))
  wrong.push(`${'x'.repeat(301)} ok 1`, '5')
  await redis.command('HSET', `test:shop:${hour}`, ...wrong)
  await redis.command('SET', 'test:since', 'NaN')
  await redis.command('ZADD', 'test:visits:shop', '1e300', 'cart', '-inf', 'list')
  const {counts: found, since} = await counts.read('shop', hour)
  const {calls, errors} = callsIn(found)
  assert.deepEqual([calls, errors], Object.values(callsIn(batchOf('', '').sites[0]?.counts ?? [])))
  assert.equal(since, undefined)
  assert.deepEqual([...(await counts.visitsOf('shop')).keys()], [ANY_PAGE])
  // The service itself never writes so many.
  const many = Array.from({length: 3_001}, (_, index) => [`cart ok ${index}`, '1'])
  await redis.command('HSET', `test:shop:${hour}`, ...many.flat())
  await redis.command(
    'ZADD',
    'test:visits:shop',
    ...many.flatMap(([member = '', score = '']) => [score, member]),
  )
  assert.deepEqual((await counts.read('shop', hour)).counts, [])
  // One of the first 3,000 has no time.
  assert.equal((await counts.visitsOf('shop')).size, 2_999)
})

test('what a Redis that was flushed or restarted lost is known: since when there are counts', async (t) => {
  const redis = await startRedis()
  t.after(() => redis.dispose())
  const time = {now: START}
  const counts = new RedisCounts({url: redis.url, prefix: 'test:', clock: () => time.now})
  t.after(() => counts.close())
  const read = () =>
    eventually(
      () => counts.read('shop', hour).catch(() => undefined),
      (found) => found !== undefined,
    )
  const lose = [() => redis.command('FLUSHALL'), () => redis.kill().then(() => redis.restart())]
  for (const [index, losing] of lose.entries()) {
    await added(counts, batchOf(`a${index}`, 'shop', 1, hour + index))
    const since = time.now
    time.now += HOUR
    await added(counts, batchOf(`b${index}`, 'shop', 1, hour + index))
    const found = await read()
    assert.deepEqual([found && sumOf(found), found?.since], [6, since])
    await losing()
    const lost = await read()
    assert.deepEqual([lost && sumOf(lost), lost?.since], [0, undefined])
  }
})
