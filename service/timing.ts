import type {BackoffLimits} from '../common/backoff.ts'
import type {RequestTimeouts} from './http/serverLimits.ts'

/** Times in milliseconds that no operator sets, but tests do. Each has its default where it is used. */
export type ServiceTiming = {
  /** Timeouts of requests that are sent slowly. */
  readonly requests: RequestTimeouts
  /** Timeout of a query. */
  readonly query: number
  /** The delay before upstream is probed after failures. */
  readonly probe: BackoffLimits
  /** The delay before the stream of live events is opened again. */
  readonly reconnect: BackoffLimits
  /** How often a site in use is offered to the snapshots. */
  readonly snapshots: number
  /** Passes the time for which the service drains. */
  readonly drain: (milliseconds: number) => Promise<void>
  /** Interval between checks of what is due. */
  readonly keepFreshEvery: number
}
