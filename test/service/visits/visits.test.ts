import assert from 'node:assert/strict'
import {existsSync} from 'node:fs'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {createServiceEvents} from '../../../service/events.ts'
import {configFor} from '../../../service/site/answer.ts'
import {ANY_PAGE, KEPT_FOR, Visits, type VisitTimes} from '../../../service/visits/visits.ts'
import {VisitsFile} from '../../../service/visits/visitsFile.ts'
import {compileSite} from '../support/compile.ts'
import {toolOf} from '../support/entries.ts'

const START = 1_800_000_000_000

/** A site with a tool for each of these pages, whose ID is the page. */
const siteOf = (siteId: string, pages: readonly string[], revision = '1') =>
  compileSite({
    _id: siteId,
    _rev: revision,
    publicId: `${siteId}-public`,
    enabled: true,
    pollInterval: 300,
    tools: pages.map((page, number) => toolOf(number, {_id: page, _rev: '1', pathPattern: page})),
    formTools: [],
  })

/** The visits of a test, whose clock is `time.now`. */
async function visitsOf(...others: [fleet?: ConstructorParameters<typeof Visits>[1], maxTimes?: number]) {
  const time = {now: START}
  const shop = await siteOf('shop', ['/cart', '/products/*'])
  const visits = new Visits(() => time.now, ...others)
  const see = (path: string, site = shop) => visits.see(site, configFor(site, path))
  return {time, visits, see}
}

const timesOf = async (visits: Visits, siteId = 'shop') => Object.fromEntries(await visits.of(siteId))

test('a page marks its site and its tools, and no others', async () => {
  const {time, visits, see} = await visitsOf()
  assert.deepEqual(await timesOf(visits), {})
  see('/cart')
  time.now += 60_000
  see('/products/7')
  time.now += 60_000
  see('/imprint')
  assert.deepEqual(await timesOf(visits), {
    [ANY_PAGE]: START + 120_000,
    '/cart': START,
    '/products/*': START + 60_000,
  })
  assert.deepEqual(await timesOf(visits, 'blog'), {})
})

test('a config that many pages ask for is recorded once in ten seconds', async () => {
  const {time, visits, see} = await visitsOf()
  let changes = 0
  visits.onChange = () => {
    changes += 1
  }
  for (let at = 0; at < 100; at++) {
    time.now = START + at * 200
    see('/cart')
  }
  assert.equal(changes, 2)
})

test('tools that a site does not have any more are forgotten', async () => {
  const {time, visits, see} = await visitsOf()
  see('/cart')
  see('/products/7')
  time.now += 60_000
  see('/help', await siteOf('shop', ['/help'], '2'))
  assert.deepEqual(await timesOf(visits), {[ANY_PAGE]: time.now, '/help': time.now})
})

test('the least recently visited sites are forgotten beyond a limit', async () => {
  const {visits, see} = await visitsOf(undefined, 4)
  const pages = ['/a']
  see('/a', await siteOf('first', pages))
  see('/a', await siteOf('second', pages))
  see('/a', await siteOf('third', pages))
  assert.deepEqual(
    visits.all().map(([siteId]) => siteId),
    ['second', 'third'],
  )
})

test('the newest time of all replicas counts, but none of a clock that is far ahead, and no old one', async () => {
  const ofOthers: VisitTimes = new Map([
    [ANY_PAGE, START + 1_000],
    ['/cart', START - 50_000],
    ['ahead', START + 86_400_000],
    ['old', START - KEPT_FOR],
  ])
  const added: [string, VisitTimes][] = []
  const {visits, see} = await visitsOf({
    add: (...times) => added.push(times),
    of: async () => ofOthers,
  })
  see('/cart')
  assert.deepEqual(await timesOf(visits), {[ANY_PAGE]: START, '/cart': START})
  assert.deepEqual(added, [['shop', new Map([ANY_PAGE, '/cart'].map((id) => [id, START]))]])
})

/** A folder and a log of failures. */
async function stateOf(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'visits-'))
  t.after(() => rm(dir, {recursive: true}))
  const events = createServiceEvents()
  const failures: string[] = []
  events.on('snapshotFailed', (what) => failures.push(what))
  return {failures, options: {dir, origin: 'lake/shop/production', events}}
}

test('times are kept over a restart, for the same content', async (t) => {
  const {options, failures} = await stateOf(t)
  const first = await visitsOf()
  const file = await VisitsFile.open(first.visits, options)
  first.see('/cart')
  await file.flush()
  const second = await visitsOf()
  await VisitsFile.open(second.visits, options)
  assert.deepEqual(await timesOf(second.visits), {[ANY_PAGE]: START, '/cart': START})
  const other = await visitsOf()
  await VisitsFile.open(other.visits, {...options, origin: 'lake/shop/staging'})
  assert.deepEqual(await timesOf(other.visits), {})
  assert.deepEqual(failures, [])
})

test('a flush waits for a write in progress', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const {options} = await stateOf(t)
  const {visits, see} = await visitsOf()
  const file = await VisitsFile.open(visits, options)
  see('/cart')
  t.mock.timers.runAll()
  await file.flush()
  assert.equal(existsSync(join(options.dir, 'visits.json')), true)
})

test('a damaged file is reported and replaced', async (t) => {
  const {options, failures} = await stateOf(t)
  await writeFile(join(options.dir, 'visits.json'), '{"format": 1')
  const first = await visitsOf()
  const file = await VisitsFile.open(first.visits, options)
  assert.deepEqual(failures, ['read'])
  first.see('/cart')
  await file.flush()
  const second = await visitsOf()
  await VisitsFile.open(second.visits, options)
  assert.equal((await timesOf(second.visits))['/cart'], START)
})
