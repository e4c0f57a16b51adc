import {readFile, stat} from 'node:fs/promises'
import {dirname} from 'node:path'
import {
  atomicWrite,
  ensureDirectory,
  fileModeIn,
  OWNER_ONLY,
  syncDirectory,
} from '../../../common/atomicWrite.ts'
import {isJsonObject} from '../../../common/json.ts'
import {Mutex} from '../../../common/mutex.ts'
import type {TreeEntry} from '../objects/treeObject.ts'

/** Format version of the file. A file of another version is ignored. */
const VERSION = 1

/**
 * Maximum versions of one file to remember while the work tree cannot be updated. The first one is always
 * kept: index and work tree still hold it. The others are needed only if HEAD moves during an update.
 */
export const MAX_VERSIONS = 1_000

/** The entry at a path; undefined if there was none. */
export type Version = {
  readonly entry: TreeEntry | undefined
  /** The commit by which the lake put it there, or was about to. */
  readonly commit?: string
}

/** The versions that the lake has put at a path, the newest last, preceded by what was there before. */
export type Versions = readonly Version[]

/**
 * The paths where index and work tree are behind HEAD: HEAD has moved, or is about to. They are stored in a
 * file, so that the next start can tell what a crash left from what a person changed.
 */
export class PendingPaths {
  readonly #file: string
  readonly #paths = new Map<string, Versions>()
  readonly #saving = new Mutex()

  constructor(file: string) {
    this.#file = file
  }

  get paths(): ReadonlyMap<string, Versions> {
    return this.#paths
  }

  /**
   * Loads what an earlier run left. A file that cannot be read counts as empty.
   * @returns when it was written (milliseconds since 1970), if any paths are left
   */
  async load(): Promise<number | undefined> {
    let value: unknown
    let writtenAt: number
    try {
      writtenAt = (await stat(this.#file)).mtimeMs
      value = JSON.parse(await readFile(this.#file, 'utf8'))
    } catch {
      return undefined
    }
    if (!isJsonObject(value) || value.version !== VERSION || !isJsonObject(value.paths)) return undefined
    for (const [path, versions] of Object.entries(value.paths)) {
      if (Array.isArray(versions)) this.#paths.set(path, versions.map(versionOf))
    }
    return this.#paths.size === 0 ? undefined : writtenAt
  }

  /** Adds a path that a commit changes, or is about to. */
  add(path: string, before: TreeEntry | undefined, after: TreeEntry | undefined, commit: string): void {
    const known = this.#paths.get(path) ?? []
    const last = known.at(-1)
    const isContinued = last !== undefined && isSameEntry(last.entry, before)
    const next = {entry: after, commit}
    const [first, ...later] = isContinued ? [...known, next] : [...known, {entry: before}, next]
    if (first !== undefined) this.#paths.set(path, [first, ...later.slice(1 - MAX_VERSIONS)])
  }

  /**
   * Records that index and work tree are up to date at a path.
   * @param versions the path's versions when the update began: if they changed since, the path stays pending
   * @param entry what HEAD had at the path, and index and work tree have now
   */
  followed(path: string, versions: Versions, entry: TreeEntry | undefined): void {
    const current = this.#paths.get(path)
    if (current === versions) this.#paths.delete(path)
    // A newer entry was added during the update; it stays pending.
    else if (current !== undefined && isOneOf(versions, entry)) {
      this.#paths.set(path, [{entry}, ...current.slice(1)])
    }
  }

  /**
   * Makes the current state durable.
   * @throws file system errors
   */
  save(): Promise<void> {
    return this.#saving.run(() => this.#write())
  }

  async #write(): Promise<void> {
    const paths = Object.fromEntries(
      Array.from(this.#paths, ([path, versions]) => [
        path,
        versions.map(({entry, commit}) => ({...entry, commit})),
      ]),
    )
    const folder = dirname(this.#file)
    await ensureDirectory(folder, OWNER_ONLY)
    const text = JSON.stringify({version: VERSION, paths})
    await atomicWrite(this.#file, text, {mode: await fileModeIn(folder), prefix: 'behind-'})
    await syncDirectory(folder)
  }
}

/** Whether an entry is one of these versions. */
export function isOneOf(versions: Versions, entry: TreeEntry | undefined): boolean {
  return versions.some((version) => isSameEntry(version.entry, entry))
}

/** Whether two entries are the same, or both are undefined. */
export function isSameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a?.id === b?.id && a?.mode === b?.mode
}

function versionOf(value: unknown): Version {
  if (!isJsonObject(value)) return {entry: undefined}
  const {mode, id, commit} = value
  const entry = typeof mode === 'string' && typeof id === 'string' ? {mode, id} : undefined
  return {entry, ...(typeof commit === 'string' && {commit})}
}
