import {readFile, stat} from 'node:fs/promises'
import {dirname} from 'node:path'
import {atomicWrite, ensureDirectory, syncDirectory} from '../../../common/atomicWrite.ts'
import {Mutex} from '../../../common/mutex.ts'
import {isJsonObject} from '../../documents/document.ts'
import type {TreeEntry} from '../commit/treeObject.ts'

/** Written into the file: another version of it is not understood. */
const VERSION = 1

/**
 * Versions of one file that are remembered while the work tree cannot follow. The first one is always among them: it is
 * what index and work tree still hold. The others are needed only where HEAD moves while they are being followed.
 */
export const MAX_VERSIONS = 1_000

/** What was at a path: undefined for nothing. */
export type Version = {
  readonly entry: TreeEntry | undefined
  /** The commit by which the lake put it there, or was about to. */
  readonly commit?: string
}

/** What the lake itself has put at a path, the newest last, and first what was there before. */
export type Versions = readonly Version[]

/**
 * The paths that index and work tree are behind at: HEAD has moved, or is about to, and they have not followed.
 * They are kept in a file, so that the next start knows what a crash has left and what a person has changed.
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
   * Takes what an earlier run has left, and answers when that was written (milliseconds since 1970), where something
   * is left. A file that cannot be read counts as none.
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
   * Takes note that index and work tree have followed a path.
   * @param versions the path's versions when that began: where it changed since, it is still behind
   * @param entry what HEAD had there, and so index and work tree have now
   */
  followed(path: string, versions: Versions, entry: TreeEntry | undefined): void {
    const current = this.#paths.get(path)
    if (current === versions) this.#paths.delete(path)
    // An entry that is newer than these versions was left for the next time.
    else if (current !== undefined && isOneOf(versions, entry)) {
      this.#paths.set(path, [{entry}, ...current.slice(1)])
    }
  }

  /**
   * Makes durable what is known now.
   * @throws the error of the file system
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
    await ensureDirectory(folder)
    const text = JSON.stringify({version: VERSION, paths})
    await atomicWrite(this.#file, text, {mode: 0o666, prefix: 'behind-'})
    await syncDirectory(folder)
  }
}

/** Whether an entry is one of these versions. */
export function isOneOf(versions: Versions, entry: TreeEntry | undefined): boolean {
  return versions.some((version) => isSameEntry(version.entry, entry))
}

/** Whether two entries are the same, or both are nothing. */
export function isSameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a?.id === b?.id && a?.mode === b?.mode
}

function versionOf(value: unknown): Version {
  if (!isJsonObject(value)) return {entry: undefined}
  const {mode, id, commit} = value
  const entry = typeof mode === 'string' && typeof id === 'string' ? {mode, id} : undefined
  return {entry, ...(typeof commit === 'string' && {commit})}
}
