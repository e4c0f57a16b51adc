import type {Cleanup} from './cleanup.ts'
import type {Table} from './report.ts'

/** How a benchmark is asked to run. */
export type Run = {
  /** Fewer and shorter rounds: to see where a change leads, not to be kept. */
  quick: boolean
  /** Says whether a table of this title is asked for. */
  wants(title: string): boolean
  cleanup: Cleanup
  /** Takes a table, and prints it. */
  show(table: Table): void
}
