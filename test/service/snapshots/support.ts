import {join} from 'node:path'
import {ReplicaDatabase} from '../../../service/database.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {type ConfirmedSite, Snapshots, type SnapshotsOptions} from '../../../service/snapshots/snapshots.ts'
import {documentOf} from '../support/entries.ts'

/** Snapshots in a folder, and what they report. */
export function opened(dir: string, options: Partial<SnapshotsOptions> = {}) {
  const events = createServiceEvents()
  const failures: {action: string; path: string; error: unknown}[] = []
  const actions: string[] = []
  const foreign: unknown[] = []
  const replaced: unknown[] = []
  events.on('snapshotFailed', (action, path, error) => failures.push({action, path, error}))
  events.on('snapshot', (action, publicId) => actions.push(`${action} ${publicId}`))
  events.on('snapshotsForeign', (...told) => foreign.push(told))
  events.on('databaseReplaced', (_path, error) => replaced.push(error))
  const path = join(dir, 'counts.db')
  const database = new ReplicaDatabase(path, (error) => events.emit('databaseReplaced', path, error))
  const snapshots = new Snapshots({
    database,
    origin: 'lake/local/production',
    events,
    clock: () => 1_000,
    systemClock: options.clock ?? (() => 1_000),
    ...options,
  })
  /** Writes a site. */
  const keep = (...of: Parameters<typeof confirmedSite>) => snapshots.keep(confirmedSite(...of))
  const revisionOf = (publicId: string) => snapshots.read(publicId, 0)?.document._rev
  return {database, snapshots, events, failures, actions, foreign, replaced, keep, revisionOf}
}

/** A site without tools, as upstream returned it. */
export function confirmedSite(publicId: string, revision = '1', validatedAt = 1_000): ConfirmedSite {
  const document = {...documentOf(publicId), _id: publicId, _rev: revision}
  return {publicId, revision, validatedAt, document}
}
