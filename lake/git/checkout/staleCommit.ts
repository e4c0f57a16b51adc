import type {FastifyBaseLogger} from 'fastify'
import {HeadMovedError} from '../errors.ts'
import type {TreeEntry} from '../objects/treeObject.ts'
import {type IsContentPath, readHead} from '../read/lsTree.ts'
import {type RawChange, readLog} from '../read/rawChanges.ts'
import {treeEntries} from '../read/treeEntries.ts'
import {isSameEntry, type Versions} from './pendingPaths.ts'

/** Maximum commits to search, and maximum paths to pass to Git; with more paths, it searches all. */
const MAX_COMMITS = 1_000
const MAX_NAMED = 200

/** Attempts to publish reverted content again while others move the branch. */
const RESTORE_ATTEMPTS = 5

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
  isContentPath: IsContentPath,
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
  const onCommit = ([id = '', parents = '']: string[]) => {
    commit = id
    isMerge = parents.includes(' ')
  }
  const onChange = ({path, before}: RawChange) => {
    const known = changes.get(path) ?? []
    if (paths.has(path) && known.length < 2) changes.set(path, [...known, {commit, isMerge, before}])
  }
  const range = ['--first-parent', `--max-count=${MAX_COMMITS}`, 'HEAD']
  const named = paths.size > MAX_NAMED ? [] : ['--', ...paths.keys()]
  await readLog(root, ['%H', '%P'], [...range, ...named], {onCommit, onChange})
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
    const entries = await treeEntries(root, 'HEAD', taken)
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
