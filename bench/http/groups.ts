import {pageTemplate} from './content/documents.ts'
import type {Contestant} from './contest.ts'
import {contestant, revalidated} from './contestants.ts'
import type {Target} from './load.ts'
import type {Server} from './servers.ts'
import {fetchSites, untilWritten} from './sites.ts'
import {BODIES, configPath, type Stage} from './stage.ts'

/** Contestants that are measured alternately, the baseline first. */
export type Group = {
  title: string
  /** The target for the ratio of the service to the baseline: at most this value. */
  target?: number
  /**
   * Whether requests may wait for upstream. Otherwise such a request is an error, because the benchmark would
   * measure something else.
   */
  mayMiss?: boolean
  contestants(stage: Stage): Promise<readonly (Contestant | undefined)[]>
}

/** Number of different paths in a site, for groups where it does not matter. */
const FEW_PATHS = 16

/** A typical site: ten tools of one kilobyte, half of them on a page. */
export const SITES = configPath({tools: 10, bytes: 5_120}, '/', '{n}')
const SOME = 1_000
const VISITED = 100

const THOUSAND = {tools: 1_000, bytes: 9_216}

export const SITES_TITLE = 'Sites of 10 tools, 200 at 5 KB'

export const GROUPS: readonly Group[] = [
  bodyGroup('200 at 10 KB', '10kb.json', 1),
  bodyGroup('200 at 100 KB', '100kb.json', 1.15),
  {
    title: '304',
    target: 1,
    contestants: ({fastify, node, nginx, service}) =>
      Promise.all([
        revalidated(fastify, '/10kb.json'),
        revalidated(node, '/10kb.json'),
        nginx && revalidated(nginx, '/10kb.json'),
        revalidated(service, BODIES['10kb.json']),
        revalidated(service, BODIES['10kb.json'], 'br'),
      ]),
  },
  {
    title: '404, an unknown site',
    contestants: ({fastify, node, service}) =>
      Promise.all([
        contestant(fastify, {path: '/404.json', status: 404}),
        contestant(node, {path: '/404.json', status: 404}),
        contestant(service, {path: BODIES['404.json'], status: 404}),
      ]),
  },
  {
    title: 'Tools in a site, 200 at 10 KB',
    contestants: ({fastify, service}) =>
      Promise.all([
        contestant(fastify, {path: '/10kb.json'}),
        ...[1, 10, 100, 1_000, 10_000].map((tools) =>
          contestant(service, pagesOf(tools), {name: `service, ${counted(tools, 'tool')}`}),
        ),
      ]),
  },
  bodyGroup('All of 1,000 tools, 200 at 1 MB', '1mb.json'),
  {
    title: 'Distinct paths on a site of 1,000 tools, 200 at 10 KB',
    contestants: ({fastify, service}) =>
      Promise.all([
        contestant(fastify, {path: '/10kb.json'}),
        ...[16, 1_000, 100_000].map((numbers) =>
          contestant(
            service,
            {path: configPath(THOUSAND, pageTemplate(THOUSAND)), numbers},
            {name: `service, ${counted(numbers, 'path')}`},
          ),
        ),
      ]),
  },
]

/**
 * Creates a group for the number of sites in memory and of visited sites. The server `many` already holds
 * `held` sites.
 */
export function sitesGroup(many: Server, held: number): Group {
  return {
    title: SITES_TITLE,
    target: 1.6,
    mayMiss: true,
    contestants: async ({fastify, service, load}) => {
      await fetchSites(service, load, SITES, SOME)
      await untilWritten(service)
      const visits = (server: Server, sites: number, numbers: number) =>
        contestant(
          server,
          {path: SITES, numbers, step: sites / numbers},
          {name: `service, ${counted(sites, 'site')}, ${numbers.toLocaleString('en-US')} visited`},
        )
      return Promise.all([
        contestant(fastify, {path: '/5kb.json'}),
        visits(service, 1, 1),
        visits(service, SOME, VISITED),
        visits(many, held, VISITED),
        visits(many, held, held),
      ])
    },
  }
}

/** Creates a group where all servers send the same bytes, and the service also in each coding. */
function bodyGroup(title: string, file: keyof typeof BODIES, target?: number): Group {
  return {
    title,
    ...(target === undefined ? {} : {target}),
    contestants: ({fastify, node, nginx, service}) =>
      Promise.all([
        contestant(fastify, {path: `/${file}`}),
        contestant(node, {path: `/${file}`}),
        nginx && contestant(nginx, {path: `/${file}`}),
        contestant(service, {path: BODIES[file]}),
        contestant(service, {path: BODIES[file]}, {coding: 'br'}),
        contestant(service, {path: BODIES[file]}, {coding: 'gzip'}),
      ]),
  }
}

/** Returns pages with the tools of all pages and, if there are more, one tool of their own: 10 KB. */
function pagesOf(tools: number): Pick<Target, 'path' | 'numbers'> {
  if (tools === 1) return {path: configPath({tools, bytes: 10_240}, '/page-{n}'), numbers: FEW_PATHS}
  const size = {tools, bytes: 9_216}
  return {path: configPath(size, pageTemplate(size)), numbers: Math.min(FEW_PATHS, tools - 5)}
}

function counted(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}
