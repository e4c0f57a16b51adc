import {readBranch} from '../branch.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import {earlierCommits} from '../damagedBranch.ts'
import {streamGit} from '../process.ts'
import {firstParents} from './lsTree.ts'

/** Maximum commits along first parents to look at. */
const MAX_EARLIER = 200

/**
 * Commits whose trees Git can read, from HEAD on, the newest first: along first parents, or else in the reflog and what was
 * fetched, as after a push of an unrelated history.
 * @throws GitError if Git cannot be run
 */
export async function* readableCommits(folder: ContentDirectory): AsyncGenerator<string> {
  const {root, gitDir} = folder
  const parents = await firstParents(root, 'HEAD', MAX_EARLIER)
  const branch = await readBranch(gitDir)
  const logged = branch === undefined ? [] : (await earlierCommits(folder, branch)).map(({commit}) => commit)
  for (const commit of new Set([...parents, ...logged])) {
    if (await isReadable(root, commit)) yield commit
  }
}

function isReadable(root: string, commit: string): Promise<boolean> {
  return streamGit(root, ['ls-tree', '-r', '--full-tree', commit], () => {}).then(
    () => true,
    () => false,
  )
}
