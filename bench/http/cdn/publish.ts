import {setTimeout} from 'node:timers/promises'
import {median} from '../../median.ts'
import type {Table} from '../../report.ts'
import {answerOf} from '../answer.ts'
import {publicIdOf} from '../content/siteName.ts'
import type {Server} from '../servers.ts'
import {countsOf, countsSince} from './counts.ts'

export const PUBLISH_TITLE = 'A publish on a site of 100 tools behind one CDN location'

const SITES = 30

/** The location gets the configs spread over this time, in milliseconds, so that they also expire one by one. */
const FILL_FOR = 60_000

/** Pause after each publish, in milliseconds: the service fetches and compiles the site. */
const REST = 200

/** Interval between looks at a config, and the longest time until it has the change, in milliseconds. */
const LOOK_EVERY = 500
const PATIENCE = 90_000

export type PublishOptions = {
  service: Server
  /** The address of the location. */
  edge: string
  /** Publishes a change of a site. */
  publish: (publicId: string) => Promise<unknown>
}

/** Measures what publishes cost a service that no visitor asks meanwhile, and when the location has them. */
export async function measurePublishes({service, edge, publish}: PublishOptions): Promise<Table> {
  const sites = Array.from({length: SITES}, (_, number) => publicIdOf({tools: 100, bytes: 10_240}, number))
  const tagAt = async (address: string, site: string) =>
    (await answerOf(`${address}/api/sites/${site}/config?path=/`)).entityTag
  const before = new Map<string, string>()
  for (const site of sites) {
    before.set(site, await tagAt(edge, site))
    await setTimeout(FILL_FOR / SITES)
  }
  const start = await countsOf(service)
  const publishedAt = new Map<string, number>()
  for (const site of sites) {
    publishedAt.set(site, performance.now())
    await publish(site)
    await setTimeout(REST)
  }
  const publishes = await countsSince(start, service)
  const seconds = await Promise.all(
    sites.map(async (site) => {
      const since = publishedAt.get(site) ?? 0
      while ((await tagAt(edge, site)) === before.get(site)) {
        if (performance.now() - since > PATIENCE) throw new Error(`${site} does not change`)
        await setTimeout(LOOK_EVERY)
      }
      return (performance.now() - since) / 1_000
    }),
  )
  const visits = await countsSince(start, service)
  return {
    title: PUBLISH_TITLE,
    rows: [
      {
        publishes: SITES,
        'upstream queries each': publishes.queries / SITES,
        'CPU ms of the service each': publishes.cpu / SITES,
        'requests to the service for each page': visits.requests / SITES,
        'median s until the CDN has it': median(seconds),
        'longest s': Math.max(...seconds),
      },
    ],
  }
}
