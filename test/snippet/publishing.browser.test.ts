import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Page} from 'playwright-core'
import {configOf} from '../support/answers.ts'
import {launchChromium, WEB_MCP} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import {formToolDocument, siteDocument, toolDocument} from '../support/shop.ts'
import {type Stage, startStage, type Visit} from './support/stage.ts'

const ROUNDS = 20
/** Publishes before memory is measured for the first time: browsers compile, and fill their own caches. */
const WARM_UP = 8

/** Bytes by which the heap may differ between two looks at the same page. */
const HEAP_TOLERANCE = 300_000

const PATHS = ['/', '/a', '/b']
const PATTERNS = ['/**', '/', '/a', '/{a,b}']
const FORM = {type: 'object', properties: {q: {type: 'string'}}, required: []}

/** The documents after so many publishes: tools come and go, change their pages, scripts and schemas, and exchange names. */
function documentsOf(round: number, isAtRest = false) {
  const edition = {description: `Description ${round}.`, executeJs: `return "script ${round}"`}
  const tools = Array.from({length: 8}, (_, index) => {
    const turn = isAtRest ? 0 : (round + 1) * (index + 1)
    return toolDocument({
      _id: `tool-${index}`,
      name: `name-${turn % 3 === 1 ? index ^ 1 : index}`,
      enabled: isAtRest || turn % 4 !== 3,
      pathPattern: PATTERNS[turn % PATTERNS.length],
      inputSchema: JSON.stringify({type: 'object', properties: {[`p${turn}`]: {}}}),
      ...edition,
    })
  })
  const forms = ['first', 'second'].map((form, index) =>
    formToolDocument({
      _id: `form-${form}`,
      name: `form-${form}`,
      pagePath: '/**',
      selector: `#${form}`,
      enabled: isAtRest || (round + index) % 3 !== 2,
      description: edition.description,
    }),
  )
  return [...tools, ...forms, toolDocument({_id: 'edition', name: 'edition', ...edition})]
}

/** The memory that a page retains after garbage was collected. */
async function footprintOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  // What the first collection frees in the one heap can free more in the other.
  for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage')
  const {jsEventListeners: listeners, nodes} = await session.send('Memory.getDOMCounters')
  const {usedSize} = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return {listeners, nodes, heapBytes: usedSize}
}

const byName = (tools: readonly {readonly name: unknown}[]) =>
  JSON.stringify(tools.toSorted((one, other) => (String(one.name) < String(other.name) ? -1 : 1)))

/** Asserts that the tools of the page are those of the config for its path, and that one runs its newest script. */
async function compare({house}: Stage, {page, agent}: Visit): Promise<void> {
  const {tools, formTools} = await configOf(house.config('shop-public', new URL(page.url()).pathname))
  const served = [
    ...tools.map(({name, description, inputSchema}) => ({name, description, inputSchema})),
    ...formTools.map(({name, description}) => ({name, description, inputSchema: FORM})),
  ]
  // The browser registers forms, and the snippet sees new ones, a moment later.
  await eventually(async () => {
    const found = await page.webmcp.tools()
    return byName(found.map(({name, description, inputSchema}) => ({name, description, inputSchema})))
  }, byName(served))
  const [tool] = tools
  const {output} = await agent.call(String(tool?.name))
  assert.equal(tool?.executeJs, `return "${output}"`)
  agent.events.length = 0
}

test('a page open during 20 publishes always has the served tools, and leaks nothing', async (t) => {
  // Its own browser: the counts of listeners and nodes are those of a process, in which other pages could be.
  const browser = await launchChromium({args: [WEB_MCP]})
  t.after(() => browser.close())
  const stage = await startStage([siteDocument(), ...documentsOf(0, true)], {browser})
  t.after(() => stage.close())
  const body = ['first', 'second'].map(
    (id) => `<main><form id="${id}"><input name="q"><button>Go</button></form></main>`,
  )
  for (const path of PATHS) stage.website.pages.set(path, {body: body.join('')})
  await stage.visit('/', async (visit) => {
    const {page} = visit
    const step = async (path: string | undefined, ...documents: Parameters<typeof documentsOf>) => {
      await page.evaluate(`history.pushState(null, '', '${path}')`)
      await stage.publish(documentsOf(...documents))
      await visit.refresh()
      await compare(stage, visit)
    }
    const footprints: Awaited<ReturnType<typeof footprintOf>>[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      // Frameworks render their forms again.
      if (round % 3 === 0)
        await page.evaluate('document.querySelectorAll("main").forEach((main) => { main.innerHTML += "" })')
      await step(PATHS[round % PATHS.length], round)
      if (round !== WARM_UP && round !== ROUNDS) continue
      await step('/', ROUNDS + round, true)
      footprints.push(await footprintOf(page))
    }
    const [before, after] = footprints
    assert.ok(before && after)
    assert.ok(after.listeners <= before.listeners, `${before.listeners} listeners became ${after.listeners}`)
    assert.ok(after.nodes <= before.nodes, `${before.nodes} nodes became ${after.nodes}`)
    const growth = after.heapBytes - before.heapBytes
    assert.ok(growth < HEAP_TOLERANCE, `the heap grew by ${growth} bytes`)
  })
})
