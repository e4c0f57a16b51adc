import type {FastifyBaseLogger} from 'fastify'
import {isSameEntry, type Versions} from './behind.ts'
import {headEntries} from './entries.ts'
import {splitFields, streamGit} from './git.ts'
import {HeadMovedError} from './head.ts'
import {isDocumentPath, readHead} from './tree.ts'
import type {TreeEntry} from './tree-edit.ts'

/** Commits that are searched, and paths that are named to Git: with more, it looks at all. */
const MAX_COMMITS = 1_000
const MAX_NAMED = 200

/** Attempts to publish again what was taken back, while others move the branch. */
const RESTORE_ATTEMPTS = 5

/** No field of Git's raw format starts with this byte. */
const MARK = '\x01'

/** A path that a commit has set back, by accident, to what its index held. */
export type TakenBack = {
  /** The commit that did it. */
  readonly commit: string
  /** What was published there before: undefined for nothing. */
  readonly published: TreeEntry | undefined
  /** What is there now. */
  readonly now: TreeEntry | undefined
}

/**
 * Finds what commits have taken back that were made from an index which had not followed HEAD yet: whoever made them
 * never saw what was published. Where the lake could not have the index lock, such a commit cannot be kept from being made.
 * @param paths that index and work tree are behind at, with the versions that the lake has put there: they hold the first
 * @param head what HEAD has at these paths
 * @throws GitError
 */
export async function findTakenBack(
  root: string,
  paths: ReadonlyMap<string, Versions>,
  head: ReadonlyMap<string, TreeEntry>,
): Promise<ReadonlyMap<string, TakenBack>> {
  const candidates = new Map(
    Array.from(paths, ([path, versions]): [string, Versions] => [
      path,
      versionsAfter(versions, head.get(path)),
    ]),
  )
  for (const [path, after] of candidates) {
    if (!isDocumentPath(path) || after.length === 0 || !isSameEntry(paths.get(path)?.[0], head.get(path)))
      candidates.delete(path)
  }
  const found = new Map<string, TakenBack>()
  if (candidates.size === 0) return found

  const seen = new Set<string>()
  let commit = ''
  let isMerge = false
  let change: string[] | undefined
  const onField = (field: string) => {
    if (change !== undefined) {
      const [oldMode = '', , oldId = ''] = change
      change = undefined
      const after = candidates.get(field)
      // The newest change of a path is the one that counts. Git merges nothing while the index differs from HEAD.
      if (after === undefined || seen.has(field)) return
      seen.add(field)
      const published = oldMode === '000000' ? undefined : {mode: oldMode, id: oldId}
      if (!isMerge && after.some((version) => isSameEntry(version, published)))
        found.set(field, {commit, published, now: head.get(field)})
    } else if (field.startsWith(MARK)) {
      const [id = '', ...parents] = field.slice(1).trim().split(' ')
      commit = id
      isMerge = parents.length > 1
    } else if (field.trimStart().startsWith(':')) change = field.trimStart().slice(1).split(' ')
  }
  const format = ['-z', '--raw', '--no-renames', '--no-abbrev', '--no-color', '--format=tformat:%x01%H %P']
  const range = ['--first-parent', '--diff-merges=first-parent', `--max-count=${MAX_COMMITS}`, 'HEAD']
  const named = candidates.size > MAX_NAMED ? [] : ['--', ...candidates.keys()]
  const settings = ['--literal-pathspecs', '-c', 'log.showRoot=true', '-c', 'log.showSignature=false']
  await streamGit(root, [...settings, 'log', ...format, ...range, ...named], splitFields(onField))
  return found
}

/** The versions that the lake has put at a path after it had this one there for the last time. */
function versionsAfter(versions: Versions, entry: TreeEntry | undefined): Versions {
  return versions.slice(versions.findLastIndex((version) => isSameEntry(version, entry)) + 1)
}

/**
 * Publishes again what was taken back, and names it in the log. What has changed since is left as it is.
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
      await commit(head, blobs, `Publish again what an older index took back\n\n${trailers.join('')}`)
    } catch (error) {
      if (error instanceof HeadMovedError && attempt < RESTORE_ATTEMPTS) continue
      throw error
    }
    logger.warn(
      {commits, paths: [...blobs.keys()]},
      'a commit from an index older than HEAD took back what was published: it is published again',
    )
    return
  }
}
