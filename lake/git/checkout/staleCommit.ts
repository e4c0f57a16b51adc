import type {FastifyBaseLogger} from 'fastify'
import {HeadMovedError} from '../errors.ts'
import type {TreeEntry} from '../objects/treeObject.ts'
import {splitFields, streamGit} from '../process.ts'
import {isContentPath, readHead} from '../read/lsTree.ts'
import {headEntries} from '../read/treeEntries.ts'
import {isSameEntry, type Versions} from './pendingPaths.ts'

/** Maximum commits to search, and maximum paths to pass to Git; with more paths, it searches all. */
const MAX_COMMITS = 1_000
const MAX_NAMED = 200

/** Attempts to publish reverted content again while others move the branch. */
const RESTORE_ATTEMPTS = 5

/** No field of Git's raw format starts with this byte. */
const MARK = '\x01'

/** A path that a commit reverted by accident to what its index held. */
export type TakenBack = {
  /** The commit that did it. */
  readonly commit: string
  /** What was published there before; undefined if the path was deleted. */
  readonly published: TreeEntry | undefined
  /** What is there now. */
  readonly now: TreeEntry | undefined
}

/**
 * Finds paths that were reverted by commits made from an index that was not up to date with HEAD: the
 * committer never saw what was published. The lake cannot prevent such a commit if it could not take the
 * index lock.
 *
 * Such a commit is the newest change of the path, directly follows a commit of the lake, and sets the path to
 * what the index held.
 * @param paths the pending paths with the versions that the lake has put there; index and work tree hold the
 * first one
 * @param head what HEAD has at these paths
 * @throws GitError
 */
export async function findTakenBack(
  root: string,
  paths: ReadonlyMap<string, Versions>,
  head: ReadonlyMap<string, TreeEntry>,
): Promise<ReadonlyMap<string, TakenBack>> {
  const found = new Map<string, TakenBack>()
  const candidates = new Map<string, Versions>()
  for (const [path, versions] of paths) {
    const now = head.get(path)
    const after = versionsAfter(versions, now)
    if (isContentPath(path) && after.length > 0 && isSameEntry(versions[0]?.entry, now)) {
      candidates.set(path, after)
    }
  }
  if (candidates.size === 0) return found
  const changes = await newestChanges(root, candidates)
  for (const [path, after] of candidates) {
    const [newest, before] = changes.get(path) ?? []
    // Git does not merge while the index differs from HEAD.
    if (newest === undefined || before === undefined || newest.isMerge) continue
    const isOurs = after.some(
      ({entry, commit}) => commit === before.commit && isSameEntry(entry, newest.before),
    )
    if (isOurs) found.set(path, {commit: newest.commit, published: newest.before, now: head.get(path)})
  }
  return found
}

type Change = {readonly commit: string; readonly isMerge: boolean; readonly before: TreeEntry | undefined}

/** The last two changes of some paths, the newest first. */
async function newestChanges(
  root: string,
  paths: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, readonly Change[]>> {
  const changes = new Map<string, Change[]>()
  let commit = ''
  let isMerge = false
  let entry: string[] | undefined
  const onField = (field: string) => {
    if (entry !== undefined) {
      const [mode = '', , id = ''] = entry
      entry = undefined
      const known = changes.get(field) ?? []
      if (!paths.has(field) || known.length === 2) return
      changes.set(field, [...known, {commit, isMerge, before: mode === '000000' ? undefined : {mode, id}}])
    } else if (field.startsWith(MARK)) {
      const [id = '', ...parents] = field.slice(1).trim().split(' ')
      commit = id
      isMerge = parents.length > 1
    } else if (field.trimStart().startsWith(':')) entry = field.trimStart().slice(1).split(' ')
  }
  const format = ['-z', '--raw', '--no-renames', '--no-abbrev', '--no-color', '--format=tformat:%x01%H %P']
  const range = ['--first-parent', '--diff-merges=first-parent', `--max-count=${MAX_COMMITS}`, 'HEAD']
  const named = paths.size > MAX_NAMED ? [] : ['--', ...paths.keys()]
  const settings = ['--literal-pathspecs', '-c', 'log.showRoot=true', '-c', 'log.showSignature=false']
  await streamGit(root, [...settings, 'log', ...format, ...range, ...named], splitFields(onField))
  return changes
}

/** The versions that the lake put at a path after the last occurrence of this one. */
function versionsAfter(versions: Versions, entry: TreeEntry | undefined): Versions {
  return versions.slice(versions.findLastIndex((version) => isSameEntry(version.entry, entry)) + 1)
}

/**
 * Publishes reverted content again, and logs it. Paths that have changed since stay as they are.
 * @param commit sets paths to blobs on top of HEAD
 * @throws what `commit` throws
 */
export async function restoreTakenBack(
  root: string,
  taken: ReadonlyMap<string, TakenBack>,
  logger: FastifyBaseLogger,
  commit: (
    head: string | undefined,
    blobs: ReadonlyMap<string, string | undefined>,
    message: string,
  ) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const head = await readHead(root)
    const entries = await headEntries(root, taken)
    const still = [...taken].filter(([path, {now}]) => isSameEntry(now, entries.get(path)))
    if (still.length === 0) return
    const blobs = new Map(still.map(([path, {published}]) => [path, published?.id]))
    const commits = [...new Set(still.map(([, {commit}]) => commit))]
    const trailers = commits.map((id) => `Restores-After: ${id}\n`)
    try {
      await commit(
        head,
        blobs,
        `Publish again what a commit from an older index reverted\n\n${trailers.join('')}`,
      )
    } catch (error) {
      if (error instanceof HeadMovedError && attempt < RESTORE_ATTEMPTS) continue
      throw error
    }
    logger.warn(
      {commits, paths: [...blobs.keys()]},
      'a commit made from an outdated index reverted published documents; publishing them again',
    )
    return
  }
}
