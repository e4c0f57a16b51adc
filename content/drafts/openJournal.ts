import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {git} from '../../git/process.ts'
import type {State} from '../state/state.ts'
import {Journal} from './journal.ts'
import {ATTEMPT_TRAILER} from './trailers.ts'

/**
 * Opens the journal of a content repository.
 * @param mayWrite whether this process holds the repository lock
 * @throws Error with one line
 */
export async function openJournal(
  {root}: ContentDirectory,
  state: State,
  {mayWrite}: {readonly mayWrite: boolean},
): Promise<Journal> {
  return Journal.open(state, (attempt) => wasCommitted(root, attempt), {mayWrite})
}

/**
 * Whether any branch has the commit of an attempt. All branches, because people who work with Git may have
 * switched.
 */
async function wasCommitted(root: string, attempt: string): Promise<boolean> {
  const line = `^${ATTEMPT_TRAILER}: ${attempt}$`
  const found = await git(root, ['log', '--all', '--max-count=1', '--format=%H', `--grep=${line}`])
  return found.trim() !== ''
}
