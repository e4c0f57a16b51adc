import type {Parsed, ParsedDocument} from './document.ts'
import type {PathChange} from './tree.ts'

/** A file that looks like a document and is not served. */
export type InvalidFile = {readonly path: string; readonly reason: string}

type File = {readonly blob: string; readonly parsed: Parsed}

/** The document files of the commit that is served. Two files may claim one id: the first by path has it. */
export class Files {
  readonly #files = new Map<string, File>()
  /** The paths of valid documents by id, sorted: nearly always one. */
  readonly #claims = new Map<string, readonly string[]>()

  /** Every id that a valid file claims. */
  ids(): Iterable<string> {
    return this.#claims.keys()
  }

  /** The blob known at a path. */
  blobs(): Map<string, string> {
    return new Map(Array.from(this.#files, ([path, file]) => [path, file.blob]))
  }

  /** The path and document that an id stands for, undefined when there is none. */
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

  /** Takes changed paths with what their blobs hold, and answers the ids that are touched. */
  apply(changes: readonly PathChange[], parsed: ReadonlyMap<string, Parsed>): Set<string> {
    const ids = new Set<string>()
    for (const {path, blob} of changes) {
      const before = this.idAt(path)
      const content = blob === undefined ? undefined : parsed.get(path)
      if (blob === undefined || content === undefined) this.#files.delete(path)
      else this.#files.set(path, {blob, parsed: content})
      const after = this.idAt(path)
      if (before !== undefined) this.#unclaim(before, path)
      if (after !== undefined) this.#claim(after, path)
      for (const id of [before, after]) if (id !== undefined) ids.add(id)
    }
    return ids
  }

  /** The files that are not served, with the reason. */
  invalid(): InvalidFile[] {
    const invalid: InvalidFile[] = []
    for (const [path, {parsed}] of this.#files) {
      if ('problem' in parsed) invalid.push({path, reason: parsed.problem})
    }
    for (const [id, [first, ...others]] of this.#claims) {
      for (const path of others) invalid.push({path, reason: `_id "${id}" is taken by ${first}`})
    }
    return invalid.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  #claim(id: string, path: string): void {
    const claims = this.#claims.get(id)
    this.#claims.set(id, claims === undefined ? [path] : [...claims, path].sort())
  }

  #unclaim(id: string, path: string): void {
    const claims = this.#claims.get(id)?.filter((claim) => claim !== path) ?? []
    if (claims.length === 0) this.#claims.delete(id)
    else this.#claims.set(id, claims)
  }
}
