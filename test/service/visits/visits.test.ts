import assert from 'node:assert/strict'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {Counts} from '../../../service/counts/counts.ts'
import {SqliteCounts} from '../../../service/counts/sqliteCounts.ts'
import {ANY_PAGE, type CountsStore, KEPT_HOURS, VISIT} from '../../../service/counts/store.ts'
import {ReplicaDatabase} from '../../../service/database.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {configFor} from '../../../service/site/answer.ts'
import {Visits} from '../../../service/visits/visits.ts'
import {temporaryFolder} from '../../lake/support/git.ts'
import {compileSite} from '../support/compile.ts'
import {toolOf} from '../support/entries.ts'

const START = 1_800_000_000_000

/** A site with a tool for each of these pages, whose ID is the page. */
const siteOf = (publicId: string, pages: readonly string[]) =>
  compileSite({
    _id: publicId,
    _rev: '1',
    publicId,
    enabled: true,
    pollInterval: 300,
    tools: pages.map((page, number) => toolOf(number, {_id: page, _rev: '1', pathPattern: page})),
    formTools: [],
  })

/** The visits of a test, whose clock is `time.now`. */
async function visitsOf(t: TestContext, folder?: string) {
  const time = {now: START}
  const shop = await siteOf('shop', ['/cart', '/products/*'])
  const database = new ReplicaDatabase(join(folder ?? (await temporaryFolder(t)), 'counts.db'))
  t.after(() => database.close())
  const store: CountsStore = new SqliteCounts({database, origin: 'lake/shop/production'})
  const counts = new Counts({store, clock: () => time.now, events: createServiceEvents()})
  t.after(() => counts.close())
  const visits = new Visits(counts)
  const see = (path: string) => visits.see('shop', configFor(shop, path))
  const times = async (publicId = 'shop') => Object.fromEntries(await visits.of(publicId))
  return {time, store, counts, visits, see, times}
}

test('a page marks its site and its tools, and no others', async (t) => {
  const {time, see, times} = await visitsOf(t)
  assert.deepEqual(await times(), {})
  see('/cart')
  time.now += 60_000
  see('/products/7')
  time.now += 60_000
  see('/imprint')
  assert.deepEqual(await times(), {
    [ANY_PAGE]: START + 120_000,
    '/cart': START,
    '/products/*': START + 60_000,
  })
  assert.deepEqual(await times('blog'), {})
})

test('a config that many pages ask for is recorded once in ten seconds', async (t) => {
  const {time, counts, see} = await visitsOf(t)
  let collected = 0
  const {add} = counts
  counts.add = (...visit) => {
    collected += 1
    return add.apply(counts, visit)
  }
  for (let at = 0; at < 100; at++) {
    time.now = START + at * 200
    see('/cart')
  }
  assert.equal(collected, 4, 'the site and its tool, twice')
})

test('the last visit counts, also after a clock was set back, but none of one that is far ahead, and old ones are removed', async (t) => {
  const {time, store, counts, see, times} = await visitsOf(t)
  const add = (tool: string, number: number) => counts.add('shop', {...VISIT, tool, number})
  add('/cart', START + 86_400_000)
  add('ahead', START + 86_400_000)
  add('soon', START + 1_000)
  add('yesterday', START - 86_400_000)
  add('old', START - (KEPT_HOURS + 1) * 3_600_000)
  await counts.flush()
  see('/cart')
  await counts.flush()
  await store.prune(Math.floor(START / 3_600_000) - KEPT_HOURS)
  const expected = {[ANY_PAGE]: START, '/cart': START, soon: START, yesterday: START - 86_400_000}
  assert.deepEqual(await times(), expected)
  time.now += 86_400_000
  assert.equal((await times()).ahead, START + 86_400_000)
})
