import {type Run, within} from '../report.ts'
import {compete, type Entry, type Result, resultsOf} from './contest.ts'
import {GROUPS, type Group, SITES, sitesGroup} from './groups.ts'
import {startBenchedService} from './servers.ts'
import {measureColdSites, measureMemory} from './sites.ts'
import {type Stages, startStages} from './stage.ts'

const CONNECTIONS = 32

/**
 * Turns in which the client sends enough for the steps of ten milliseconds in which Linux counts; and many of them, because a
 * machine that others use too is slower or faster for about a second at a time.
 */
const FULL = {warmUps: 6, rounds: 7, milliseconds: 700, connections: CONNECTIONS}
const QUICK = {warmUps: 3, rounds: 5, milliseconds: 600, connections: CONNECTIONS}

/** Processes of each server. */
const PROCESSES = 2
const PROCESSES_IN_A_HURRY = 1

const COLD_ROUNDS = 3

const MANY = 100_000
/** The settings that docs/operations.md recommends for this many sites. */
const ROOM_FOR_MANY = {
  SITE_MEMORY_MB: '700',
  NODE_OPTIONS: '--max-old-space-size=900 --max-semi-space-size=16',
  MALLOC_ARENA_MAX: '1',
}
const MANY_IN_A_HURRY = 2_000

/**
 * The minimum share of requests served from memory. With fewer, the benchmark would measure something else.
 */
const ENOUGH_HITS = 0.99

/**
 * Measures the cost of requests to the service, compared with servers that only send the same bytes.
 * @throws if CPU time cannot be read, or the benchmark would measure something other than it claims.
 */
export async function benchService(run: Run) {
  const pace = run.quick ? QUICK : FULL
  const stages = await startStages(run, run.quick ? PROCESSES_IN_A_HURRY : PROCESSES)
  const [stage] = stages
  if (!stage.cores)
    console.error('No server is pinned to a core: there is only one core, or no taskset (util-linux).')

  const contest = async (group: Group) => {
    const contests: Entry[][] = []
    for (const place of stages) contests.push(await compete(await group.contestants(place), pace, place.load))
    const results = resultsOf(contests)
    for (const {hits = 1, contestant} of results) {
      if (group.limit !== undefined && hits < ENOUGH_HITS)
        throw new Error(`${group.title}, ${contestant.name}: ${percent(hits)} came from memory`)
    }
    run.show({title: group.title, rows: results.map((result) => rowOf(result, group))})
  }

  for (const group of GROUPS) await contest(group)
  const services = stages.map(({service}) => service)
  run.show(await measureColdSites(services, stage.load, COLD_ROUNDS))
  const many = await startBenchedService(stage.cores, run, ROOM_FOR_MANY)
  const count = run.quick ? MANY_IN_A_HURRY : MANY
  run.show(await measureMemory(many, stage.load, SITES, count))
  await contest(sitesGroup(many, count))
  return {title: 'The service', method: methodOf(stages, pace)}
}

function methodOf(stages: Stages, {warmUps, rounds, milliseconds}: typeof FULL): string[] {
  const [{cores}] = stages
  return [
    'CPU µs: user and system time of all threads of the server’s process, as Linux counts it, divided by the requests that it served.',
    cores
      ? 'Each server runs in its own process, pinned to one core; the client and the simulated Content Lake share another.'
      : 'Each server runs in its own process. None was pinned to a core.',
    `The client keeps ${CONNECTIONS} connections busy, with one request at a time on each.`,
    `Each server has ${stages.length === 1 ? 'one process' : `${stages.length} processes`}, except with 100,000 sites, because identical processes differ by an eighth. In each of them there are ${rounds} rounds after ${warmUps} turns to warm up. In each round, every server of a table has a turn of ${milliseconds} ms; every other round runs in reverse order.`,
    'Ratio: CPU of the row divided by CPU of the first row in the same round. All figures are medians of the rounds.',
    'The service runs with its defaults: CORS, limits that count but refuse nothing here, metrics and Age, in front of a Content Lake that generates sites. Baselines send the bytes that the service sent.',
    'A generated tool takes a kilobyte of a response, nearly half of it a script, and has a UUID, as in Studio. Five tools of a site are on all of its pages and together make up the intended size of the response; the others have their own patterns: 60 % name one page, 25 % are like `/a/*`, 15 % like `/a/**`.',
    'RSS: memory of the process after the table was measured, including what it keeps from earlier tables.',
  ]
}

function rowOf({contestant, cpu, ratio, memory, hits}: Result, {limit}: Group) {
  const {name, server, sent} = contestant
  return {
    server: name,
    sent,
    'CPU µs': cpu,
    ratio,
    ...(limit !== undefined && server.isService && within(ratio, limit)),
    'RSS MiB': memory / 2 ** 20,
    'from memory': hits === undefined ? '' : percent(hits),
  }
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}
