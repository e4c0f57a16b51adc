import assert from 'node:assert/strict'
import {describe, type TestContext, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {createServiceEvents} from '../../../service/events.ts'
import {connectRedis} from '../../../service/limits/redis.ts'
import {SharedCounts} from '../../../service/limits/sharedCounts.ts'
import {WINDOW, type Window} from '../../../service/limits/windows.ts'
import {eventually} from '../../support/eventually.ts'
import {freePort} from '../../support/network/ports.ts'
import {type RunningRedis, startRedis} from '../../support/network/redis.ts'

async function redisFor(t: TestContext, ...options: string[]): Promise<RunningRedis> {
  const redis = await startRedis(options)
  t.after(() => redis.dispose())
  return redis
}

/** Shared counts, and what they said. */
function countsFor(t: TestContext, url: string): {counts: SharedCounts; said: string[]} {
  const said: string[] = []
  const events = createServiceEvents()
  events.on('limits', (shared, reason) => said.push(shared ? 'found' : `lost: ${reason}`))
  const redis = connectRedis(url)
  const counts = new SharedCounts({redis, prefix: 'test:', events})
  t.after(() => {
    counts.close()
    redis.disconnect()
  })
  return {counts, said}
}

/** Waits until the last report matches, and clears the reports. */
async function until(said: string[], pattern: RegExp): Promise<void> {
  await eventually(
    () => said.at(-1) ?? '',
    (last) => pattern.test(last),
  )
  said.length = 0
}

/** A window of this process with requests that are not reported yet. */
function windowOf(current: number): Window {
  return {current, reported: 0, endsAt: performance.now() + WINDOW}
}

/** Reports a window until Redis replied to it: on a busy machine a reply may be late. */
async function reported(counts: SharedCounts, key: string, window: Window, expected: number): Promise<void> {
  await eventually(() => {
    counts.add(key, window)
    return window.current
  }, expected)
}

const FAULTS: Record<
  string,
  {break(redis: RunningRedis): unknown; repair(redis: RunningRedis): unknown; reason: RegExp}
> = {
  killed: {
    break: (redis) => redis.kill(),
    repair: (redis) => redis.restart(),
    reason: /ECONNREFUSED|ECONNRESET/,
  },
  hanging: {
    break: (redis) => redis.signal('SIGSTOP'),
    repair: (redis) => redis.signal('SIGCONT'),
    reason: /timed out/,
  },
  full: {
    break: (redis) => redis.command('CONFIG', 'SET', 'maxmemory', '1'),
    repair: (redis) => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
    reason: /OOM/,
  },
  'read-only after a failover': {
    break: (redis) => redis.command('REPLICAOF', '127.0.0.1', '1'),
    repair: (redis) => redis.command('REPLICAOF', 'NO', 'ONE'),
    reason: /READONLY/,
  },
}

describe('counting in a real Redis', () => {
  test('replicas with one prefix learn of each other’s requests, and every key expires', async (t) => {
    const redis = await redisFor(t)
    const [one, two] = [countsFor(t, redis.url), countsFor(t, `${redis.url}/0`)]
    await until(one.said, /found/)
    await until(two.said, /found/)
    const [here, there] = [windowOf(2), windowOf(3)]
    await reported(one.counts, 'a', here, 2)
    await reported(two.counts, 'a', there, 5)
    assert.ok(there.endsAt <= performance.now() + WINDOW)
    await redis.command('PERSIST', 'test:a')
    here.current += 1
    await reported(one.counts, 'a', here, 6)
    assert.ok(Number(await redis.command('PTTL', 'test:a')) > 0, 'a window without an end gets one')
  })

  test('a wrong count of Redis is believed for one window', async (t) => {
    const redis = await redisFor(t)
    const {counts, said} = countsFor(t, redis.url)
    await until(said, /found/)
    await redis.command('SET', 'test:a', '9000', 'PX', '9000000')
    const window = windowOf(2)
    await reported(counts, 'a', window, 9_002)
    assert.ok(window.endsAt <= performance.now() + WINDOW)
  })

  for (const [name, fault] of Object.entries(FAULTS))
    test(`${name}: one report, and another on recovery; meanwhile windows are local`, async (t) => {
      const redis = await redisFor(t)
      const {counts, said} = countsFor(t, redis.url)
      await until(said, /found/)
      await fault.break(redis)
      // Also while no client makes requests.
      await eventually(
        () => said.at(-1) ?? '',
        (last) => fault.reason.test(last),
      )
      said.length = 0
      const window = windowOf(2)
      counts.add('a', window)
      await setTimeout(200) // it connects again, more than once
      assert.deepEqual([said, window.current, window.reported], [[], 2, 0])
      await fault.repair(redis)
      await until(said, /found/)
      await eventually(() => {
        counts.add('a', window)
        return window.reported
      }, 2)
    })

  test('a Redis missing at the start is reported once, and found when it starts', async (t) => {
    const port = await freePort()
    const {said} = countsFor(t, `redis://localhost:${port}`)
    await until(said, /lost: .*ECONNREFUSED/)
    const redis = await startRedis([], port)
    t.after(() => redis.dispose())
    await until(said, /found/)
  })

  test('a wrong password is reported by name, without the password that was sent', async (t) => {
    const redis = await redisFor(t, '--requirepass', 'right')
    const {said} = countsFor(t, `redis://:wr0ng@127.0.0.1:${redis.port}`)
    await until(said, /^lost: (?!.*wr0ng).*(WRONGPASS|NOAUTH)/)
  })
})
