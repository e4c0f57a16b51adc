import type {Sites} from '../cache/sites.ts'
import type {Calls} from '../calls/calls.ts'
import type {Counts} from '../counts/counts.ts'
import type {Bodies} from '../encodings/bodies.ts'
import type {ServiceEvents} from '../events.ts'
import type {SharedCounts} from '../limits/sharedCounts.ts'
import type {Metrics} from '../operations/metrics.ts'
import type {Readiness} from '../operations/readiness.ts'
import type {Previews} from '../preview/previews.ts'
import type {ServiceSettings} from '../settings.ts'
import type {Visits} from '../visits/visits.ts'
import type {PageScript, PageScripts} from './pageScripts.ts'

/** The parts of a service that its routes use. */
export type Parts = {
  readonly settings: ServiceSettings
  readonly events: ServiceEvents
  readonly sites: Sites
  readonly bodies: Bodies
  /** The counts of all replicas, if they share a limit. */
  readonly shared: SharedCounts | undefined
  readonly scripts: PageScripts
  /** Earlier builds of the snippet, by hash. */
  readonly builds: ReadonlyMap<string, PageScript>
  /** `undefined` if the service cannot read drafts and the secrets of Studio. */
  readonly previews: Previews | undefined
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly counts: Counts
  readonly visits: Visits
  readonly calls: Calls
  /** A clock that is never set. */
  readonly clock: () => number
  /** Of the system, which may be set back: decides which tools are offered now. */
  readonly systemClock: () => number
}
