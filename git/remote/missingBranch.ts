import {shortName} from '../branch.ts'
import {ConflictError, named} from './merge.ts'

/**
 * Tells a person that the remote does not have the branch that the lake serves, and the two ways on. The lake does not
 * create it: a branch that was renamed or deleted there would come back.
 * @param branch and `branches`: full names
 * @param hasCommits whether there is something to push
 */
export function describeMissingBranch(
  branch: string,
  branches: readonly string[],
  hasCommits: boolean,
): ConflictError {
  const name = shortName(branch)
  const others = branches.map(shortName)
  const other = others.length === 1 ? (others[0] ?? 'OTHER') : 'OTHER'
  const change = hasCommits ? `git branch -m ${name} ${other}` : `git symbolic-ref HEAD refs/heads/${other}`
  return new ConflictError(
    `the remote has no branch ${name}${others.length === 0 ? ', and is empty' : `, but ${named(others)}`}. ` +
      `If it was renamed, run in the content repository: ${change}. ` +
      (hasCommits
        ? `To create it again, push ${name} to the remote from there`
        : `Or push ${name} to the remote`),
    'REMOTE_BRANCH_MISSING',
  )
}
