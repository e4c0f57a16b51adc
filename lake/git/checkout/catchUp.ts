import {randomBytes} from 'node:crypto'
import {copyFile, readdir, rename, rm, stat, utimes} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import type {FastifyBaseLogger} from 'fastify'
import {ensureDirectory, OWNER_ONLY} from '../../../common/atomicWrite.ts'
import {errorCode} from '../../../common/errorCode.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import {type ObjectFormat, zeroId} from '../objects/looseObjects.ts'
import type {TreeEntry} from '../objects/treeObject.ts'
import {GitError, git} from '../process.ts'
import {readBlobs} from '../read/blobs.ts'
import {hashFiles, type IndexEntry, indexEntries, treeEntries} from '../read/treeEntries.ts'
import {isOneOf, isSameEntry, type Versions} from './pendingPaths.ts'
import {isWritable, WorkTreeFiles} from './workTreeFiles.ts'

type Target = {readonly path: string; readonly versions: Versions; readonly head: TreeEntry | undefined}

/**
 * `behind`: must be written; `done`: same as HEAD; `changed`: a person changed it; `special`: a link or
 * a submodule.
 */
type State = 'behind' | 'done' | 'changed' | 'special'

const REASONS = {
  unreadable: 'cannot be read from Git',
  staged: 'has staged changes',
  changed: 'has local changes',
  special: 'is a symbolic link or a submodule',
}

const COPY_PREFIX = 'index'

/**
 * Updates index and work tree to HEAD at some paths, where they still hold a version that the lake wrote.
 * Paths that a person has changed or staged stay as they are and are logged once. The index must be locked.
 */
export class CatchUp {
  readonly #root: string
  readonly #format: ObjectFormat
  readonly #logger: FastifyBaseLogger
  readonly #files: WorkTreeFiles
  readonly #index: string
  /**
   * The new index is prepared in a copy and takes effect by one rename. Each run of the lake uses its own
   * copy: a Git process may have outlived the previous run, or left its lock if it was killed too.
   */
  readonly #copy: string
  #tidied = false

  constructor({root, gitDir}: ContentDirectory, format: ObjectFormat, logger: FastifyBaseLogger) {
    this.#root = root
    this.#format = format
    this.#logger = logger
    this.#files = new WorkTreeFiles(root, gitDir, format)
    this.#index = join(gitDir, 'index')
    this.#copy = join(gitDir, 'handrail', COPY_PREFIX + randomBytes(6).toString('hex'))
  }

  /**
   * @param paths with the versions that the lake has written there
   * @returns what HEAD has at these paths
   * @throws GitError and file system errors; it can be retried
   */
  async run(paths: ReadonlyMap<string, Versions>): Promise<ReadonlyMap<string, TreeEntry>> {
    if (!this.#tidied) await this.#tidy()
    await copyIndex(this.#index, this.#copy)
    const [head, index] = await Promise.all([
      treeEntries(this.#root, 'HEAD', paths),
      indexEntries(this.#root, this.#copy, paths),
    ])
    const targets: Target[] = []
    for (const [path, versions] of paths) {
      // If another process moved HEAD, their command has updated index and work tree already.
      if (!isOneOf(versions, head.get(path))) continue
      if (isOurs(versions, index.get(path))) targets.push({path, versions, head: head.get(path)})
      else this.#leave(path, 'staged')
    }
    // Files first: a path whose index entry is up to date counts as done.
    await this.#writeFiles(targets.filter(({path}) => index.get(path)?.sparse !== true))
    const moved = targets.filter(({path, head}) => !isSameEntry(index.get(path), head))
    if (moved.length === 0) {
      await rm(this.#copy, {force: true})
      return head
    }
    await this.#updateIndex(
      moved,
      moved.filter(({path, head}) => head !== undefined && index.get(path)?.sparse === true),
    )
    await rename(this.#copy, this.#index)
    return head
  }

  /** Removes the index copies, and their locks, that earlier runs of the lake left. */
  async #tidy(): Promise<void> {
    const folder = dirname(this.#copy)
    const names = await readdir(folder).catch(() => [])
    for (const name of names) if (name.startsWith(COPY_PREFIX)) await rm(join(folder, name), {force: true})
    this.#tidied = true
  }

  async #writeFiles(targets: readonly Target[]): Promise<void> {
    const states = await this.#look(targets)
    const wanted = new Map<string, Target[]>()
    for (const target of targets) {
      const state = states.get(target)
      if (state === 'changed' || state === 'special') this.#leave(target.path, state)
      if (state !== 'behind') continue
      if (target.head === undefined) await this.#files.remove(target.path)
      else wanted.set(target.head.id, [...(wanted.get(target.head.id) ?? []), target])
    }
    const writes: Promise<void>[] = []
    await readBlobs(this.#root, wanted.keys(), Number.POSITIVE_INFINITY, (blob, content) => {
      for (const {path, head} of wanted.get(blob) ?? []) {
        if (head === undefined) continue
        if (typeof content === 'string') {
          this.#leave(path, 'unreadable')
          continue
        }
        const write = this.#files.write(path, head, content)
        // The write may fail while blobs are still being read. Without this handler, the unhandled rejection
        // would end the process; the promise is awaited below.
        write.catch(() => {})
        writes.push(write)
      }
    })
    for (const result of await Promise.allSettled(writes))
      if (result.status === 'rejected') throw result.reason
  }

  async #look(targets: readonly Target[]): Promise<Map<Target, State>> {
    const states = new Map<Target, State>()
    const doubtful: Target[] = []
    for (const target of targets) {
      const file = await this.#files.look(target.path)
      if (!isWritable(target.head)) states.set(target, 'special')
      else if (file.kind === 'other') states.set(target, 'changed')
      else if (file.kind === 'missing') states.set(target, target.head === undefined ? 'done' : 'behind')
      else if (stateOf(target, file.id) === 'changed') doubtful.push(target)
      else states.set(target, stateOf(target, file.id))
    }
    // Line endings and filters may make a file differ from the committed blob.
    const paths = doubtful.map(({path}) => path)
    const ids = await hashFiles(this.#root, paths)
    for (const target of doubtful) states.set(target, stateOf(target, ids.get(target.path)))
    return states
  }

  async #updateIndex(moved: readonly Target[], sparse: readonly Target[]): Promise<void> {
    const options = {indexFile: this.#copy}
    const zero = zeroId(this.#format)
    const lines = moved.map(
      ({path, head}) => `${head === undefined ? `0 ${zero}` : `${head.mode} ${head.id} 0`}\t${path}\0`,
    )
    await git(this.#root, ['update-index', '-z', '--index-info'], {...options, input: lines.join('')})
    if (sparse.length > 0) {
      const input = sparse.map(({path}) => `${path}\0`).join('')
      await git(this.#root, ['update-index', '-z', '--skip-worktree', '--stdin'], {...options, input})
    }
    // Without a refresh, `git status` would have to read every written file. Exit code 1 means that a file
    // was changed.
    const refresh = ['-c', 'core.fsmonitor=false', 'update-index', '-q', '--refresh']
    await git(this.#root, refresh, options).catch((error: unknown) => {
      if (!(error instanceof GitError) || error.exitCode !== 1) throw error
    })
  }

  #leave(path: string, how: keyof typeof REASONS): void {
    this.#logger.warn(
      {path},
      `not updating a file in the work tree, because it ${REASONS[how]}: it differs from what is published`,
    )
  }
}

function stateOf({versions, head}: Target, id: string | undefined): State {
  if (head !== undefined && id === head.id) return 'done'
  return versions.some(({entry}) => entry !== undefined && entry.id === id) ? 'behind' : 'changed'
}

function isOurs(versions: Versions, entry: IndexEntry | undefined): boolean {
  return entry?.unmerged !== true && isOneOf(versions, entry)
}

/**
 * Keeps the time of the index: Git rechecks files that are newer than the index, and must still recheck them.
 */
async function copyIndex(index: string, copy: string): Promise<void> {
  await ensureDirectory(dirname(copy), OWNER_ONLY)
  await rm(copy, {force: true})
  try {
    await copyFile(index, copy)
    const {mtimeMs} = await stat(index)
    const seconds = Math.floor(mtimeMs) / 1000
    await utimes(copy, seconds, seconds)
  } catch (error) {
    // A repository without a commit may have no index yet.
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
