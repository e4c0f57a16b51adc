import type {Cleanup} from './cleanup.ts'

/** How a benchmark is asked to run. */
export type Run = {
  /** Fewer and shorter rounds: to see where a change leads, not to be kept. */
  quick: boolean
  /** Part of a row's name: the others are left out. */
  only: string | undefined
  cleanup: Cleanup
}
