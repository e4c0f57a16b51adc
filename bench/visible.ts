import {Agent, get} from 'node:http'
import {setTimeout} from 'node:timers/promises'
import {send} from '../test/soak/api.ts'
import {startPair} from '../test/soak/pair.ts'
import {siteDocument, toolDocument} from '../test/support/shop.ts'
import {publicIdOf} from './http/content/siteName.ts'
import {startLoad} from './http/load.ts'
import {type Server, startBenchedService, startUpstream} from './http/servers.ts'
import {fetchSites} from './http/sites.ts'
import {configPath} from './http/stage.ts'
import {median, quantile} from './median.ts'
import type {Summary} from './report.ts'
import type {Run} from './run.ts'

const PUBLISHES = 1_000
const PUBLISHES_IN_A_HURRY = 100

const SITES = 100_000
const SITES_IN_A_HURRY = 2_000

const SIZE = {tools: 10, bytes: 5_120}

/** The settings that docs/operations.md recommends for 100,000 sites. */
const ROOM = {SITE_MEMORY_MB: '1024', NODE_OPTIONS: '--max-old-space-size=1536'}

/** Target for the 99th percentile, in milliseconds. */
const TARGET = 250

/** Pause between two requests for a config, in milliseconds: without it, they take the CPU from the publish. */
const LOOK_EVERY = 2

/** Longest time until a change shows, in milliseconds. */
const PATIENCE = 10_000

const LAKE_TITLE = 'From a publish in the lake to the config, one after the other'
const MANY_TITLE = 'From a publish to the config, any of 100,000 sites'

/** Measures how long visitors get the old config after a publish. */
export async function benchVisible(run: Run): Promise<Summary> {
  const publishes = run.quick ? PUBLISHES_IN_A_HURRY : PUBLISHES
  if (run.wants(LAKE_TITLE)) await measureLake(publishes, run)
  if (run.wants(MANY_TITLE)) await measureManySites(publishes, run)
  return {
    title: 'Until a publish is visible',
    method: [
      'Milliseconds from the moment when the publish is sent until a client on the same machine, which requests the config again and again, gets it with the change.',
      'The lake is a real one, which commits to Git, and all of its work counts. For 100,000 sites, the Content Lake is simulated and needs no time to publish: what remains are the live event, the query and the compilation.',
    ],
  }
}

async function measureLake(publishes: number, run: Run): Promise<void> {
  const pair = await startPair({
    documents: [siteDocument(), toolDocument()],
    service: {RATE_LIMIT_MAX: '1000000000'},
  })
  run.cleanup.defer(() => pair.close())
  const ids = {draftId: 'drafts.search', publishedId: 'search'}
  const act = async (action: object) => {
    const {status, body} = await send(pair.lakeAddress, 'actions', {actions: [action]})
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  }
  const url = `${pair.service.address}/api/sites/shop-public/config?path=/`
  await requested(url)
  const committed: number[] = []
  const visible: number[] = []
  const later: number[] = []
  for (let number = 0; number < publishes; number++) {
    const description = `Searches the shop. Published: ${number}.`
    await act({actionType: 'sanity.action.document.edit', ...ids, patch: {set: {description}}})
    const began = performance.now()
    const since = () => performance.now() - began
    const publish = act({actionType: 'sanity.action.document.publish', ...ids})
    const [inLake, inService] = await Promise.all([
      publish.then(since),
      untilItHas(url, description).then(since),
    ])
    committed.push(inLake)
    visible.push(inService)
    later.push(inService - inLake)
  }
  run.show({
    title: LAKE_TITLE,
    rows: [
      rowOf('the lake responds: the commit is in Git', committed),
      rowOf('the service has it, after that', later),
      rowOf('the service has it', visible, TARGET),
    ],
  })
}

async function measureManySites(publishes: number, run: Run): Promise<void> {
  const upstream = await startUpstream(undefined, run)
  const service: Server = await startBenchedService(undefined, run, ROOM, upstream)
  const load = await startLoad(undefined, run)
  const sites = run.quick ? SITES_IN_A_HURRY : SITES
  console.log(`\nRequesting ${sites.toLocaleString('en-US')} sites, which takes a while.`)
  await fetchSites(service, load, configPath(SIZE, '/', '{n}'), sites)
  const visible: number[] = []
  for (let number = 0; number < publishes; number++) {
    const publicId = publicIdOf(SIZE, Math.floor((number * sites) / publishes))
    const began = performance.now()
    const [count] = await Promise.all([
      upstream.ask(publicId, PATIENCE),
      untilItHas(`${service.address}/api/sites/${publicId}/config?path=/`, 'Published: 1.'),
    ])
    if (count !== 1) throw new Error(`${publicId} was published before`)
    visible.push(performance.now() - began)
  }
  run.show({title: MANY_TITLE, rows: [rowOf('the service has it', visible, TARGET)]})
}

function rowOf(until: string, times: readonly number[], target?: number) {
  const p99 = quantile(times, 0.99)
  const verdict = target !== undefined && {target: `p99 < ${target}: ${p99 < target ? 'met' : 'not met'}`}
  return {
    until,
    'median ms': median(times),
    'p99 ms': p99,
    'longest ms': Math.max(...times),
    publishes: times.length,
    ...verdict,
  }
}

/** Requests a config until it contains a text. */
async function untilItHas(url: string, text: string): Promise<void> {
  const deadline = performance.now() + PATIENCE
  while (!(await requested(url)).includes(text)) {
    if (performance.now() > deadline) throw new Error(`${url} does not get "${text}"`)
    await setTimeout(LOOK_EVERY)
  }
}

const agent = new Agent({keepAlive: true, maxSockets: 1})

function requested(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, {agent}, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('error', reject).on('end', () => resolve(text))
    }).on('error', reject)
  })
}
