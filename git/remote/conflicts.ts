import {shortName} from '../branch.ts'
import {GitError, git} from '../process.ts'

/** Why a person has to decide before anything is pushed. */
export type ConflictCode = 'PUSH_CONFLICT' | 'REMOTE_REWRITTEN' | 'REMOTE_BRANCH_MISSING'

/** The two histories cannot be brought together without a person. The message is one line. */
export class ConflictError extends Error {
  readonly code: ConflictCode

  constructor(message: string, code: ConflictCode = 'PUSH_CONFLICT') {
    super(message)
    this.code = code
  }
}

/** Maximum files or branches to name in a message. */
const MAX_NAMED = 3

/** Both sides changed the same files. */
export function mergeConflict(files: readonly string[]): ConflictError {
  return new ConflictError(
    `${named(files)} changed both here and in the remote: merge by hand in a clone, and push the merge to the remote`,
  )
}

/**
 * The remote does not have the branch that the lake serves. The lake does not create it: a branch that was renamed or deleted
 * there would come back.
 * @param branch and `branches`: full names
 * @param hasCommits whether there is something to push
 */
export function missingBranch(
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

/** A branch whose history was rewritten in the remote, as by a force push. */
type Rewrite = {
  /** Its full name. */
  readonly branch: string
  readonly head: string
  /** The last commit of the remote that HEAD included. */
  readonly known: string
  /** The commit of the remote now. It does not include `known`. */
  readonly theirs: string
}

/**
 * Tells a person what happened to a branch, and the two ways on.
 * @returns undefined if HEAD has no commit that the remote removed: then a person has followed the remote already
 * @throws GitError
 */
export async function rewrittenBranch(
  root: string,
  {branch, head, known, theirs}: Rewrite,
): Promise<ConflictError | undefined> {
  const shared = await git(root, ['merge-base', '--all', head, known]).catch((error: unknown) => {
    // There is none.
    if (error instanceof GitError && error.exitCode === 1) return ''
    throw error
  })
  const bases = shared.split('\n').filter((base) => base !== '')
  const isIncluded = await Promise.all(bases.map((base) => isAncestor(root, base, theirs)))
  if (!isIncluded.includes(false)) return undefined
  const name = shortName(branch)
  const count = Number(await git(root, ['rev-list', '--count', head, `^${known}`, `^${theirs}`]))
  const dropped = count === 0 ? '' : ` (this drops the local commits that the remote never had: ${count})`
  return new ConflictError(
    `the remote's history was rewritten: commits of ${name} up to ${known.slice(0, 10)} were removed there. ` +
      'Nothing is pushed until a person decides. In the content repository, ' +
      `run "git update-ref ${branch} refs/handrail/${name}" to follow the remote${dropped}; or push ${name} with --force to undo the rewrite`,
    'REMOTE_REWRITTEN',
  )
}

/** Whether a commit includes another one. @throws GitError */
export async function isAncestor(root: string, one: string, other: string): Promise<boolean> {
  try {
    await git(root, ['merge-base', '--is-ancestor', one, other])
    return true
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return false
    throw error
  }
}

/** The first of some names, and how many more there are. */
function named(names: readonly string[]): string {
  const all = [...new Set(names.filter((name) => name !== ''))]
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : ''
  return `${all.slice(0, MAX_NAMED).join(', ')}${more}`
}
