import {readFile, stat} from 'node:fs/promises'
import {dirname} from 'node:path'
import {atomicWrite, ensureDirectory, syncDirectory} from '../../common/atomicWrite.ts'
import {Mutex} from '../../common/mutex.ts'
import {isJsonObject} from '../documents/document.ts'
import type {TreeEntry} from './tree-edit.ts'

/** Written into the file: another version of it is not understood. */
const version = 1

/** Versions of one file that are remembered while the work tree cannot follow. */
const maxVersions = 50

/** What the lake itself has put at a path, undefined for nothing, the newest last. */
export type Versions = readonly (TreeEntry | undefined)[]

/**
 * The paths that index and work tree are behind at: HEAD has moved, or is about to, and they have not followed.
 * They are kept in a file, so that the next start knows what a crash has left and what a person has changed.
 */
export class Behind {
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
    if (!isJsonObject(value) || value.version !== version || !isJsonObject(value.paths)) return undefined
    for (const [path, versions] of Object.entries(value.paths)) {
      if (Array.isArray(versions)) this.#paths.set(path, versions.map(entryOf))
    }
    return this.#paths.size === 0 ? undefined : writtenAt
  }

  /** Adds a path that changes, or is about to. */
  add(path: string, before: TreeEntry | undefined, after: TreeEntry | undefined): void {
    this.#paths.set(path, [...(this.#paths.get(path) ?? []), before, after].slice(-maxVersions))
  }

  /** Forgets a path, unless it changed again since its versions were these. */
  drop(path: string, versions: Versions): void {
    if (this.#paths.get(path) === versions) this.#paths.delete(path)
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
      Array.from(this.#paths, ([path, versions]) => [path, versions.map((entry) => entry ?? null)]),
    )
    const folder = dirname(this.#file)
    await ensureDirectory(folder)
    const text = JSON.stringify({version, paths})
    await atomicWrite(this.#file, text, {mode: 0o666, prefix: 'behind-'})
    await syncDirectory(folder)
  }
}

function entryOf(value: unknown): TreeEntry | undefined {
  if (!isJsonObject(value)) return undefined
  const {mode, id} = value
  return typeof mode === 'string' && typeof id === 'string' ? {mode, id} : undefined
}
