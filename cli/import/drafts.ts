import {randomUUID} from 'node:crypto'
import {join} from 'node:path'
import {errorMessage} from '../../common/errorMessage.ts'
import type {JsonObject} from '../../common/json.ts'
import {revisionOf} from '../../content/canonical.ts'
import {pastDatesNamedBy} from '../../content/dates.ts'
import type {Document} from '../../content/document.ts'
import type {Draft} from '../../content/drafts/journal.ts'
import {openJournal} from '../../content/drafts/openJournal.ts'
import {State, StateError} from '../../content/state/state.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {acquireLock, LockError, type RepositoryLock} from '../../git/lock/repositoryLock.ts'
import {CommandError} from '../command.ts'

/** The author of imported drafts in their history. */
const IMPORTER = '<system>'

/** A draft to be imported. */
export type ImportedDraft = JsonObject & {readonly _id: string; readonly _type: string}

/** Where a lake keeps drafts. While it is open, no lake can write to the repository. */
export type Drafts = Awaited<ReturnType<typeof openDrafts>>

/**
 * @param mayWrite false to count only
 * @throws CommandError if a lake is running
 */
export async function openDrafts(folder: ContentDirectory, mayWrite: boolean) {
  let lock: RepositoryLock | undefined
  try {
    if (mayWrite) lock = await acquireLock(folder.gitDir, 'content import')
    const directory = join(folder.gitDir, 'handrail')
    const state = mayWrite ? State.open(directory) : State.openReadOnly(directory)
    if (state.damage !== undefined) throw new CommandError(state.damage)
    const journal = await openJournal(folder, state, {mayWrite})
    const close = async () => {
      state.close()
      await lock?.release()
    }
    return {journal, mayWrite, close}
  } catch (error) {
    await lock?.release()
    if (error instanceof StateError)
      throw new CommandError(`the drafts of ${folder.root} cannot be opened: ${error.message}`)
    if (!(error instanceof LockError)) throw error
    throw new CommandError(
      `drafts are imported while no lake runs: stop the lake, or import without --drafts (${errorMessage(error)})`,
    )
  }
}

/**
 * Writes drafts to the journal, unless it has them already.
 * @param revisionOfPublished the revision of a published document; undefined if there is none
 */
export function writeDrafts(
  {journal, mayWrite}: Drafts,
  drafts: readonly ImportedDraft[],
  missingOnly: boolean,
  revisionOfPublished: (id: string) => string | undefined,
) {
  const counts = {written: 0, kept: 0, unchanged: 0}
  const now = new Date().toISOString()
  const id = randomUUID()
  const entry = new Map<string, Draft>()
  for (const draft of drafts) {
    const before = journal.drafts.get(draft._id)?.document
    if (before !== undefined && revisionOf(before) === revisionOf(draft)) counts.unchanged += 1
    else if (before !== undefined && missingOnly) counts.kept += 1
    else {
      counts.written += 1
      const base = revisionOfPublished(draft._id.slice('drafts.'.length)) ?? null
      entry.set(draft._id, {document: stamped(draft, id, now), base})
    }
  }
  const common = {id, attempt: id, author: IMPORTER, timestamp: now, commits: false}
  if (mayWrite && entry.size > 0) journal.append({...common, drafts: entry})
  return counts
}

function stamped(draft: ImportedDraft, transactionId: string, now: string): Document {
  const {createdAt = now, updatedAt = now} = pastDatesNamedBy(draft, now)
  return {...draft, _rev: transactionId, _createdAt: createdAt, _updatedAt: updatedAt}
}
