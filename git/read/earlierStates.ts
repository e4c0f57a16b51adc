import {readBranch} from '../branch.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import {earlierCommits} from '../damagedBranch.ts'
import {firstParents} from './lsTree.ts'

/** Maximum commits along first parents to look at. */
const MAX_EARLIER = 200

/**
 * Commits to start with if HEAD cannot be read, from HEAD on, the newest first: along first parents, or else in the reflog and
 * what was fetched, as after a push of an unrelated history.
 * @throws GitError if Git cannot be run
 */
export async function earlierStates(folder: ContentDirectory): Promise<ReadonlySet<string>> {
  const parents = await firstParents(folder.root, 'HEAD', MAX_EARLIER)
  const branch = await readBranch(folder.gitDir)
  const logged = branch === undefined ? [] : await earlierCommits(folder, branch)
  return new Set([...parents, ...logged.map(({commit}) => commit)])
}
