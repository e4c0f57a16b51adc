import type {Contestant} from './contest.ts'
import {contestant, revalidated} from './contestants.ts'
import {pageTemplate} from './documents.ts'
import type {Target} from './load.ts'
import type {Server} from './servers.ts'
import {fetchSites, untilWritten} from './sites.ts'
import {BODIES, configPath, type Stage} from './stage.ts'

/** Contestants that are measured in turns, the baseline first. */
export type Group = {
  title: string
  /** The highest ratio of the service to the baseline that is wanted. */
  target?: number
  /** Requests may wait for the lake: else one is an error of the benchmark, which would measure something else. */
  mayMiss?: boolean
  contestants(stage: Stage): Promise<readonly (Contestant | undefined)[]>
}

/** Paths that visitors of one site ask for, where it does not matter which. */
const FEW_PATHS = 16

/** What is typical: ten tools of one kilobyte, half of them on a page. */
export const SITES = configPath({tools: 10, bytes: 5_120}, '/', '{n}')
const SOME = 1_000
const VISITED = 100

const THOUSAND = {tools: 1_000, bytes: 9_216}

export const SITES_TITLE = 'Sites of 10 tools, 200 at 5 KB'

export const GROUPS: readonly Group[] = [
  bodyGroup('200 at 10 KB', '10kb.json', 1.25),
  bodyGroup('200 at 100 KB', '100kb.json', 1.15),
  {
    title: '304',
    target: 1.25,
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
    title: '404, a site that nobody has',
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

/** Sites in memory, and how many of them are visited. Those of `many` are there already: `held` of them. */
export function sitesGroup(many: Server, held: number): Group {
  return {
    title: SITES_TITLE,
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

/** The same bytes from everybody; from the service in each coding too. */
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

/** Pages that have the tools of all pages and, where there are more, one of their own: 10 KB. */
function pagesOf(tools: number): Pick<Target, 'path' | 'numbers'> {
  if (tools === 1) return {path: configPath({tools, bytes: 10_240}, '/page-{n}'), numbers: FEW_PATHS}
  const size = {tools, bytes: 9_216}
  return {path: configPath(size, pageTemplate(size)), numbers: Math.min(FEW_PATHS, tools - 5)}
}

function counted(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}
