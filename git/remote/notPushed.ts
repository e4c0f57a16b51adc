import {gitLines} from '../process.ts'
import type {IsContentPath} from '../read/lsTree.ts'
import {readSteps, type Step} from '../timestamps/gitLog.ts'
import type {LakeRole} from './role.ts'

/** Folder of the branches with commits that another lake's promotion took back. */
export const NOT_PUSHED = 'not-pushed/'

/** Maximum commits of a branch to name. */
const MAX_COMMITS = 100

/** A branch with publishes of this lake that HEAD does not include, the newest first. */
export type NotPushed = {readonly branch: string; readonly steps: readonly Step[]}

/**
 * Reads what was taken back, until it is merged or the branch is deleted. Costs nothing for lakes that were never replaced.
 * @throws GitError
 */
export async function readNotPushed(
  root: string,
  role: Pick<LakeRole, 'id'>,
  isContentPath: IsContentPath,
): Promise<NotPushed[]> {
  if (role.id === undefined) return []
  const args = ['for-each-ref', '--format=%(refname:short)', '--no-merged=HEAD', `refs/heads/${NOT_PUSHED}`]
  const branches = await gitLines(root, args)
  const found: NotPushed[] = []
  for (const branch of branches) {
    const range = ['--first-parent', `--max-count=${MAX_COMMITS}`, `refs/heads/${branch}`, '^HEAD']
    const commits = await gitLines(root, ['rev-list', ...range])
    found.push({branch, steps: await readSteps(root, commits, isContentPath)})
  }
  return found
}
