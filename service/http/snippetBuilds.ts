import {digestOf} from '../../snippet/build/built.ts'
import type {ReplicaDatabase} from '../database.ts'
import type {ServiceEvents} from '../events.ts'
import {compressedScript, type PageScript} from './pageScripts.ts'

/** Maximum builds that are kept. Upgrades and renewed tokens of an origin trial make new ones, some each year. */
const MAX_BUILDS = 20

const KEEP = 'INSERT OR REPLACE INTO snippets (hash, text) VALUES (?, ?)'
/** A build that is used again gets a new rowid. */
const REMOVE =
  'DELETE FROM snippets WHERE rowid NOT IN (SELECT rowid FROM snippets ORDER BY rowid DESC LIMIT ?)'
const READ = 'SELECT hash, text FROM snippets WHERE hash <> ?'

/**
 * Keeps the current build of the snippet on disk, and removes the oldest. If the disk is full or read-only, only the current build
 * is not kept.
 * @returns those that earlier processes kept, by hash, so that pages with `integrity` survive upgrades
 */
export async function earlierBuilds(
  database: ReplicaDatabase,
  {hash, identity}: PageScript,
  events: ServiceEvents,
): Promise<ReadonlyMap<string, PageScript>> {
  const earlier = new Map<string, PageScript>()
  try {
    database.write((run) => {
      run(KEEP, hash, identity.toString())
      run(REMOVE, MAX_BUILDS)
    })
  } catch (error) {
    events.emit('snapshotFailed', 'write', database.path, error)
  }
  try {
    for (const {hash: known, text: stored} of database.rows(READ, hash)) {
      const text = String(stored)
      const {hash: own} = digestOf(text)
      if (own === known) earlier.set(own, await compressedScript({text, hash: own}))
    }
  } catch (error) {
    events.emit('snapshotFailed', 'read', database.path, error)
  }
  return earlier
}
