import type {Cleanup} from './cleanup.ts'
import type {Table} from './report.ts'

/** Options of a benchmark run. */
export type Run = {
  /** Runs fewer and shorter rounds, for a first impression of a change. The results are not kept. */
  quick: boolean
  /** Whether a table with this title was requested. */
  wants(title: string): boolean
  cleanup: Cleanup
  /** Adds a table to the report and prints it. */
  show(table: Table): void
}
