import {GitError, git} from '../process.ts'
import {ConflictError, isAncestor} from './merge.ts'

/** A branch whose history was rewritten in the remote, as by a force push. */
export type Rewrite = {
  /** Without `refs/heads/`. */
  readonly branch: string
  readonly head: string
  /** The last commit of the remote that HEAD included. */
  readonly known: string
  /** The commit of the remote now. It does not include `known`. */
  readonly theirs: string
}

/**
 * Whether HEAD has commits that the remote had and removed. If it has none, a person has followed the remote already.
 * @throws GitError
 */
export async function hasRemovedCommits(root: string, {head, known, theirs}: Rewrite): Promise<boolean> {
  const bases = await git(root, ['merge-base', '--all', head, known]).catch((error: unknown) => {
    // There is none.
    if (error instanceof GitError && error.exitCode === 1) return ''
    throw error
  })
  for (const base of bases.split('\n')) {
    if (base !== '' && !(await isAncestor(root, base, theirs))) return true
  }
  return false
}

/** Tells a person what happened, and the two ways on. */
export async function describeRewrite(
  root: string,
  {branch, head, known, theirs}: Rewrite,
): Promise<ConflictError> {
  const count = Number(await git(root, ['rev-list', '--count', head, `^${known}`, `^${theirs}`]))
  const dropped = count === 0 ? '' : ` (this drops the local commits that the remote never had: ${count})`
  const fetched = `refs/handrail/${branch}`
  const follow = `git update-ref refs/heads/${branch} ${fetched}`
  return new ConflictError(
    `the remote's history was rewritten: commits of ${branch} up to ${known.slice(0, 10)} were removed there. ` +
      'Nothing is pushed until a person decides. In the content repository, ' +
      `run "${follow}" to follow the remote${dropped}; or push ${branch} with --force to undo the rewrite`,
    'REMOTE_REWRITTEN',
  )
}
