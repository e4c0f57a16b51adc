import type {Run} from '../../run.ts'
import {startProgram} from '../program.ts'

/** Tabs of visitors near one location of the CDN. */
export type Tabs = {
  /** A template of the config's path, with the number of the page. */
  path: string
  pages: number
  /** Open tabs of each page. */
  each: number
}

/** What to poll: each tab once every 300 seconds, from a random time on. */
export type PollOrder = {address: string; groups: readonly Tabs[]; warmUp: number; seconds: number}

/** Polls of a group after the warm-up, and how many the CDN answered alone. */
export type Polled = {polls: number; hits: number}

/** Time for the last responses, in milliseconds. */
const PATIENCE = 60_000

/** Starts the tabs, in a separate process, and waits until the seconds are over. */
export async function poll(order: PollOrder, run: Pick<Run, 'cleanup'>): Promise<Polled[]> {
  const program = await startProgram('polls', {role: 'others', cores: undefined}, run)
  const polled = await program.ask(order, (order.warmUp + order.seconds) * 1_000 + PATIENCE)
  if (Array.isArray(polled)) return polled
  throw new Error(`the tabs were not served: ${String(polled)}`)
}
