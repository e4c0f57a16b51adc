import {EventEmitter} from 'node:events'
import type {ConnectionLimit} from '../common/connectionLimits.ts'
import type {ErrorCode} from './errors.ts'
import type {CompiledSite} from './site/compile.ts'

/** Whether the lake is asked: as usual, not for now, or once to see whether it answers again. */
export type LakeState = 'answering' | 'failing' | 'probed'

/** Why answers were given up before their age asked for it. */
export type PurgeCause = 'live event' | 'announcement' | 'gap in live events'

/** What happens inside the service that an operator may want to know of, for the log and for whoever counts. */
export type ServiceEvents = EventEmitter<{
  /** An answer of the lake was made into a site. */
  compiled: [publicId: string, site: CompiledSite]
  /** A query to the lake ended, after so many milliseconds, with a usable answer or with an error. */
  asked: [query: 'site' | 'revision', milliseconds: number, answered: boolean, error: unknown]
  /** What is known of a public identifier could not be renewed. */
  failed: [publicId: string, error: unknown]
  /** A site that could not be refreshed while upstream was well can be again. */
  recovered: [publicId: string]
  lake: [state: LakeState]
  /** Live events arrive from now on, or do not. */
  live: [connected: boolean]
  /** These public identifiers are fetched again before they are served without a look at the lake. */
  purged: [cause: PurgeCause, publicIds: readonly string[]]
  /** Requests are counted together with other replicas from now on, or for this reason in this process alone. */
  limits: [shared: boolean, reason?: string]
  /** A connection was closed as it was opened. */
  connectionRefused: [limit: ConnectionLimit, address: string | undefined]
  /** A webhook's delivery was taken, or refused with this code. */
  delivery: [outcome: 'OK' | ErrorCode]
  /** A revision was announced that the lake does not show: a later one has taken its place, or it lags a long time. */
  unseen: [publicId: string, documentIds: readonly string[]]
  /** A snapshot of a site stands in, was written or was removed. */
  snapshot: [action: 'used' | 'written' | 'removed', publicId: string]
  /** A snapshot could not be read or written; `path` names the file or folder. */
  snapshotFailed: [action: 'read' | 'write', path: string, error: unknown]
}>

export function createServiceEvents(): ServiceEvents {
  return new EventEmitter()
}
