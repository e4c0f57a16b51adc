import type {Publisher} from '../commit/publisher.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import type {ContentRules} from '../contentRules.ts'
import type {Author} from '../objects/commitObject.ts'
import {committedBy, GitError, git, streamGit} from '../process.ts'
import {readFiles} from '../read/files.ts'
import {readHead} from '../read/lsTree.ts'
import {changedEntries} from '../read/treeEntries.ts'
import type {ConflictCode} from './status.ts'

/** The two histories cannot be brought together without a person. The message is one line. */
export class ConflictError extends Error {
  readonly code: ConflictCode

  constructor(message: string, code: ConflictCode = 'PUSH_CONFLICT') {
    super(message)
    this.code = code
  }
}

/** Maximum files to name in a message. */
const MAX_NAMED = 3

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
  readonly rules: ContentRules
}

/**
 * Brings HEAD's branch to a commit that includes `theirs`: by a fast-forward, or by a merge without
 * conflicts.
 * @throws ConflictError, HeadMovedError, PublishError; nothing was changed then
 */
export async function joinHistories(options: JoinOptions, theirs: string): Promise<void> {
  const {publisher, rules} = options
  const {root} = options.folder
  const head = await readHead(root)
  if (head !== undefined && (await isAncestor(root, theirs, head))) return
  const forward = head === undefined || (await isAncestor(root, head, theirs))
  const to = forward ? theirs : await merge({root, rules}, await publisher.committer(), head, theirs)
  await moveTo(options, head, to, forward ? 'fast-forward to the remote' : 'merge with the remote')
}

/**
 * Moves HEAD to a commit of the remote, or to one on top of it.
 * @param reason for the reflog
 * @throws ConflictError, HeadMovedError, PublishError; nothing was changed then
 */
async function moveTo(
  {folder, publisher}: JoinOptions,
  from: string | undefined,
  to: string,
  reason: string,
): Promise<void> {
  const {after} = await changedEntries(folder.root, from, to)
  const unsafe = [...after.keys()].find((path) => !isSafePath(path))
  if (unsafe !== undefined)
    throw new ConflictError(`the remote contains a path that Git refuses to check out: ${unsafe}`)
  await publisher.move({from, to, reason: `handrail: ${reason}`})
}

/**
 * Whether a clone can check out a path: inside of its work tree and outside of `.git`, even on file systems that
 * ignore case, trailing dots, short names and zero-width characters. Git checks this at checkout, not at fetch.
 */
export function isSafePath(path: string): boolean {
  return path.split('/').every((part) => {
    const plain = part.replace(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase()
    return !/^(\.{0,2}|\.git|git~\d+)[ .]*($|:)/.test(plain) && !/[\\\0]/.test(part)
  })
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

/** Creates the merge commit. */
async function merge(
  {root, rules}: {readonly root: string; readonly rules: ContentRules},
  committer: Author,
  ours: string,
  theirs: string,
): Promise<string> {
  const tree = await mergeTrees(root, ours, theirs)
  await requireValid(root, rules, {ours, theirs, tree})
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

/**
 * Checks what was merged from `ours` and `theirs`. If both sides changed different lines, Git merges cleanly, but the
 * result may not be valid.
 * @throws ConflictError if a merged file breaks a rule
 */
async function requireValid(
  root: string,
  rules: ContentRules,
  {ours, theirs, tree}: {readonly ours: string; readonly theirs: string; readonly tree: string},
): Promise<void> {
  const changedFrom = async (side: string) => {
    const {before, after} = await changedEntries(root, side, tree)
    return [...new Set([...before.keys(), ...after.keys()])].filter((path) => rules.isContentPath(path))
  }
  const broken = await rules.brokenFiles({
    fromOurs: await changedFrom(ours),
    fromTheirs: await changedFrom(theirs),
    read: (paths, maxBytes) => readFiles(root, tree, paths, maxBytes),
  })
  if (broken.length > 0) throw mergeConflict(broken)
}

/** Both sides changed the same files. */
function mergeConflict(files: readonly string[]): ConflictError {
  return new ConflictError(
    `${named(files)} changed both here and in the remote: merge by hand in a clone, and push the merge to the remote`,
  )
}

/** The first of some files, and how many more there are. */
export function named(files: readonly string[]): string {
  const paths = [...new Set(files.filter((file) => file !== ''))]
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''
  return `${paths.slice(0, MAX_NAMED).join(', ')}${more}`
}
