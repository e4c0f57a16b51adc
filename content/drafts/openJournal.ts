import {join} from 'node:path'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {git} from '../../git/process.ts'
import {type ImportLogger, NO_IMPORT_LOGGER} from '../state/importFile.ts'
import type {State} from '../state/state.ts'
import {importDrafts} from './importDrafts.ts'
import {Journal} from './journal.ts'
import {ATTEMPT_TRAILER, TRANSACTION_TRAILER} from './trailers.ts'

/**
 * Opens the journal of a content repository, and takes over that of an earlier version.
 * @param mayWrite whether this process holds the repository lock
 * @throws Error with one line
 */
export async function openJournal(
  {root, gitDir}: ContentDirectory,
  state: State,
  {mayWrite, logger = NO_IMPORT_LOGGER}: {readonly mayWrite: boolean; readonly logger?: ImportLogger},
): Promise<Journal> {
  const wasCommitted = (id: string, attempt: string | undefined) =>
    attempt === undefined
      ? isInHistory(root, TRANSACTION_TRAILER, id)
      : isInHistory(root, ATTEMPT_TRAILER, attempt)
  if (mayWrite || state.isInMemory)
    await importDrafts(state, join(gitDir, 'handrail'), wasCommitted, {renames: mayWrite, logger})
  return Journal.open(state, (attempt) => isInHistory(root, ATTEMPT_TRAILER, attempt), {mayWrite})
}

/**
 * Whether any branch has a commit with this trailer. All branches, because people who work with Git may have
 * switched.
 */
async function isInHistory(root: string, trailer: string, value: string): Promise<boolean> {
  const line = `^${trailer}: ${value.replaceAll('.', '\\.')}$`
  const found = await git(root, ['log', '--all', '--max-count=1', '--format=%H', `--grep=${line}`])
  return found.trim() !== ''
}
