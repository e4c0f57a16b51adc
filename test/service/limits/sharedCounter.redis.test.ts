import assert from 'node:assert/strict'
import {describe, type TestContext, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {createServiceEvents} from '../../../service/events.ts'
import type {Count} from '../../../service/limits/localCounter.ts'
import {SharedCounter} from '../../../service/limits/sharedCounter.ts'
import {eventually} from '../../support/eventually.ts'
import {freePort} from '../../support/network/ports.ts'
import {type RunningRedis, startRedis} from '../../support/network/redis.ts'
import {startRelay} from '../../support/network/relay.ts'

/** Length of every window here, in milliseconds. */
const WINDOW = 60_000

/** Milliseconds between probes of an unavailable Redis. */
const LOOK_AGAIN_AFTER = 30

async function redisFor(t: TestContext, ...options: string[]): Promise<RunningRedis> {
  const redis = await startRedis(options)
  t.after(() => redis.dispose())
  return redis
}

/** A counter and its reports. */
function counterFor(t: TestContext, url: string): {counter: SharedCounter; said: string[]} {
  const said: string[] = []
  const events = createServiceEvents()
  events.on('limits', (shared, reason) => said.push(shared ? 'found' : `lost: ${reason}`))
  const counter = new SharedCounter({url, prefix: 'test:', lookAgainAfter: LOOK_AGAIN_AFTER, events})
  t.after(() => counter.close())
  return {counter, said}
}

/** Waits until the last report matches, and clears the reports. */
async function until(said: string[], pattern: RegExp): Promise<void> {
  await eventually(
    async () => said,
    () => pattern.test(said.at(-1) ?? ''),
  )
  said.length = 0
}

/** Adds to the count of one key. */
async function add(
  counter: SharedCounter,
  key: string,
  requests = 1,
  milliseconds = WINDOW,
): Promise<Count | undefined> {
  const counts = await counter.add([{key, requests, milliseconds}])
  return counts?.[0]
}

/** Waits until it counts: on a busy machine a reply may be late. */
async function counted(counter: SharedCounter): Promise<void> {
  await eventually(
    () => add(counter, 'counted'),
    (count) => count !== undefined,
  )
}

type Fault = {
  name: string
  break(redis: RunningRedis): unknown
  repair(redis: RunningRedis): unknown
  reason: RegExp
}

const faults: Fault[] = [
  {
    name: 'killed',
    break: (redis) => redis.kill(),
    repair: (redis) => redis.restart(),
    reason: /ECONNREFUSED|ECONNRESET/,
  },
  {
    name: 'hanging',
    break: (redis) => redis.signal('SIGSTOP'),
    repair: (redis) => redis.signal('SIGCONT'),
    reason: /timed out/,
  },
  {
    name: 'full',
    break: (redis) => redis.command('CONFIG', 'SET', 'maxmemory', '1'),
    repair: (redis) => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
    reason: /OOM/,
  },
  {
    name: 'read-only after a failover',
    break: (redis) => redis.command('REPLICAOF', '127.0.0.1', '1'),
    repair: (redis) => redis.command('REPLICAOF', 'NO', 'ONE'),
    reason: /READONLY/,
  },
]

describe('counting in a real Redis', () => {
  test('counters with one prefix share counts, other prefixes are separate, and every key expires', async (t) => {
    const redis = await redisFor(t)
    const [one, two] = [counterFor(t, redis.url), counterFor(t, `${redis.url}/0`)]
    await until(one.said, /found/)
    await until(two.said, /found/)

    assert.equal((await add(one.counter, 'a'))?.current, 1)
    assert.equal((await add(two.counter, 'a', 2))?.current, 3)
    assert.equal((await add(one.counter, 'b'))?.current, 1)
    const {ttl = 0} = (await add(one.counter, 'a')) ?? {}
    assert.ok(ttl > 0 && ttl <= WINDOW)

    const together = await one.counter.add([
      {key: 'b', requests: 1, milliseconds: WINDOW},
      {key: 'c', requests: 7, milliseconds: 50},
    ])
    assert.deepEqual([together?.[0]?.current, together?.[1]], [2, {current: 7, ttl: 50}])

    await redis.command('PERSIST', 'test:a')
    assert.equal((await add(one.counter, 'a'))?.ttl, WINDOW, 'a window without an end gets one')
  })

  test('a window ends, and the next one starts at zero', async (t) => {
    const {counter, said} = counterFor(t, (await redisFor(t)).url)
    await until(said, /found/)
    await add(counter, 'a', 5, 100)
    const next = await eventually(
      () => add(counter, 'a', 1, 100),
      (count) => count?.current === 1,
    )
    assert.ok(next)
  })

  for (const fault of faults) {
    test(`${fault.name}: no count, no waiting, one report, and another on recovery`, async (t) => {
      const redis = await redisFor(t)
      const {counter, said} = counterFor(t, redis.url)
      await until(said, /found/)
      await counted(counter)

      await fault.break(redis)
      const began = performance.now()
      for (let request = 0; request < 200; request++) {
        await add(counter, `during ${request}`)
        await setTimeout(1) // requests arrive one after the other
      }
      // If each had waited for its timeout, this would have taken a minute.
      assert.ok(performance.now() - began < 5_000)
      await until(said, fault.reason)
      assert.equal(await add(counter, 'a'), undefined)

      await setTimeout(6 * LOOK_AGAIN_AFTER) // several more checks fail
      assert.deepEqual(said, [], 'the ongoing failure is not reported again')
      await fault.repair(redis)
      await until(said, /found/)
      await counted(counter)
    })
  }

  test('a slow and then cut Redis is reported lost once, and found when it replies in time', async (t) => {
    const redis = await redisFor(t)
    const relay = await startRelay(redis.port)
    t.after(() => relay.close())
    const {counter, said} = counterFor(t, `redis://127.0.0.1:${relay.port}`)
    await until(said, /found/)
    relay.delay = 500
    assert.equal(await add(counter, 'a'), undefined)
    await until(said, /lost: Command timed out/)
    relay.cut()
    await setTimeout(6 * LOOK_AGAIN_AFTER) // several more checks fail
    assert.deepEqual(said, [])
    relay.delay = 0
    await until(said, /found/)
  })

  test('a single late reply is not reported', async (t) => {
    const redis = await redisFor(t)
    const {counter, said} = counterFor(t, redis.url)
    await until(said, /found/)
    redis.signal('SIGSTOP')
    const answer = add(counter, 'a')
    await setTimeout(300) // longer than the timeout of a reply
    redis.signal('SIGCONT')
    assert.equal(await answer, undefined)
    await counted(counter)
    assert.deepEqual(said, [])
  })

  test('a Redis missing at the start is reported once, and found when it starts', async (t) => {
    const port = await freePort()
    const {counter, said} = counterFor(t, `redis://localhost:${port}`)
    assert.equal(await add(counter, 'a'), undefined)
    await until(said, /lost: .*ECONNREFUSED/)
    const redis = await startRedis([], port)
    t.after(() => redis.dispose())
    await until(said, /found/)
  })

  test('a wrong password is reported by name, without the password that was sent', async (t) => {
    const redis = await redisFor(t, '--requirepass', 'right')
    const {said} = counterFor(t, `redis://:wr0ng@127.0.0.1:${redis.port}`)
    await until(said, /^lost: (?!.*wr0ng).*(WRONGPASS|NOAUTH)/)
  })

  test('a closed counter returns no count and reports nothing', async (t) => {
    const {counter, said} = counterFor(t, (await redisFor(t)).url)
    await until(said, /found/)
    counter.close()
    assert.equal(await add(counter, 'a'), undefined)
    await setTimeout(3 * LOOK_AGAIN_AFTER) // checks would be due
    assert.deepEqual(said, [])
  })
})
