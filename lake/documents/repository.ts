import type {FastifyBaseLogger} from 'fastify'
import {LRUCache} from 'lru-cache'
import type {CommitResult} from '../git/commit/publication.ts'
import type {ContentDirectory} from '../git/contentDirectory.ts'
import {readBlobs} from '../git/read/blobs.ts'
import {
  type Commit,
  changedContent,
  listTree,
  type PathChange,
  readCommit,
  readHead,
} from '../git/read/lsTree.ts'
import type {Step} from '../git/timestamps/gitLog.ts'
import type {PathTouch} from '../git/timestamps/pathHistory.ts'
import {Timestamps} from '../git/timestamps/timestamps.ts'
import {type Document, isoTime} from './document.ts'
import {DocumentFiles, type InvalidFile} from './documentFiles.ts'
import {documentOf, MAX_DOCUMENT_BYTES, type Parsed, parseDocument} from './parseDocument.ts'
import type {Update} from './store.ts'

/** Invalid files are logged one by one, up to this many per commit. */
const MAX_REPORTS = 100

/** How many times `settle` may move HEAD during one refresh. */
const MAX_SETTLED = 3

/**
 * Delay before files that Git could not read are read again, in milliseconds: a fetch or a copy may restore
 * the objects.
 */
const UNREADABLE_RETRY_AFTER = 10_000

/**
 * The documents at HEAD of a content repository. Only committed files count, never the work tree: a document
 * becomes visible by a commit, no matter who made it.
 */
export class ContentRepository {
  readonly #root: string
  readonly #logger: FastifyBaseLogger
  readonly #files = new DocumentFiles()
  readonly #dates: Timestamps
  readonly #reported = new LRUCache<string, true>({max: 10_000})
  #head: string | undefined
  /** The date of every document while the history is being read, in seconds. */
  #standIn: number | undefined
  #invalid: readonly InvalidFile[] = []
  #unreadable: readonly PathChange[] = []
  #readAt = 0

  constructor(folder: ContentDirectory, logger: FastifyBaseLogger) {
    this.#root = folder.root
    this.#logger = logger
    this.#dates = new Timestamps(folder.root, folder.gitDir, logger)
  }

  /** The commit whose documents are loaded; undefined before the first refresh. */
  get head(): string | undefined {
    return this.#head
  }

  /** Files that look like documents but are skipped, by path. */
  get invalid(): readonly InvalidFile[] {
    return this.#invalid
  }

  /** Paths of documents that are left out because Git cannot read their objects. */
  get unreadable(): readonly string[] {
    return this.#unreadable.map(({path}) => path)
  }

  /** The commits that changed the files of an id, the newest first; none while the history is being read. */
  touches(id: string): readonly PathTouch[] {
    return this.#dates.of(id)
  }

  /** The commits of the branch, the oldest first; none while the history is being read. */
  get commits(): readonly Step[] {
    return this.#dates.steps
  }

  /** Loads what an earlier run saved. Call it once, before the first {@link refresh}. */
  async load(): Promise<void> {
    await this.#dates.load()
  }

  /** Saves the history for the next start, because it is slow to read. */
  async close(): Promise<void> {
    await this.#dates.save(true)
  }

  /**
   * Reads HEAD. If it throws, the last good state stays. Calls must not overlap.
   * @param settle called with a new HEAD before its documents become visible; returns whether it has moved
   * HEAD again
   * @returns the documents that may have changed, or undefined if none can have
   * @throws GitError
   */
  async refresh(settle: () => Promise<boolean> = async () => false): Promise<Update | undefined> {
    let head = await readHead(this.#root)
    for (let times = 0; times < MAX_SETTLED && head !== this.#head && (await settle()); times += 1) {
      head = await readHead(this.#root)
    }
    const retried = this.#unreadableToRetry()
    if (head === this.#head && !this.#dates.arrived && retried.length === 0) return undefined
    if (head === undefined) return this.#becomeEmpty()
    const datesArrived = this.#dates.arrived
    const isFirst = this.#head === undefined
    const [changed, commit] = await Promise.all([this.#changesTo(head), readCommit(this.#root, head)])
    const changes = [...new Map([...retried, ...changed].map((change) => [change.path, change])).values()]
    this.#readAt = performance.now()
    const parsed = await this.#read(changes)
    // Not in parallel: the first walk uses all processors.
    const move = await this.#dates.plan(head)
    // No await from here on: a commit becomes visible as a whole.
    const ids = this.#files.apply(changes, parsed)
    if (move !== undefined) {
      for (const path of this.#dates.apply(move)) {
        const id = this.#files.idAt(path)
        if (id !== undefined) ids.add(id)
      }
    }
    if (datesArrived) for (const id of this.#files.ids()) ids.add(id)
    // This affects all ids, because each may now belong to another file.
    if (isFirst || datesArrived) this.#files.sortClaims((path) => this.#dates.at(path)?.created)
    this.#standIn = this.#dates.unknown ? (this.#standIn ?? commit.seconds) : undefined
    this.#head = head
    this.#report()
    this.#dates.save(false).catch(() => {})
    return this.#update(commit, ids)
  }

  /**
   * Applies a commit that the lake has just made on top of {@link head}, without asking Git. Calls of this
   * and {@link refresh} must not overlap.
   * @param texts of the publication, by path
   * @param parsedBefore documents that are parsed already: parsing many at once would block other requests
   * @returns what {@link refresh} would return
   */
  adopt(
    published: CommitResult,
    texts: ReadonlyMap<string, string | undefined>,
    parsedBefore: ReadonlyMap<string, Parsed> = new Map(),
  ): Update {
    const {commit, parent, author, seconds, blobs, added, modified} = published
    const changes = [...added, ...modified].map((path) => ({path, blob: blobs.get(path)}))
    const parsed = new Map<string, Parsed>()
    for (const {path} of changes) {
      const text = texts.get(path)
      if (text === undefined) continue
      parsed.set(path, parsedBefore.get(path) ?? parseDocument(path, Buffer.from(text)))
    }
    const ids = this.#files.apply(changes, parsed)
    // If the known commit is not the parent, HEAD counts as not read, and the next refresh finds all changes.
    const step = {commit, seconds, added, modified}
    if (parent === this.#head && this.#dates.extend(parent, step)) this.#head = commit
    this.#report()
    this.#dates.save(false).catch(() => {})
    return this.#update({id: commit, author: author.email, seconds}, ids)
  }

  /** Files that could not be read, if it is time for a retry. */
  #unreadableToRetry(): readonly PathChange[] {
    return performance.now() - this.#readAt < UNREADABLE_RETRY_AFTER ? [] : this.#unreadable
  }

  /**
   * The paths to read again. If the old commit no longer exists (a pruned branch), all paths are compared.
   */
  async #changesTo(head: string): Promise<PathChange[]> {
    if (this.#head !== undefined) {
      try {
        return await changedContent(this.#root, this.#head, head)
      } catch (error) {
        this.#logger.debug(
          {err: error},
          'cannot compare HEAD with the last known commit; reading all documents',
        )
      }
    }
    const tree = await listTree(this.#root, head)
    const known = this.#files.blobs()
    const changes: PathChange[] = []
    for (const [path, blob] of tree) if (known.get(path) !== blob) changes.push({path, blob})
    for (const path of known.keys()) if (!tree.has(path)) changes.push({path, blob: undefined})
    return changes
  }

  /** Parses blobs as they arrive, so that the event loop is never blocked for long. */
  async #read(changes: readonly PathChange[]): Promise<Map<string, Parsed>> {
    const paths = Map.groupBy(changes, (change) => change.blob)
    paths.delete(undefined)
    const parsed = new Map<string, Parsed>()
    const blobs = [...paths.keys()].filter((blob) => blob !== undefined)
    await readBlobs(this.#root, blobs, MAX_DOCUMENT_BYTES, (blob, content) => {
      for (const {path} of paths.get(blob) ?? []) parsed.set(path, parseDocument(path, content))
    })
    return parsed
  }

  #becomeEmpty(): Update {
    const ids = new Set(this.#files.ids())
    this.#files.apply(
      Array.from(this.#files.blobs().keys(), (path) => ({path, blob: undefined})),
      new Map(),
    )
    this.#head = undefined
    this.#report()
    return this.#update({id: 'empty', author: '', seconds: Math.floor(Date.now() / 1000)}, ids)
  }

  #update(commit: Commit, ids: Iterable<string>): Update {
    const documents = new Map<string, Document | undefined>()
    for (const id of ids) documents.set(id, this.#document(id, commit))
    return {id: commit.id, identity: commit.author, timestamp: isoTime(commit.seconds), documents}
  }

  #document(id: string, commit: Commit): Document | undefined {
    const found = this.#files.find(id)
    if (found === undefined) return undefined
    const {path, document} = found
    const standIn = this.#standIn ?? commit.seconds
    const dates = this.#dates.at(path) ?? {created: standIn, updated: standIn}
    return documentOf(document, dates)
  }

  /** Logs each file that cannot be served, once for each content. */
  #report(): void {
    this.#invalid = this.#files.invalid()
    this.#unreadable = this.#files.unreadable()
    const keyOf = ({path, blob, reason}: InvalidFile) => `${path} ${blob} ${reason}`
    const fresh = this.#invalid.filter((file) => !this.#reported.has(keyOf(file)))
    for (const file of fresh) this.#reported.set(keyOf(file), true)
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
