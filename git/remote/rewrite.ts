import type {Author} from '../objects/commitObject.ts'
import {committedBy, GitError, git, gitLines} from '../process.ts'
import {readLog} from '../read/rawChanges.ts'
import {changedEntries} from '../read/treeEntries.ts'
import {
  ConflictError,
  DURABLY,
  isAncestor,
  type JoinOptions,
  MergeConflictError,
  mergeTrees,
  moveTo,
  named,
  requireValid,
} from './merge.ts'

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

/** Maximum commits that were removed, and that are applied again: more are for a person. */
const MAX_COMMITS = 1_000

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
  {folder}: JoinOptions,
  {branch, head, known, theirs}: Rewrite,
  hindrance?: string,
): Promise<ConflictError> {
  const count = Number(await git(folder.root, ['rev-list', '--count', head, `^${known}`, `^${theirs}`]))
  const dropped = count === 0 ? '' : ` (this drops the local commits that the remote never had: ${count})`
  const fetched = `refs/handrail/${branch}`
  const follow = `git update-ref refs/heads/${branch} ${fetched}`
  return new ConflictError(
    `the remote's history was rewritten: commits of ${branch} up to ${known.slice(0, 10)} were removed there. ` +
      `${hindrance === undefined ? '' : `${hindrance}. `}` +
      'Nothing is pushed until a person decides. In the content repository, ' +
      `run "${follow}" to follow the remote${dropped}; or push ${branch} with --force to undo the rewrite`,
    'REMOTE_REWRITTEN',
  )
}

/**
 * Resets HEAD's branch to the remote's new history, with the commits that the remote never had on top of it. What
 * editors published must still be there.
 * @returns the new commit of HEAD
 * @throws ConflictError, HeadMovedError, PublishError; nothing was changed then
 */
export async function followRewrite(options: JoinOptions, rewrite: Rewrite): Promise<string> {
  const {folder, publisher, rules} = options
  const {root} = folder
  const {head, known, theirs} = rewrite
  const committer = await publisher.committer()
  const lost = await lostPublishes(root, committer, rewrite)
  if (lost === undefined)
    throw await describeRewrite(options, rewrite, `More than ${MAX_COMMITS} commits were removed`)
  if (lost.length > 0)
    throw await describeRewrite(options, rewrite, `What editors published in ${named(lost)} would be lost`)
  const commits = await localCommits(root, rewrite)
  if (commits === undefined)
    throw await describeRewrite(
      options,
      rewrite,
      'Local commits are not in one line on top of the old history',
    )
  let tip = theirs
  try {
    for (const commit of commits) tip = await applyAgain(root, committer, commit, tip)
    if (tip !== theirs) await requireValid(root, rules, {ours: head, theirs, tree: `${tip}^{tree}`})
  } catch (error) {
    // The advice to merge by hand would bring the removed commits back.
    throw error instanceof MergeConflictError ? await describeRewrite(options, rewrite, error.reason) : error
  }
  await moveTo(options, head, tip, `follow the remote, whose history was rewritten (was ${known})`)
  return tip
}

/** The files that removed commits of the lake changed, and that the remote no longer has as they left them. */
async function lostPublishes(
  root: string,
  committer: Author,
  {known, theirs}: Rewrite,
): Promise<readonly string[] | undefined> {
  const published = new Set<string>()
  let count = 0
  let isOwn = false
  const onCommit = ([email]: string[]) => {
    count += 1
    isOwn = email === committer.email
  }
  const range = ['--no-merges', `--max-count=${MAX_COMMITS + 1}`, `${theirs}..${known}`]
  await readLog(root, ['%ce'], range, {onCommit, onChange: ({path}) => isOwn && published.add(path)})
  if (count > MAX_COMMITS) return undefined
  const {before, after} = await changedEntries(root, known, theirs)
  return [...published].filter((path) => before.has(path) || after.has(path))
}

/** The commits that the remote never had, the oldest first; undefined if they are not in one line. */
async function localCommits(root: string, {head, known}: Rewrite): Promise<readonly string[] | undefined> {
  const range = [
    '--reverse',
    '--topo-order',
    '--parents',
    `--max-count=${MAX_COMMITS + 1}`,
    `${known}..${head}`,
  ]
  const lines = await gitLines(root, ['rev-list', ...range])
  if (lines.length > MAX_COMMITS) return undefined
  const commits: string[] = []
  let tip = known
  for (const line of lines) {
    const [commit = '', ...parents] = line.split(' ')
    if (parents.length !== 1 || parents[0] !== tip) return undefined
    commits.push(commit)
    tip = commit
  }
  return tip === head ? commits : undefined
}

/** Applies the change of a commit on top of another one, with its message, author and dates. */
async function applyAgain(root: string, committer: Author, commit: string, tip: string): Promise<string> {
  // A merge of the commit with this one is based on the parent of the commit.
  const standIn = [
    ...committedBy(committer),
    'commit-tree',
    `${tip}^{tree}`,
    '-p',
    `${commit}^`,
    '-m',
    'Stand-in',
  ]
  const tree = await mergeTrees(root, (await git(root, standIn)).trim(), commit)
  const format = 'author %an <%ae> %ad%ncommitter %cn <%ce> %cd%n%n%B'
  const text = await git(root, [
    ...['show', '--no-patch', '--no-show-signature', '--encoding=UTF-8', '--date=raw'],
    `--format=${format}`,
    commit,
  ])
  const input = `tree ${tree}\nparent ${tip}\n${text.trimEnd()}\n`
  return (await git(root, [...DURABLY, 'hash-object', '-t', 'commit', '-w', '--stdin'], {input})).trim()
}
