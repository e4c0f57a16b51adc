import type {Publisher} from '../commit/publisher.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import type {Author} from '../objects/commitObject.ts'
import {committedBy, GitError, git, streamGit} from '../process.ts'
import {type FileContent, readFiles} from '../read/blobs.ts'
import {readHead} from '../read/commits.ts'
import {changedEntries} from '../read/trees.ts'
import {ConflictError, isAncestor, mergeConflict} from './conflicts.ts'

/** Maximum characters of the list of conflicts that are kept. */
const MAX_CONFLICTS = 1024 * 1024

/** HEAD will depend on these objects, so they must be synced to disk. */
export const DURABLY = ['-c', 'core.fsync=committed']

/** Files are merged as Git does by default: a person's merge drivers may drop lines, and renormalizing fails in bare repositories. */
const MERGE = [
  ...['-c', 'merge.renormalize=false', '-c', 'merge.default=text'],
  ...['-c', 'core.attributesFile=/dev/null'],
]

export type JoinOptions = {
  readonly folder: ContentDirectory
  readonly publisher: Publisher
  readonly findBroken: FindBroken
}

/**
 * Finds the files that make a merge unusable, although Git merged them without a conflict. Passed in, so that this module need
 * not know documents.
 */
export type FindBroken = (merged: {
  /** The paths where it differs from each side. */
  readonly fromOurs: readonly string[]
  readonly fromTheirs: readonly string[]
  /** Reads those of some files that exist. */
  read(paths: readonly string[], maxBytes: number): Promise<Map<string, FileContent>>
}) => Promise<readonly string[]>

/**
 * Brings HEAD's branch to a commit that includes `theirs`: by a fast-forward, or by a merge without
 * conflicts.
 * @throws ConflictError, HeadMovedError, PublishError; nothing was changed then
 */
export async function joinHistories(options: JoinOptions, theirs: string): Promise<void> {
  const {publisher, findBroken} = options
  const {root} = options.folder
  const head = await readHead(root)
  if (head !== undefined && (await isAncestor(root, theirs, head))) return
  const forward = head === undefined || (await isAncestor(root, head, theirs))
  const to = forward ? theirs : await merge({root, findBroken}, await publisher.committer(), head, theirs)
  const reason = forward ? 'fast-forward to the remote' : 'merge with the remote'
  await publisher.move({from: head, to, reason: `handrail: ${reason}`})
}

/** Creates the merge commit. */
async function merge(
  {root, findBroken}: {readonly root: string; readonly findBroken: FindBroken},
  committer: Author,
  ours: string,
  theirs: string,
): Promise<string> {
  const tree = await mergeTrees(root, ours, theirs)
  // If both sides changed different lines, Git merges cleanly, but the result may not be valid.
  const changedFrom = async (side: string) => {
    const {before, after} = await changedEntries(root, side, tree)
    return [...new Set([...before.keys(), ...after.keys()])]
  }
  const broken = await findBroken({
    fromOurs: await changedFrom(ours),
    fromTheirs: await changedFrom(theirs),
    read: (paths, maxBytes) => readFiles(root, tree, paths, maxBytes),
  })
  if (broken.length > 0) throw mergeConflict(broken)
  const parents = ['-p', ours, '-p', theirs]
  const message = 'Merge the content of the remote'
  const args = [...committedBy(committer), ...DURABLY, 'commit-tree', tree, ...parents, '-m', message]
  return (await git(root, args)).trim()
}

/**
 * Merges two commits, and writes the resulting tree. https://git-scm.com/docs/git-merge-tree#OUTPUT
 * @throws ConflictError, GitError
 */
async function mergeTrees(root: string, ours: string, theirs: string): Promise<string> {
  let answer = ''
  const options = ['--write-tree', '-z', '--name-only', '--no-messages']
  try {
    await streamGit(root, [...DURABLY, ...MERGE, 'merge-tree', ...options, ours, theirs], (chunk) => {
      if (answer.length < MAX_CONFLICTS) answer += chunk.toString()
    })
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (error.exitCode === 1) throw mergeConflict(answer.split('\0').slice(1))
    // Histories without a common commit, or a Git older than 2.38.
    throw new ConflictError(`the remote cannot be merged: ${error.message}`)
  }
  return answer.split('\0')[0] ?? ''
}
