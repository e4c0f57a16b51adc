import type {Run} from '../report.ts'
import type {Cores} from './cores.ts'
import {startProgram} from './program.ts'

/** The request to repeat. */
export type Target = {
  address: string
  /** `{n}` stands for a number, which increases by `step` with each request, and restarts after `numbers` requests. */
  path: string
  numbers?: number
  step?: number
  headers?: Readonly<Record<string, string>>
  /** The expected status. Any other is an error. */
  status: number
}

export type Order = Target & {
  /** Number of requests sent before. The path numbers continue from there. */
  sent: number
  connections: number
  /** Stop after this time, or after this many requests. */
  milliseconds: number
  requests?: number
}

/** The client, in a separate process. It keeps one request in flight on each connection. */
export type Load = {
  /** @returns the number of responses */
  send(order: Order): Promise<number>
}

/** The path of a target with a number. */
export function pathWith(path: string, number: number): string {
  return path.replaceAll('{n}', String(number))
}

/** Timeout for the last responses, in milliseconds. */
const PATIENCE = 30_000

export async function startLoad(cores: Cores, run: Pick<Run, 'cleanup'>): Promise<Load> {
  const program = await startProgram('load', {role: 'others', cores}, run)
  return {
    async send(order) {
      const requests = await program.ask(order, order.milliseconds + PATIENCE)
      if (typeof requests === 'number') return requests
      throw new Error(`${order.address}${order.path}: ${String(requests)}`)
    },
  }
}
