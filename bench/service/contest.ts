import {setTimeout} from 'node:timers/promises'
import {processorTime, residentBytes} from '../../test/support/processes.ts'
import {median} from '../median.ts'
import type {Load, Target} from './load.ts'
import {type Answers, answersOf, type Server} from './servers.ts'

/** A server to measure, and the requests to send. */
export type Contestant = {
  name: string
  server: Server
  target: Target
  /** A description of its response. */
  sent: string
}

/** Duration and number of measurements in each process. */
export type Pace = {
  /** Turns before the first round: the engine compiles what a server runs, which takes some seconds. */
  warmUps: number
  rounds: number
  milliseconds: number
  connections: number
}

/** Medians of all rounds. */
export type Result = {
  contestant: Contestant
  /** CPU time per request in the server's process, in microseconds. */
  cpu: number
  /** Compared with the first contestant in the same round. */
  ratio: number
  /** Memory of the server after all rounds, in bytes. */
  memory: number
  /** The share of requests that were served from memory without waiting. */
  hits: number | undefined
}

type Round = {cpu: number; answers: Answers | undefined}

/** A contestant, what was measured so far, and the memory of its server in bytes. */
export type Entry = {contestant: Contestant; rounds: Round[]; sent: number; memory: number}

/** Pause before the next server is measured, in milliseconds. */
const REST = 50

/**
 * Measures contestants alternately. Each round includes all of them, so that a disturbance which lasts longer
 * than a round affects all. Every other round has the reverse order. The first contestant is the baseline.
 */
export async function compete(contestants: readonly Contestant[], pace: Pace, load: Load): Promise<Entry[]> {
  const entries = contestants.map((contestant): Entry => ({contestant, rounds: [], sent: 0, memory: 0}))

  async function turn(entry: Entry): Promise<Round> {
    const {server, target} = entry.contestant
    const answersBefore = server.isService ? await answersOf(server.address) : undefined
    const before = await processorTime(server.pid)
    const requests = await load.send({...target, ...pace, sent: entry.sent})
    await setTimeout(REST)
    const time = (await processorTime(server.pid)) - before
    entry.sent += requests
    const answers = answersBefore && since(answersBefore, await answersOf(server.address))
    return {answers, cpu: (time * 1_000) / requests}
  }

  for (const entry of entries) {
    for (let warmUp = 0; warmUp < pace.warmUps; warmUp += 1) await turn(entry)
  }
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const entry of round % 2 === 0 ? entries : entries.toReversed()) entry.rounds.push(await turn(entry))
  }
  for (const entry of entries) entry.memory = await residentBytes(entry.contestant.server.pid)
  return entries
}

/**
 * Combines contests of the same contestants in different processes: identical processes differ by an eighth, because the
 * engine compiled them differently.
 */
export function resultsOf(contests: readonly (readonly Entry[])[]): Result[] {
  const [first = []] = contests
  return first.map(({contestant}, position) => {
    const entries = contests.flatMap((contest) => contest[position] ?? [])
    const rounds = entries.flatMap((entry) => entry.rounds)
    const baseline = contests.flatMap(([entry]) => entry?.rounds ?? [])
    return {
      contestant,
      cpu: median(rounds.map(({cpu}) => cpu)),
      ratio: medianRatio(rounds, baseline),
      memory: median(entries.map(({memory}) => memory)),
      hits: hitsOf(rounds),
    }
  })
}

/** Returns the median of the ratios between measurements of the same round. */
export function medianRatio(rounds: readonly {cpu: number}[], baseline: readonly {cpu: number}[]): number {
  return median(rounds.map(({cpu}, round) => cpu / (baseline[round]?.cpu ?? Number.NaN)))
}

function since(before: Answers, after: Answers): Answers {
  return {hits: after.hits - before.hits, all: after.all - before.all}
}

function hitsOf(rounds: readonly Round[]): number | undefined {
  const sum = {hits: 0, all: 0}
  for (const {answers} of rounds) {
    if (!answers) return undefined
    sum.hits += answers.hits
    sum.all += answers.all
  }
  return sum.hits / sum.all
}
