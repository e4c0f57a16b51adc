import {isDeepStrictEqual} from 'node:util'
import type {Browser} from 'playwright-core'
import {Random} from '../../soak/random.ts'
import {hold} from '../../soak/violation.ts'
import {configOf} from '../../support/answers.ts'
import {launchChromium, WEB_MCP} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import {siteDocument} from '../../support/shop.ts'
import {type Stage, startStage, type Visit} from '../support/stage.ts'
import {Editor, forms, paths} from './editor.ts'
import {type Footprint, footprintOf} from './memory.ts'

type Plan = {
  readonly seed: number
  readonly rounds: number
  /** Publishes before the first footprint is taken: browsers compile, and fill their own caches. */
  readonly warmUp: number
}

/** Bytes by which the heap may differ between two looks at the same page. */
const HEAP_TOLERANCE = 300_000

/**
 * Publishes repeatedly while a page is open that navigates and re-renders its forms. Checks after each
 * publish that its tools match the served config, and at the end that the page retains no more memory than
 * before.
 * @throws Violation
 */
export async function publishWhileOpen(plan: Plan): Promise<void> {
  // Its own browser: the counts of listeners and nodes are those of a process, in which other pages could be.
  const browser = await launchChromium({args: [WEB_MCP]})
  try {
    await publishIn(browser, plan)
  } finally {
    await browser.close()
  }
}

async function publishIn(browser: Browser, plan: Plan): Promise<void> {
  const random = new Random(plan.seed)
  const editor = new Editor(random)
  const stage = await startStage([siteDocument(), ...editor.rest()], {browser})
  try {
    const body = forms.map((id) => `<main><form id="${id}"><input name="q"><button>Go</button></form></main>`)
    for (const path of paths) stage.website.pages.set(path, {body: body.join('')})
    await stage.visit('/', (visit) => rounds(plan, {random, editor, stage, visit}))
  } finally {
    await stage.close()
  }
}

type Scene = {random: Random; editor: Editor; stage: Stage; visit: Visit}

async function rounds({rounds, warmUp}: Plan, scene: Scene): Promise<void> {
  const {editor, stage, visit} = scene
  let before: Footprint | undefined
  for (let round = 1; round <= rounds; round++) {
    await moveAbout(scene)
    await stage.publish(editor.work())
    await visit.refresh()
    await compare(scene, `after ${round} publishes`)
    if (round === warmUp) before = await restAndMeasure(scene)
  }
  hold(before !== undefined, 'more rounds are needed than those of the warm-up')
  const after = await restAndMeasure(scene)
  hold(after.listeners <= before.listeners, `listeners grew from ${before.listeners} to ${after.listeners}`)
  hold(after.nodes <= before.nodes, `nodes grew from ${before.nodes} to ${after.nodes}`)
  const growth = after.heapBytes - before.heapBytes
  hold(growth < HEAP_TOLERANCE, `the heap grew by ${growth} bytes in ${rounds - warmUp} publishes`)
}

/** The page navigates, re-renders a form, or does nothing. */
async function moveAbout({random, visit: {page}}: Scene): Promise<void> {
  if (random.chance(0.3)) await page.evaluate(`history.pushState(null, '', '${random.pick(paths)}')`)
  if (random.chance(0.3))
    await page.evaluate(
      'document.querySelectorAll("main").forEach((main) => { main.innerHTML = main.innerHTML })',
    )
}

/** Brings everything back to where it began, so that two footprints can be compared. */
async function restAndMeasure(scene: Scene): Promise<Footprint> {
  const {editor, stage, visit} = scene
  await visit.page.evaluate(`history.pushState(null, '', '/')`)
  await stage.publish(editor.rest())
  await visit.refresh()
  await compare(scene, 'at rest')
  return footprintOf(visit.page)
}

/** @throws Violation if the page's tools differ from the config served for its path. */
async function compare({random, stage, visit: {page, agent}}: Scene, when: string): Promise<void> {
  const {pathname} = new URL(page.url())
  const {tools, formTools} = await configOf(stage.house.config('shop-public', pathname))
  const served = [
    ...tools.map(({name, description, inputSchema}) => ({name, description, inputSchema})),
    ...formTools.map(({name, description}) => ({name, description, inputSchema: FORM_SCHEMA})),
  ]
  const registered = async () =>
    (await page.webmcp.tools()).map(({name, description, inputSchema}) => ({name, description, inputSchema}))
  // The browser registers forms, and the snippet sees new ones, a moment later.
  await eventually(registered, (found) => isDeepStrictEqual(byName(found), byName(served)), 10).catch(
    (error) => {
      hold(false, `${when}, at ${pathname}: served ${JSON.stringify(byName(served))}, ${error.message}`)
    },
  )

  const tool = random.pick(tools)
  const {output} = await agent.call(String(tool.name))
  hold(tool.executeJs === `return "${output}"`, `${when}: ${tool.name} ran ${output}, not ${tool.executeJs}`)
  agent.events.length = 0
}

const FORM_SCHEMA = {type: 'object', properties: {q: {type: 'string'}}, required: []}

function byName<T extends {name: unknown}>(tools: T[]): T[] {
  return tools.toSorted((one, other) => (String(one.name) < String(other.name) ? -1 : 1))
}
