import {createServiceEvents} from '../../../service/events.ts'
import type {PendingSnapshot, Snapshot} from '../../../service/snapshots/format.ts'
import {Snapshots, type SnapshotsOptions} from '../../../service/snapshots/snapshots.ts'
import {documentOf} from '../support/entries.ts'

/** Snapshots in a folder, and what they report. */
export async function opened(dir: string, options: Partial<SnapshotsOptions> = {}) {
  const events = createServiceEvents()
  const failures: {action: string; path: string; error: unknown}[] = []
  const actions: string[] = []
  events.on('snapshotFailed', (action, path, error) => failures.push({action, path, error}))
  events.on('snapshot', (action, publicId) => actions.push(`${action} ${publicId}`))
  const snapshots = await Snapshots.open({
    dir,
    origin: 'lake/local/production',
    events,
    maxWaitingBytes: 10_000 * BYTES,
    ...options,
  })
  return {snapshots, events, failures, actions}
}

/** Memory that a site takes. */
export const BYTES = 1_000

/** The same before it is written. */
export function pendingSnapshot(...of: Parameters<typeof snapshotOf>): PendingSnapshot {
  const {document, ...head} = snapshotOf(...of)
  return {...head, bytes: BYTES, documentJson: () => JSON.stringify(document)}
}

/** A site without tools. */
export function snapshotOf(publicId: string, revision = '1', validatedAt = 1_000): Snapshot {
  const document = {...documentOf(publicId), _id: publicId, _rev: revision}
  return {publicId, document, validatedAt}
}
