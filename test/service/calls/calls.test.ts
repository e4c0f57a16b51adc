import assert from 'node:assert/strict'
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {OUTCOMES} from '../../../schemas/calls/counts.ts'
import {Calls} from '../../../service/calls/calls.ts'
import {callsIn} from '../../../service/calls/keys.ts'
import type {ReportedCalls} from '../../../service/calls/report.ts'
import {Counts} from '../../../service/counts/counts.ts'
import {SqliteCounts} from '../../../service/counts/sqliteCounts.ts'
import {type Count, type CountsStore, KEPT_HOURS} from '../../../service/counts/store.ts'
import {ReplicaDatabase} from '../../../service/database.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {temporaryFolder} from '../../lake/support/git.ts'
import {compileSite} from '../support/compile.ts'

const START = 1_800_000_000_000
const HOUR = 3_600_000

const siteOf = (publicId: string, toolCount: number) =>
  compileSite({
    _id: publicId,
    _rev: '1',
    publicId,
    reportCalls: true,
    tools: Array.from({length: toolCount}, (_, number) => ({
      _id: `${publicId}.${number}`,
      _rev: '1',
      name: `tool${number}`,
      description: 'A tool.',
      pathPattern: '/**',
      inputSchema: '{"type": "object", "properties": {}}',
      executeJs: 'return 1',
    })),
    formTools: [],
  })

const row = (name: string, more: Partial<ReportedCalls> = {}): ReportedCalls => ({
  name,
  outcome: 'ok',
  bucket: 0,
  count: 1,
  hash: undefined,
  ...more,
})

/** Calls of a test, whose clock is `time.now`. */
async function callsOf(
  t: TestContext,
  {maxBytes, store: given}: {maxBytes?: number; store?: CountsStore} = {},
) {
  const path = join(await temporaryFolder(t), 'counts.db')
  const time = {now: START}
  const events = createServiceEvents()
  const failures: unknown[] = []
  events.on('countsFailed', (error) => failures.push(error))
  const replaced: unknown[] = []
  const database = new ReplicaDatabase(path, (error) => replaced.push(error))
  t.after(() => database.close())
  const store =
    given ?? new SqliteCounts({database, origin: 'lake/shop/production', ...(maxBytes && {maxBytes})})
  const counts = new Counts({store, clock: () => time.now, events})
  t.after(() => counts.close())
  const calls = new Calls(counts, events)
  return {counts, calls, database, store, time, failures, replaced, path}
}

const sumOf = ({counts}: {readonly counts: readonly Count[]}) =>
  callsIn(counts)
    .calls.flatMap(({durations}) => durations)
    .reduce((sum, count) => sum + count, 0)

test('calls of an hour are one row for each tool and outcome, and those of other sites are apart', async (t) => {
  const {calls, counts, time} = await callsOf(t)
  const shop = await siteOf('shop', 2)
  calls.add('shop', shop, [row('tool0', {count: 3, bucket: 4}), row('tool0'), row('tool7')])
  await counts.flush()
  calls.add('shop', shop, [
    row('tool0'),
    row('tool1', {outcome: 'error', hash: '0000000000000001', count: 2}),
  ])
  calls.add('blog', await siteOf('blog', 1), [row('tool0')])
  time.now += HOUR
  calls.add('shop', shop, [row('tool0')])
  const hour = Math.floor(START / HOUR)
  const {calls: found, errors} = callsIn((await counts.callsOf('shop', 30)).counts)
  assert.deepEqual(
    found.map(({durations, ...rest}) => [durations.join(' '), rest]),
    [
      ['1 0 0 0 0 0 0 0 0 0', {hour: hour + 1, tool: 'shop.0', outcome: 'ok'}],
      ['2 0 0 0 0 0 0 0 0 0', {hour, tool: 'shop.1', outcome: 'error'}],
      ['2 0 0 0 3 0 0 0 0 0', {hour, tool: 'shop.0', outcome: 'ok'}],
    ],
  )
  assert.deepEqual(errors, [{hour, tool: 'shop.1', hash: '0000000000000001', count: 2}])
  time.now += 2 * 86_400_000
  assert.equal(sumOf(await counts.callsOf('shop', 1)), 0)
})

test('of each tool, an hour counts 20 different errors at most', async (t) => {
  const {calls, counts} = await callsOf(t)
  const site = await siteOf('forged', 2)
  for (let number = 0; number < 100; number++)
    calls.add('forged', site, [row('tool0', {outcome: 'error', hash: number.toString(16).padStart(16, '0')})])
  assert.equal(callsIn((await counts.callsOf('forged', 1)).counts).errors.length, 20)
})

test('while the store fails, calls wait, up to a limit, and are stored once', async (t) => {
  let isBroken = true
  const kept: number[] = []
  const store: CountsStore = {
    async add(sites) {
      if (isBroken) throw new Error('no connection')
      for (const counts of sites.values()) kept.push(sumOf({counts}))
    },
    read: async () => ({counts: []}),
    prune: async () => {},
    close: () => {},
  }
  const {calls, counts, time, failures} = await callsOf(t, {store})
  const shop = await siteOf('shop', 220)
  calls.add('shop', shop, [row('tool0')])
  await counts.flush()
  assert.equal(failures.length, 1)
  for (let hour = 0; hour < 60; hour++, time.now += HOUR)
    for (const outcome of OUTCOMES)
      calls.add(
        'shop',
        shop,
        Array.from({length: 220}, (_, number) => row(`tool${number}`, {outcome})),
      )
  isBroken = false
  await counts.flush()
  await counts.flush()
  assert.deepEqual(kept, [50_001])
})

test('calls are kept for 13 months, by a clock that a day confirms, and the file has at most its size: the oldest are removed', async (t) => {
  const {calls, counts, store, time} = await callsOf(t, {maxBytes: 60_000})
  const large = await siteOf('large', 20)
  for (let hours = 0; hours < 40; hours++) {
    calls.add(
      'large',
      large,
      Array.from({length: 20}, (_, number) => row(`tool${number}`)),
    )
    time.now += HOUR
  }
  await counts.flush()
  await store.prune(0)
  const left = callsIn((await counts.callsOf('large', 30)).counts).calls
  assert.ok(left.length > 0 && left.length < 800, `${left.length} rows`)
  assert.equal(left[0]?.hour, Math.floor(time.now / HOUR) - 1, 'the newest are kept')

  for (const [days, rows] of [
    [399, left.length + 1],
    [400, 2],
  ] as const) {
    time.now = START + days * 86_400_000
    calls.add('large', large, [row('tool0')])
    await counts.flush()
    await store.prune(Math.floor(time.now / HOUR) - KEPT_HOURS)
    assert.equal(callsIn((await counts.callsOf('large', 500)).counts).calls.length, rows)
  }
})

test('a damaged database is replaced, counts of other content are not read, and none is created without calls', async (t) => {
  const {calls, counts, database, store, path, replaced} = await callsOf(t)
  await store.prune(0)
  assert.deepEqual(await counts.callsOf('shop', 1), {counts: []})
  assert.equal(existsSync(path), false)

  writeFileSync(path, 'not a database '.repeat(1_000))
  calls.add('shop', await siteOf('shop', 1), [row('tool0')])
  const before = Date.now()
  const found = await counts.callsOf('shop', 1)
  assert.equal(sumOf(found), 1)
  assert.ok(Math.abs((found.since ?? 0) - before) < 60_000, 'what was before the damage is lost')
  assert.equal(statSync(path).mode & 0o077, 0, 'only the owner reads it')
  assert.equal(replaced.length, 1)
  const other = new SqliteCounts({database, origin: 'lake/shop/staging'})
  assert.deepEqual((await other.read('shop', 0, START / HOUR)).counts, [])
})

test('a database that is damaged while it is open is replaced, so that calls are stored again', async (t) => {
  const {calls, counts, database, path, replaced, failures} = await callsOf(t)
  const shop = await siteOf('shop', 300)
  for (const outcome of OUTCOMES)
    calls.add(
      'shop',
      shop,
      Array.from({length: 300}, (_, number) => row(`tool${number}`, {outcome})),
    )
  await counts.flush()
  // Everything is in the file itself, and is read from it again.
  database.close()
  const file = readFileSync(path)
  writeFileSync(path, file.fill(0xff, 4_096 * 2))
  calls.add('shop', shop, [row('tool0')])
  assert.equal(sumOf(await counts.callsOf('shop', 1)), 1)
  assert.deepEqual([replaced.length, failures], [1, []])
})
