import {platform} from 'node:os'
import {setTimeout} from 'node:timers/promises'
import type {Summary} from '../../report.ts'
import type {Run} from '../../run.ts'
import {startLoad} from '../load.ts'
import {hasNginx} from '../nginx.ts'
import {type Server, startBenchedService, startUpstream} from '../servers.ts'
import {fetchSites} from '../sites.ts'
import {configPath} from '../stage.ts'
import {countsOf, countsSince} from './counts.ts'
import {startEdge} from './edge.ts'
import {type Polled, poll, type Tabs} from './polls.ts'
import {measurePublishes, PUBLISH_TITLE} from './publish.ts'

/** Longer than a response is kept, so that the rates are those of a CDN that has run for hours; in seconds. */
const WARM_UP = 65

const SMALL_TITLE = 'One CDN location, 3,020 pages'
const LARGE_TITLE = 'One CDN location, 100,000 pages'

/** The settings that docs/operations.md recommends for 100,000 sites. */
const ROOM = {SITE_MEMORY_MB: '1024', NODE_OPTIONS: '--max-old-space-size=1536'}

/** Measures what reaches a service behind a CDN, which nginx simulates in real time, and what a publish costs. */
export async function benchCdn(run: Run): Promise<Summary> {
  if (platform() !== 'linux' || !hasNginx())
    throw new Error('This benchmark needs Linux and nginx: leave out "cdn".')
  const seconds = run.quick ? 60 : 120
  const upstream = await startUpstream(undefined, run)
  const service = await startBenchedService(undefined, run, ROOM, upstream)
  const {address: edge} = await startEdge(service.address, run)
  const load = await startLoad(undefined, run)

  const visit = async (title: string, groups: readonly Tabs[]) => {
    for (const {path, pages} of groups) await fetchSites(service, load, path, pages)
    console.log(`\nPolling for ${WARM_UP + seconds} seconds.`)
    const polling = poll({address: edge, groups, warmUp: WARM_UP, seconds}, run)
    const [polled, cost] = await Promise.all([polling, costAfterWarmUp(service, seconds)])
    run.show({title, rows: groups.map((group, index) => rowOf(group, polled[index], seconds))})
    run.show({title: `${title}: the service`, rows: [cost]})
  }
  if (run.wants(SMALL_TITLE))
    await visit(SMALL_TITLE, [
      tabsOf(5_001, 1_000, 1),
      tabsOf(5_002, 1_000, 10),
      tabsOf(5_003, 1_000, 100),
      tabsOf(5_004, 20, 1_000),
    ])
  if (run.wants(LARGE_TITLE)) await visit(LARGE_TITLE, [tabsOf(5_005, run.quick ? 2_000 : 100_000, 10)])
  if (run.wants(PUBLISH_TITLE)) {
    const publish = (site: string) => upstream.ask(site, 10_000)
    run.show(await measurePublishes({service, edge, publish}))
  }
  return {
    title: 'A CDN in front',
    method: [
      'nginx is one location of a CDN, in real time: it keeps a config for 60 seconds less its `Age`, then revalidates it with its entity tag. The service and the simulated Content Lake are real processes.',
      `Each tab polls its page once in 300 seconds, beginning at a random time, with the entity tag that it has. ${seconds} seconds are measured, after ${WARM_UP} seconds.`,
      'Each page belongs to a site of its own. n / (n + 6) is the share computed in docs/scale.md.',
      'CPU: time of the service in these seconds, including what it does without requests.',
    ],
  }
}

/** @param bytes the size of a config, by which the sites of groups differ. */
function tabsOf(bytes: number, pages: number, each: number): Tabs {
  return {path: configPath({tools: 10, bytes}, '/', '{n}'), pages, each}
}

function rowOf({pages, each}: Tabs, polled: Polled | undefined, seconds: number) {
  const {polls, hits} = polled ?? {polls: 0, hits: 0}
  return {
    pages,
    'tabs on each': each,
    'polls/s': polls / seconds,
    'served by the CDN': percent(hits / polls),
    'n / (n + 6)': percent(each / (each + 6)),
    'requests/s to the service': (polls - hits) / seconds,
  }
}

async function costAfterWarmUp(service: Server, seconds: number) {
  await setTimeout(WARM_UP * 1_000)
  const before = await countsOf(service)
  await setTimeout(seconds * 1_000)
  const {requests, notModified, queries, cpu} = await countsSince(before, service)
  return {
    'requests/s': requests / seconds,
    'of these 304': percent(notModified / requests),
    'upstream queries': queries,
    'CPU ms/s': cpu / seconds,
    'CPU µs per request': (cpu * 1_000) / requests,
  }
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}
