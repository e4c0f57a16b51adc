import {setTimeout} from 'node:timers/promises'
import {processorTime, residentBytes} from '../../test/support/processes.ts'
import {median} from '../median.ts'
import type {Load, Outcome, Target} from './load.ts'
import type {Server} from './service.ts'

/** Somebody who answers requests, and what it is asked. */
export type Contestant = {name: string; server: Server; target: Target}

/** How long and how often it is measured. */
export type Pace = {rounds: number; milliseconds: number; connections: number}

/** Medians of all rounds. */
export type Result = {
  name: string
  /** Microseconds of a processor for one request, in the server's process. */
  cpu: number
  /** Against the first contestant in the same round. */
  ratio: number
  requestsPerSecond: number
  /** Microseconds. */
  p50: number
  p99: number
  /** Bytes of the server's memory after all rounds. */
  memory: number
}

type Round = Outcome & {cpu: number; milliseconds: number}

/** Milliseconds in which a server comes to rest before the next one is measured. */
const REST = 50

/**
 * Measures contestants in turns: each round has all of them, so that what disturbs the machine for longer than a round
 * disturbs all. Every other round goes backwards. The first contestant is the baseline.
 */
export async function compete(contestants: readonly Contestant[], pace: Pace, load: Load): Promise<Result[]> {
  const sent = new Map<Contestant, number>()
  const rounds = new Map<Contestant, Round[]>()

  async function turn(contestant: Contestant): Promise<Round> {
    const {server, target} = contestant
    const before = await processorTime(server.pid)
    const started = performance.now()
    const outcome = await load.send({...target, ...pace, sent: sent.get(contestant) ?? 0})
    const milliseconds = performance.now() - started
    await setTimeout(REST)
    const time = (await processorTime(server.pid)) - before
    sent.set(contestant, (sent.get(contestant) ?? 0) + outcome.requests)
    return {...outcome, milliseconds, cpu: (time * 1_000) / outcome.requests}
  }

  for (const contestant of contestants) await turn(contestant)
  for (let round = 0; round < pace.rounds; round++) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed())
      rounds.set(contestant, [...(rounds.get(contestant) ?? []), await turn(contestant)])
  }
  const [baseline] = contestants
  const baselineRounds = (baseline && rounds.get(baseline)) ?? []
  return Promise.all(
    contestants.map(async (contestant) => {
      const own = rounds.get(contestant) ?? []
      return {
        name: contestant.name,
        cpu: median(own.map(({cpu}) => cpu)),
        ratio: median(own.map(({cpu}, round) => cpu / (baselineRounds[round]?.cpu ?? Number.NaN))),
        requestsPerSecond: median(own.map(({requests, milliseconds}) => (requests * 1_000) / milliseconds)),
        p50: median(own.map(({p50}) => p50)),
        p99: median(own.map(({p99}) => p99)),
        memory: await residentBytes(contestant.server.pid),
      }
    }),
  )
}
