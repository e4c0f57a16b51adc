import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import type {Count} from '../../../service/limits/localCounter.ts'
import type {Addition, FleetCounts} from '../../../service/limits/reports.ts'
import {keyOf, RequestCounts} from '../../../service/limits/requestCounts.ts'

const WINDOW = 60

/** Counts of all replicas. Each pause, report and reply waits until the test lets it pass. */
class StandInFleet implements FleetCounts {
  isAvailable = true
  /** Whether reports are counted, but their replies are lost. */
  isLosing = false
  readonly totals = new Map<string, number>()
  readonly #held: (() => void)[] = []

  pause(): Promise<void> {
    return new Promise((resolve) => this.#held.push(resolve))
  }

  async add(additions: readonly Addition[]): Promise<readonly Count[] | undefined> {
    await this.pause()
    const counts = additions.map(({key, requests, milliseconds}) => {
      const current = (this.totals.get(key) ?? 0) + requests
      this.totals.set(key, current)
      return {current, ttl: milliseconds}
    })
    await this.pause()
    return this.isLosing ? undefined : counts
  }

  /** Ends the oldest pause, or lets the oldest report or reply arrive. */
  async pass(): Promise<void> {
    this.#held.shift()?.()
    await setImmediate()
  }

  /** Lets everything pass. */
  async settle(): Promise<void> {
    do await this.pass()
    while (this.#held.length > 0)
  }
}

const limitsOf = (rateLimitMax: number) => ({rateLimitMax, rateLimitWindowSeconds: WINDOW})

function replicas(fleet: FleetCounts, count: number, max: number): RequestCounts[] {
  return Array.from({length: count}, () => new RequestCounts(limitsOf(max), fleet))
}

describe('replicas that report in the background', () => {
  test('exceed the limit by a step each if every report arrives before the next request', async () => {
    const fleet = new StandInFleet()
    const all = replicas(fleet, 3, 600)
    const granted = [0, 0, 0]
    for (let request = 0; request < 3_000; request++) {
      const replica = request % 3
      if (all[replica]?.admit('shop', 'client')) granted[replica] = (granted[replica] ?? 0) + 1
      if (request % 12 === 0) await fleet.settle()
    }
    const sum = granted.reduce((one, other) => one + other)
    assert.ok(sum >= 600 && sum < 600 + 3 * 12, String(sum))
  })

  test('learn of a client that another replica refuses after one step', async () => {
    const fleet = new StandInFleet()
    const [one, other] = replicas(fleet, 2, 600)
    while (one?.admit('shop', 'client')) {}
    await fleet.settle()
    let granted = 0
    for (; other?.admit('shop', 'client'); granted++) await fleet.settle()
    assert.equal(granted, 12)
    assert.equal(other?.admit('shop', 'neighbour'), true)
    assert.equal(other?.admit('garden', 'client'), true)
    const refused = other?.count(keyOf('shop', 'client'))
    assert.ok(refused && refused.current > 600 && refused.ttl > 0 && refused.ttl <= WINDOW * 1_000)
  })
})

describe('the counts of all replicas', () => {
  test('hear nothing of clients with few requests', async () => {
    const fleet = new StandInFleet()
    const [counts] = replicas(fleet, 1, 600)
    for (let client = 0; client < 100; client++)
      for (let request = 0; request < 11; request++) counts?.admit('shop', String(client))
    await fleet.settle()
    assert.deepEqual([...fleet.totals], [])
    counts?.admit('shop', '7')
    await fleet.settle()
    assert.deepEqual([...fleet.totals], [['shop 7', 12]])
  })

  test('get what was counted while they were unavailable', async () => {
    const fleet = new StandInFleet()
    const [counts] = replicas(fleet, 1, 600)
    fleet.isAvailable = false
    for (let request = 0; request < 100; request++) counts?.admit('shop', 'client')
    await fleet.settle()
    fleet.isAvailable = true
    counts?.admit('shop', 'client')
    await fleet.settle()
    assert.deepEqual([...fleet.totals], [['shop client', 101]])
  })

  test('count no request twice, and never lower a limit, when replies are lost', async () => {
    const fleet = new StandInFleet()
    const [counts] = replicas(fleet, 1, 600)
    fleet.isLosing = true
    let granted = 0
    for (; counts?.admit('shop', 'client'); granted++) if (granted % 50 === 0) await fleet.settle()
    await fleet.settle()
    assert.equal(granted, 600)
    assert.ok((fleet.totals.get('shop client') ?? 0) <= 600)
  })
})

test('a wrong count of Redis is believed for one window', async (t) => {
  const now = t.mock.method(performance, 'now', () => 0)
  const wrong: FleetCounts = {
    isAvailable: true,
    pause: async () => {},
    add: async () => [{current: 9e15, ttl: 9e15}],
  }
  const counts = new RequestCounts(limitsOf(100), wrong)
  for (let sent = 0; sent < 100; sent++) counts.admit('shop', 'client')
  await setImmediate()
  assert.equal(counts.admit('shop', 'client'), false)
  now.mock.mockImplementation(() => WINDOW * 1_000)
  assert.equal(counts.admit('shop', 'client'), true)
})
