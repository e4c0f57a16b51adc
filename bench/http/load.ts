import type {Run} from '../run.ts'
import type {Cores} from './cores.ts'
import {startProgram} from './program.ts'

/** What is asked for, again and again. */
export type Target = {
  address: string
  /** A template: its number goes up by `step` with each request, and begins anew after `numbers` of them. */
  path: string
  numbers?: number
  step?: number
  headers?: Readonly<Record<string, string>>
  /** Any other is an error. */
  status: number
}

export type Order = Target & {
  /** How many requests were sent before: the numbers go on from there. */
  sent: number
  connections: number
  /** After this time no request is sent any more, nor after so many requests. */
  milliseconds: number
  requests?: number
}

/** What came of it. Times are microseconds from the last byte of a request to the last one of its answer. */
export type Outcome = {requests: number; p50: number; p99: number}

/** The client, in a process of its own: it keeps each of its connections busy with one request at a time. */
export type Load = {send(order: Order): Promise<Outcome>}

/** Milliseconds that the last answers may take. */
const PATIENCE = 30_000

export async function startLoad(cores: Cores, run: Pick<Run, 'cleanup'>): Promise<Load> {
  const program = await startProgram('load', {role: 'others', cores}, run)
  return {
    async send(order) {
      const outcome = await program.ask(order, order.milliseconds + PATIENCE)
      if (isOutcome(outcome)) return outcome
      throw new Error(`${order.address}${order.path}: ${String(outcome)}`)
    },
  }
}

function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'object' && value !== null && 'requests' in value
}
