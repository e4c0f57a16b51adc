import {setTimeout} from 'node:timers/promises'
import {processorTime, residentBytes} from '../../test/support/processes.ts'
import {median} from '../median.ts'
import type {Load, Outcome, Target} from './load.ts'
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
  requestsPerSecond: number
  /** The share of time that the server used the CPU. If it is not about 1, the client was too slow for it. */
  busy: number
  /** Microseconds. */
  p50: number
  p99: number
  /** Memory of the server after all rounds, in bytes. */
  memory: number
  /**
   * The shares of requests that were served from memory without waiting, and that caused an upstream query.
   */
  answers: {hits: number; asked: number} | undefined
}

type Round = Outcome & {cpu: number; busy: number; milliseconds: number; answers: Answers | undefined}

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
    const started = performance.now()
    const outcome = await load.send({...target, ...pace, sent: entry.sent})
    const milliseconds = performance.now() - started
    await setTimeout(REST)
    const time = (await processorTime(server.pid)) - before
    entry.sent += outcome.requests
    const answers = answersBefore && since(answersBefore, await answersOf(server.address))
    return {
      ...outcome,
      milliseconds,
      answers,
      cpu: (time * 1_000) / outcome.requests,
      busy: time / milliseconds,
    }
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
      requestsPerSecond: median(rounds.map(({requests, milliseconds}) => (requests * 1_000) / milliseconds)),
      busy: median(rounds.map(({busy}) => busy)),
      p50: median(rounds.map(({p50}) => p50)),
      p99: median(rounds.map(({p99}) => p99)),
      memory: median(entries.map(({memory}) => memory)),
      answers: partsOf(rounds),
    }
  })
}

/** Returns the median of the ratios between measurements of the same round. */
export function medianRatio(rounds: readonly {cpu: number}[], baseline: readonly {cpu: number}[]): number {
  return median(rounds.map(({cpu}, round) => cpu / (baseline[round]?.cpu ?? Number.NaN)))
}

function since(before: Answers, after: Answers): Answers {
  return {hits: after.hits - before.hits, all: after.all - before.all, asked: after.asked - before.asked}
}

function partsOf(rounds: readonly Round[]): Result['answers'] {
  const sum = {hits: 0, all: 0, asked: 0}
  for (const {answers} of rounds) {
    if (!answers) return undefined
    sum.hits += answers.hits
    sum.all += answers.all
    sum.asked += answers.asked
  }
  return {hits: sum.hits / sum.all, asked: sum.asked / sum.all}
}
