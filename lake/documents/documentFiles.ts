import type {PathChange} from '../git/read/lsTree.ts'
import type {Parsed, ParsedDocument} from './parseDocument.ts'

/** A file that looks like a document but is invalid, and is not served. */
export type InvalidFile = {readonly path: string; readonly blob: string; readonly reason: string}

type File = {readonly blob: string; readonly parsed: Parsed}

/**
 * The document files of the served commit. If two files claim one id, the one that had it first keeps it, so
 * that a new file never replaces another document.
 */
export class DocumentFiles {
  readonly #files = new Map<string, File>()
  /** The paths of valid documents by id, usually one. The first path owns the id. */
  readonly #claims = new Map<string, readonly string[]>()

  /** Every id that a valid file claims. */
  ids(): Iterable<string> {
    return this.#claims.keys()
  }

  /** The known blobs by path. */
  blobs(): Map<string, string> {
    return new Map(Array.from(this.#files, ([path, file]) => [path, file.blob]))
  }

  /** The path and document of an id; undefined if there is none. */
  find(id: string): {path: string; document: ParsedDocument} | undefined {
    const path = this.#claims.get(id)?.[0]
    const parsed = path === undefined ? undefined : this.#files.get(path)?.parsed
    if (path === undefined || parsed === undefined || !('document' in parsed)) return undefined
    return {path, document: parsed.document}
  }

  /** The id of the valid document at a path. */
  idAt(path: string): string | undefined {
    const parsed = this.#files.get(path)?.parsed
    return parsed !== undefined && 'document' in parsed ? parsed.document.id : undefined
  }

  /** Applies changed paths with the parsed content of their blobs. Returns the affected ids. */
  apply(changes: readonly PathChange[], parsed: ReadonlyMap<string, Parsed>): Set<string> {
    const ids = new Set<string>()
    for (const {path, blob} of changes) {
      const before = this.idAt(path)
      const content = blob === undefined ? undefined : parsed.get(path)
      if (blob === undefined || content === undefined) this.#files.delete(path)
      else this.#files.set(path, {blob, parsed: content})
      const after = this.idAt(path)
      if (before !== after) {
        if (before !== undefined) this.#unclaim(before, path)
        if (after !== undefined) this.#claim(after, path)
      }
      for (const id of [before, after]) if (id !== undefined) ids.add(id)
    }
    return ids
  }

  /**
   * Gives each id that several files claim to the oldest file, then to the first by path.
   * @param createdAt when a path was created, in seconds; undefined if unknown
   */
  sortClaims(createdAt: (path: string) => number | undefined): void {
    for (const [id, claims] of this.#claims) {
      if (claims.length === 1) continue
      const dated = claims.map((path) => ({path, created: createdAt(path) ?? Number.POSITIVE_INFINITY}))
      dated.sort((a, b) =>
        a.created === b.created ? (a.path < b.path ? -1 : 1) : a.created < b.created ? -1 : 1,
      )
      this.#claims.set(
        id,
        dated.map(({path}) => path),
      )
    }
  }

  /** Paths whose objects Git cannot read, with their blobs. */
  unreadable(): PathChange[] {
    const unreadable: PathChange[] = []
    for (const [path, {blob, parsed}] of this.#files) {
      if ('problem' in parsed && parsed.isUnreadable === true) unreadable.push({path, blob})
    }
    return unreadable
  }

  /** The files that are not served, with the reason. */
  invalid(): InvalidFile[] {
    const invalid: InvalidFile[] = []
    for (const [path, {blob, parsed}] of this.#files) {
      if ('problem' in parsed) invalid.push({path, blob, reason: parsed.problem})
    }
    for (const [id, [first, ...others]] of this.#claims) {
      for (const path of others) {
        const blob = this.#files.get(path)?.blob ?? ''
        invalid.push({path, blob, reason: `_id "${id}" is already used by ${first}`})
      }
    }
    return invalid.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  #claim(id: string, path: string): void {
    const claims = this.#claims.get(id)
    this.#claims.set(id, claims === undefined ? [path] : [...claims, path])
  }

  #unclaim(id: string, path: string): void {
    const claims = this.#claims.get(id)?.filter((claim) => claim !== path) ?? []
    if (claims.length === 0) this.#claims.delete(id)
    else this.#claims.set(id, claims)
  }
}
