import assert from 'node:assert/strict'
import {existsSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {type TestContext, test} from 'node:test'
import {DURATION_BOUNDS, OUTCOMES} from '../../../schemas/calls/counts.ts'
import {Calls} from '../../../service/calls/calls.ts'
import type {ReportedCalls} from '../../../service/calls/report.ts'
import {SqliteCalls} from '../../../service/calls/sqliteCalls.ts'
import type {CallsStore, StoredCalls} from '../../../service/calls/store.ts'
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
  {maxBytes, isGone = false, store: given}: {maxBytes?: number; isGone?: boolean; store?: CallsStore} = {},
) {
  const path = join(await temporaryFolder(t), 'calls.db')
  const time = {now: START}
  const events = createServiceEvents()
  const failures: unknown[] = []
  events.on('callsFailed', (error) => failures.push(error))
  const store = given ?? new SqliteCalls({path, origin: 'lake/shop/production', ...(maxBytes && {maxBytes})})
  const calls = new Calls({
    store,
    clock: () => time.now,
    events,
    isGone: async () => isGone,
    writeAfter: 60_000,
  })
  t.after(() => calls.close())
  return {calls, store, time, events, failures, path}
}

const sumOf = ({calls}: StoredCalls) =>
  calls.flatMap(({durations}) => durations).reduce((sum, count) => sum + count, 0)

test('calls of an hour are one row for each tool and outcome, and those of other sites are apart', async (t) => {
  const {calls, time} = await callsOf(t)
  const shop = await siteOf('shop', 2)
  calls.add('shop', shop, [row('tool0', {count: 3, bucket: 4}), row('tool0'), row('tool7')])
  await calls.flush()
  calls.add('shop', shop, [
    row('tool0'),
    row('tool1', {outcome: 'error', hash: '0000000000000001', count: 2}),
  ])
  calls.add('blog', await siteOf('blog', 1), [row('tool0')])
  time.now += HOUR
  calls.add('shop', shop, [row('tool0')])
  const hour = Math.floor(START / HOUR)
  const {calls: counts, errors} = await calls.read('shop', 30)
  assert.deepEqual(
    counts.map(({durations, ...rest}) => [durations.join(' '), rest]),
    [
      ['1 0 0 0 0 0 0 0 0 0', {hour: hour + 1, tool: 'shop.0', outcome: 'ok'}],
      ['2 0 0 0 3 0 0 0 0 0', {hour, tool: 'shop.0', outcome: 'ok'}],
      ['2 0 0 0 0 0 0 0 0 0', {hour, tool: 'shop.1', outcome: 'error'}],
    ],
  )
  assert.deepEqual(errors, [{hour, tool: 'shop.1', hash: '0000000000000001', count: 2}])
  time.now += 2 * 86_400_000
  assert.equal(sumOf(await calls.read('shop', 1)), 0)
})

test('a million forged reports: memory and disk are bounded, and the numbers of another site are right', async (t) => {
  const {calls, store, path, failures} = await callsOf(t, {maxBytes: 400_000})
  const [forged, honest] = [await siteOf('forged', 300), await siteOf('honest', 1)]
  // Rows of reports, so that the test takes seconds. Each report of a million has one tool.
  const report = (round: number) =>
    Array.from({length: 100}, (_, at) => {
      const number = round * 100 + at
      const outcome = OUTCOMES[Math.floor(number / 300) % OUTCOMES.length] ?? 'ok'
      const hash = outcome === 'error' ? number.toString(16).padStart(16, '0') : undefined
      return row(`tool${number % 300}`, {outcome, bucket: number % 10, count: 1_000, hash})
    })
  for (let round = 0; round < 10_000; round++) {
    calls.add('forged', forged, report(round))
    if (round % 1_000 === 0) calls.add('honest', honest, [row('tool0')])
  }
  assert.equal(sumOf(await calls.read('honest', 1)), 10)
  const stored = await calls.read('forged', 1)
  assert.equal(stored.calls.length, 300 * OUTCOMES.length)
  assert.equal(stored.errors.length, 300 * 20, 'of each tool, 20 different ones')
  assert.deepEqual(failures, [])

  // Until the file is too large, whatever is in it.
  await store.prune(0)
  assert.ok(statSync(path).size < 1_000_000)
  assert.equal(sumOf(await calls.read('honest', 1)), 10)
})

test('while the store fails, calls wait, up to a limit, and are stored once', async (t) => {
  const batches: string[] = []
  let isBroken = true
  const kept = new Map<string, number>()
  const store: CallsStore = {
    async add({id, sites}) {
      batches.push(id)
      // As Redis does when the reply is lost.
      for (const site of sites) kept.set(`${id} ${site.publicId}`, sumOf(site))
      if (isBroken) throw new Error('no reply')
    },
    read: async () => ({calls: [], errors: []}),
    has: async () => false,
    remove: async () => {},
    prune: async () => {},
    close: () => {},
  }
  const {calls, failures} = await callsOf(t, {store})
  const shop = await siteOf('shop', 1_100)
  calls.add('shop', shop, [row('tool0')])
  await calls.flush()
  assert.equal(failures.length, 2)
  for (const outcome of OUTCOMES)
    for (let number = 0; number < 1_100; number++) calls.add('shop', shop, [row(`tool${number}`, {outcome})])
  isBroken = false
  await calls.flush()
  assert.deepEqual(new Set(batches).size, 2)
  assert.deepEqual([...kept.values()], [1, 5_000])
})

test('calls are kept for 13 months, and the file has at most its size', async (t) => {
  const {calls, store, time} = await callsOf(t, {maxBytes: 60_000})
  const [large, small] = [await siteOf('large', 20), await siteOf('small', 1)]
  calls.add('small', small, [row('tool0', {outcome: 'error', hash: '000000000000000a'})])
  for (let hours = 0; hours < 40; hours++) {
    calls.add(
      'large',
      large,
      Array.from({length: 20}, (_, number) => row(`tool${number}`)),
    )
    time.now += HOUR
  }
  await calls.flush()
  await store.prune(0)
  const left = (await calls.read('large', 30)).calls
  assert.ok(left.length > 0 && left.length < 800, `${left.length} rows`)
  assert.equal(left[0]?.hour, Math.floor(time.now / HOUR) - 1, 'the newest are kept')
  assert.equal(sumOf(await calls.read('small', 30)), 1, 'the smaller site keeps all')

  time.now = START + 399 * 86_400_000
  calls.add('large', large, [row('tool0')])
  await calls.flush()
  assert.equal(await store.has('small'), false)
  const {calls: all, errors} = await calls.read('large', 396)
  assert.deepEqual([all.length, errors], [1, []])
})

test('calls of a deleted site are removed a day later, unless it is back by then', async (t) => {
  for (const isGone of [false, true]) {
    const {calls, store, time, events} = await callsOf(t, {isGone})
    for (const publicId of ['shop', 'back', 'stays'])
      calls.add(publicId, await siteOf(publicId, 1), [row('tool0')])
    await calls.flush()
    for (const publicId of ['shop', 'back', 'never-seen']) events.emit('absent', publicId)
    await new Promise(setImmediate)
    events.emit('compiled', 'back', [])
    const hasAfter = async (hours: number) => {
      time.now += hours * HOUR
      await calls.flush()
      return Promise.all(['shop', 'back', 'stays'].map((publicId) => store.has(publicId)))
    }
    assert.deepEqual(await hasAfter(23), [true, true, true])
    assert.deepEqual(await hasAfter(2), [!isGone, true, true])
  }
})

test('a damaged database is replaced, one of other content is not read, and none is created without calls', async (t) => {
  const {calls, store, path} = await callsOf(t)
  await store.prune(0)
  assert.deepEqual([await store.has('shop'), await calls.read('shop', 1)], [false, {calls: [], errors: []}])
  assert.equal(existsSync(path), false)

  writeFileSync(path, 'not a database '.repeat(1_000))
  calls.add('shop', await siteOf('shop', 1), [row('tool0')])
  assert.equal(sumOf(await calls.read('shop', 1)), 1)
  assert.equal(statSync(path).mode & 0o077, 0, 'only the owner reads it')
  const other = new SqliteCalls({path, origin: 'lake/shop/staging'})
  t.after(() => other.close())
  assert.equal(await other.has('shop'), false)
  const columns = new DatabaseSync(path, {readOnly: true})
  assert.equal(columns.prepare('SELECT * FROM calls').columns().length, 3 + DURATION_BOUNDS.length + 1)
  columns.close()
})
