import {EventEmitter} from 'node:events'
import type {Outcome} from '../schemas/calls/counts.ts'
import type {InvalidDocument} from './documentRevision.ts'

/**
 * An upstream query: for one site, for the revisions of several, for what changed of all, or for nothing, to find out
 * whether upstream works.
 */
export type QueryName = 'site' | 'revision' | 'changes' | 'probe'

/** Events inside the service, for the log and the metrics. */
export type ServiceEvents = EventEmitter<{
  /** An upstream response was compiled into a site, without these documents. */
  readonly compiled: [publicId: string, invalid: readonly InvalidDocument[]]
  /** Pages reported so many calls that ended in one way. */
  readonly calls: [outcome: Outcome, count: number]
  /** Calls and visits could not be stored. They wait in memory. */
  readonly countsFailed: [error: unknown]
  /** The database of snapshots, calls and visits was damaged, and is empty now. */
  readonly databaseReplaced: [path: string, error: unknown]
  /** A query ended after so many milliseconds, with a usable response or an error. */
  readonly asked: [query: QueryName, milliseconds: number, answered: boolean, error: unknown]
  /** A site could not be refreshed. */
  readonly failed: [publicId: string, error: unknown]
  /** A site that failed while upstream worked has recovered. */
  readonly recovered: [publicId: string]
  /** The stream of live events connected or disconnected. */
  readonly live: [connected: boolean]
  /** Requests are now counted together with other replicas, or in this process only, for this reason. */
  readonly limits: [shared: boolean, reason?: string]
  /** A connection was closed when it was opened: too many are open. */
  readonly connectionRefused: []
  /** Work in the background failed in a way that it does not handle itself. */
  readonly workFailed: [error: unknown]
  /** A site's snapshot was used, written or removed. */
  readonly snapshot: [action: 'used' | 'written' | 'removed', publicId: string]
  /** So many snapshots are of other content than this one. */
  readonly snapshotsForeign: [count: number, origin: string]
  /** A snapshot could not be read or written; `path` names the database, or a folder. */
  readonly snapshotFailed: [action: 'read' | 'write', path: string, error: unknown]
}>

export function createServiceEvents(): ServiceEvents {
  return new EventEmitter()
}
