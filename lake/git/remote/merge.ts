import {isSafePath} from '../checkout/workTreeFiles.ts'
import type {Publisher} from '../commit/publisher.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import type {ContentRules} from '../contentRules.ts'
import type {Author} from '../objects/commitObject.ts'
import {GitError, git, streamGit} from '../process.ts'
import {readFiles} from '../read/files.ts'
import {readHead} from '../read/lsTree.ts'
import {changedEntries} from '../read/treeEntries.ts'

/** The two histories cannot be merged without a person. The message is one line. */
export class ConflictError extends Error {}

/** Maximum files to name in a message. */
const MAX_NAMED = 3

/** HEAD will depend on these objects, so they must be synced to disk. */
const DURABLY = ['-c', 'core.fsync=committed']

export type JoinParts = {
  readonly folder: ContentDirectory
  readonly publisher: Publisher
  readonly rules: ContentRules
}

/**
 * Brings HEAD's branch to a commit that includes `theirs`: by a fast-forward, or by a merge without
 * conflicts.
 * @throws ConflictError, HeadMovedError, PublishError; nothing was changed then
 */
export async function joinHistories({folder, publisher, rules}: JoinParts, theirs: string): Promise<void> {
  const {root} = folder
  const head = await readHead(root)
  if (head !== undefined && (await isAncestor(root, theirs, head))) return
  const forward = head === undefined || (await isAncestor(root, head, theirs))
  const to = forward ? theirs : await merge({root, rules}, await publisher.committer(), head, theirs)
  const {before, after} = await changedEntries(root, head, to)
  const unsafe = [...after.keys()].find((path) => !isSafePath(path))
  if (unsafe !== undefined)
    throw new ConflictError(`the remote contains a path that Git refuses to check out: ${unsafe}`)
  const reason = forward ? 'handrail: fast-forward to the remote' : 'handrail: merge with the remote'
  await publisher.move({from: head, to, before, after, reason})
}

/** The number of HEAD's commits that `theirs` does not have. */
export async function countAhead(folder: ContentDirectory, theirs: string): Promise<number> {
  return Number(await git(folder.root, ['rev-list', '--count', `${theirs}..HEAD`]))
}

async function isAncestor(root: string, one: string, other: string): Promise<boolean> {
  try {
    await git(root, ['merge-base', '--is-ancestor', one, other])
    return true
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return false
    throw error
  }
}

/** Creates the merge commit. Changes neither index nor work tree. */
async function merge(
  {root, rules}: {root: string; rules: ContentRules},
  committer: Author,
  ours: string,
  theirs: string,
): Promise<string> {
  const tree = await mergeTrees(root, ours, theirs)
  const broken = await brokenFiles(root, rules, {ours, theirs, tree})
  if (broken.length > 0) throw conflict(broken)
  const settings = ['-c', `user.name=${committer.name}`, '-c', `user.email=${committer.email}`]
  const parents = ['-p', ours, '-p', theirs]
  const message = 'Merge the content of the remote'
  const args = [...settings, ...DURABLY, 'commit-tree', tree, ...parents, '-m', message]
  return (await git(root, args)).trim()
}

/** https://git-scm.com/docs/git-merge-tree#OUTPUT */
async function mergeTrees(root: string, ours: string, theirs: string): Promise<string> {
  let answer = ''
  const options = ['--write-tree', '-z', '--name-only', '--no-messages']
  try {
    await streamGit(root, [...DURABLY, 'merge-tree', ...options, ours, theirs], (chunk) => {
      answer += chunk.toString()
    })
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (error.exitCode === 1) throw conflict(answer.split('\0').slice(1))
    // Histories without a common commit, or a Git older than 2.38.
    throw new ConflictError(`the remote cannot be merged: ${error.message}`)
  }
  return answer.split('\0')[0] ?? ''
}

/**
 * The merged files that break a rule. If both sides changed different lines, Git merges cleanly, but the
 * result may not be valid.
 */
async function brokenFiles(
  root: string,
  rules: ContentRules,
  {ours, theirs, tree}: {ours: string; theirs: string; tree: string},
): Promise<readonly string[]> {
  const changedFrom = async (side: string) => {
    const {before, after} = await changedEntries(root, side, tree)
    return [...new Set([...before.keys(), ...after.keys()])].filter((path) => rules.isContentPath(path))
  }
  const [fromOurs, fromTheirs] = await Promise.all([changedFrom(ours), changedFrom(theirs)])
  return rules.brokenFiles({
    fromOurs,
    fromTheirs,
    read: (paths, maxBytes) => readFiles(root, tree, paths, maxBytes),
  })
}

function conflict(files: readonly string[]): ConflictError {
  const paths = [...new Set(files.filter((file) => file !== ''))]
  const named = paths.slice(0, MAX_NAMED).join(', ')
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''
  return new ConflictError(
    `${named}${more} changed both here and in the remote: merge by hand in the content repository`,
  )
}
