import {join} from 'node:path'
import type {ContentDirectory} from '../../../git/contentDirectory.ts'
import {git} from '../../../git/process.ts'
import {ATTEMPT_TRAILER, TRANSACTION_TRAILER} from '../message.ts'
import {Journal} from './journal.ts'
import type {Damage} from './journalFile.ts'

/**
 * Opens the journal of a content repository.
 * @param mayWrite whether this process holds the repository lock
 * @throws the error of the file system or of Git
 */
export async function openJournal(
  {root, gitDir}: ContentDirectory,
  mayWrite: boolean,
): Promise<{readonly journal: Journal; readonly path: string; readonly damage?: Damage}> {
  // The journal is in the Git folder, which no clone copies and no `git clean` empties.
  const path = join(gitDir, 'handrail', 'drafts.jsonl')
  const isCommitted = (id: string, attempt: string | undefined) =>
    attempt === undefined
      ? isInHistory(root, TRANSACTION_TRAILER, id)
      : isInHistory(root, ATTEMPT_TRAILER, attempt)
  return {...(await Journal.open(path, isCommitted, mayWrite)), path}
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
