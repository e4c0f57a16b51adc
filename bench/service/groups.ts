import type {Contestant} from './contest.ts'
import {contestant, revalidated} from './contestants.ts'
import type {Server} from './servers.ts'
import {BODIES, configPath, type Stage} from './stage.ts'

/** Contestants that are measured alternately, the baseline first. */
export type Group = {
  title: string
  /** The limit for the ratio of the service to the baseline, if it serves from memory. */
  limit?: number
  contestants(stage: Stage): Promise<readonly Contestant[]>
}

/**
 * The limit for the CPU time of the service, compared with a bare Fastify: the 1.2 of decision 12, and a twentieth
 * for the noise of a run.
 */
const HOT_LIMIT = 1.26

/** A typical site: ten tools of one kilobyte, half of them on a page. */
export const SITES = configPath({tools: 10, bytes: 5_120}, '{n}')
const VISITED = 100

const HOT = '10kb.json'

export const GROUPS: readonly Group[] = [
  {
    title: 'A hot site, 200 at 10 KB',
    limit: HOT_LIMIT,
    contestants: ({fastify, service}) =>
      Promise.all([contestant(fastify, {path: `/${HOT}`}), contestant(service, {path: BODIES[HOT]})]),
  },
  {
    title: 'A hot site, 304',
    limit: HOT_LIMIT,
    contestants: ({fastify, service}) =>
      Promise.all([revalidated(fastify, `/${HOT}`), revalidated(service, BODIES[HOT])]),
  },
]

/** Creates a group for the number of visited sites. The server `many` already holds `held` sites. */
export function sitesGroup(many: Server, held: number): Group {
  const visits = (numbers: number) => {
    const name = `service, ${counted(held)} sites, ${counted(numbers)} visited`
    return contestant(many, {path: SITES, numbers, step: held / numbers}, name)
  }
  return {
    title: `${counted(held)} sites of 10 tools, 200 at 5 KB`,
    contestants: ({fastify}) =>
      Promise.all([contestant(fastify, {path: '/5kb.json'}), visits(VISITED), visits(held)]),
  }
}

function counted(number: number): string {
  return number.toLocaleString('en-US')
}
