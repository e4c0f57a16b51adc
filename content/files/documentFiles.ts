import type {FastifyBaseLogger} from 'fastify'
import type {FileState} from '../../git/read/trees.ts'
import type {Parsed, ParsedDocument} from '../parseDocument.ts'

/** A file that looks like content but is invalid, and is not served. */
export type InvalidFile = {
  readonly path: string
  readonly blob: string
  readonly reason: string
  /** Whether its document was served before a commit spoiled it. */
  readonly wasServed: boolean
}

/** The files of a document, and what they contain. */
export type DocumentState = {readonly files: readonly FileState[]; readonly parsed: Parsed}

/**
 * The documents of the served commit by the paths of their JSON. If two claim one id, the one that had it
 * first keeps it, so that a new file never replaces another document.
 */
export class DocumentFiles {
  readonly #documents = new Map<string, DocumentState>()
  /** The paths of valid documents by id, usually one. The first path owns the id. */
  readonly #claims = new Map<string, readonly string[]>()
  /** The paths of documents with a problem that were valid before. */
  readonly #spoiled = new Set<string>()

  /** The path of each document's JSON, whether that exists or not. */
  paths(): Iterable<string> {
    return this.#documents.keys()
  }

  /** All known files. */
  *all(): Iterable<FileState> {
    for (const {files} of this.#documents.values()) yield* files
  }

  /** The files of the document at a path. */
  filesOf(path: string): readonly FileState[] {
    return this.#documents.get(path)?.files ?? []
  }

  /** The document that has an id, and the path of its JSON; undefined if there is none. */
  find(id: string): {readonly path: string; readonly document: ParsedDocument} | undefined {
    const path = this.#claims.get(id)?.[0]
    const document = path === undefined ? undefined : this.documentAt(path)
    return path === undefined || document === undefined ? undefined : {path, document}
  }

  /** The valid document at a path. */
  documentAt(path: string): ParsedDocument | undefined {
    return documentIn(this.#documents.get(path))
  }

  /** Sets documents by path; undefined removes one. Returns the affected ids. */
  apply(changes: ReadonlyMap<string, DocumentState | undefined>): Set<string> {
    const ids = new Set<string>()
    // A file that only got another name still has its document, which is not served under this name.
    const gone = new Set<string>()
    for (const [path, state] of changes) {
      if (state !== undefined || this.documentAt(path) === undefined) continue
      for (const file of this.filesOf(path)) if (file.path === path) gone.add(file.id)
      gone.add(path.toLowerCase())
    }
    for (const [path, state] of changes) {
      const before = this.documentAt(path)?.id
      if (state === undefined) this.#documents.delete(path)
      else this.#documents.set(path, state)
      if (state === undefined || 'document' in state.parsed) this.#spoiled.delete(path)
      else {
        const isRenamed = gone.has(path.toLowerCase()) || state.files.some(({id}) => gone.has(id))
        if (before !== undefined || isRenamed) this.#spoiled.add(path)
      }
      const after = documentIn(state)?.id
      if (before !== after) {
        if (before !== undefined) this.#unclaim(before, path)
        if (after !== undefined) this.#claim(after, path)
      }
      if (before !== undefined) ids.add(before)
      if (after !== undefined) ids.add(after)
    }
    return ids
  }

  /**
   * Gives each id that several documents claim to the oldest, then to the first by path.
   * @param createdAt when a path was created, in seconds; undefined if unknown
   */
  sortClaims(createdAt: (path: string) => number | undefined): void {
    for (const [id, claims] of this.#contested()) {
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

  /** The files that are not served, with the reason. */
  invalid(): InvalidFile[] {
    const invalid: InvalidFile[] = []
    for (const [json, {files, parsed}] of this.#documents) {
      if (!('problem' in parsed)) continue
      const {path, problem} = parsed
      const blob = files.find((file) => file.path === path)?.id ?? ''
      invalid.push({path, blob, reason: problem, wasServed: this.#spoiled.has(json)})
    }
    for (const [id, [first, ...others]] of this.#contested()) {
      for (const path of others) {
        const blob = this.filesOf(path)[0]?.id ?? ''
        invalid.push({path, blob, reason: `_id "${id}" is already used by ${first}`, wasServed: false})
      }
    }
    return invalid.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** The ids that several documents claim. */
  #contested(): (readonly [id: string, paths: readonly string[]])[] {
    return [...this.#claims].filter(([, paths]) => paths.length > 1)
  }

  #claim(id: string, path: string): void {
    this.#setClaims(id, [...(this.#claims.get(id) ?? []), path])
  }

  #unclaim(id: string, path: string): void {
    this.#setClaims(id, this.#claims.get(id)?.filter((claim) => claim !== path) ?? [])
  }

  #setClaims(id: string, claims: readonly string[]): void {
    if (claims.length === 0) this.#claims.delete(id)
    else this.#claims.set(id, claims)
  }
}

function documentIn(state: DocumentState | undefined): ParsedDocument | undefined {
  const parsed = state?.parsed
  return parsed !== undefined && 'document' in parsed ? parsed.document : undefined
}

/** Invalid files are logged one by one, up to this many per commit. */
const MAX_REPORTS = 100

/** Logs each file that cannot be used, once for each content. */
export class ProblemLog {
  readonly #logger: FastifyBaseLogger
  #reported: ReadonlySet<string> = new Set()

  constructor(logger: FastifyBaseLogger) {
    this.#logger = logger
  }

  report(invalid: readonly InvalidFile[]): void {
    const keyOf = ({path, blob, reason}: InvalidFile) => `${path} ${blob} ${reason}`
    const fresh = invalid.filter((file) => !this.#reported.has(keyOf(file)))
    this.#reported = new Set(invalid.map(keyOf))
    for (const {path, reason} of fresh.slice(0, MAX_REPORTS)) {
      this.#logger.warn({path, reason}, 'skipping a file that is not a valid document')
    }
    if (fresh.length > MAX_REPORTS) {
      this.#logger.warn(
        {files: fresh.length - MAX_REPORTS},
        'skipping more files that are not valid documents',
      )
    }
  }
}
