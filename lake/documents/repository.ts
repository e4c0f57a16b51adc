import type {FastifyBaseLogger} from 'fastify'
import {LRUCache} from 'lru-cache'
import type {Published} from '../git/commit/publisher.ts'
import type {ContentDirectory} from '../git/contentDirectory.ts'
import {readBlobs} from '../git/read/blobs.ts'
import {type Commit, diffTrees, listTree, type PathChange, readCommit, readHead} from '../git/read/lsTree.ts'
import type {PathTouch} from '../git/timestamps/pathHistory.ts'
import {Timestamps} from '../git/timestamps/timestamps.ts'
import type {Document} from './document.ts'
import {DocumentFiles, type InvalidFile} from './documentFiles.ts'
import {MAX_DOCUMENT_BYTES, type Parsed, parseDocument} from './parseDocument.ts'
import type {Update} from './store.ts'

/** Names one invalid file at a time, and no more than this of one commit. */
const MAX_REPORTS = 100

/** Times that HEAD may be moved again before it is taken as it is. */
const MAX_SETTLED = 3

/** Milliseconds after which files are read again whose objects Git could not read: a fetch or a copy may restore them. */
const UNREADABLE_RETRY_AFTER = 10_000

/**
 * The documents at HEAD of a content repository. What is committed counts, never a dirty file: a document
 * becomes visible by a commit, however that came about.
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

  /** The commit whose documents are known, undefined before the first. */
  get head(): string | undefined {
    return this.#head
  }

  /** Files that look like documents and are skipped, by path. */
  get invalid(): readonly InvalidFile[] {
    return this.#invalid
  }

  /** Paths of documents that are left out because Git cannot read their objects. */
  get unreadable(): readonly string[] {
    return this.#unreadable.map(({path}) => path)
  }

  /** The commits that touched the files of an id, the newest first; none while the history is being read. */
  touches(id: string): readonly PathTouch[] {
    return this.#dates.of(id)
  }

  /** Takes what an earlier run kept; call it once, before the first {@link refresh}. */
  async load(): Promise<void> {
    await this.#dates.load()
  }

  /** Keeps for the next start what is slow to find. */
  async close(): Promise<void> {
    await this.#dates.save(true)
  }

  /**
   * Reads HEAD. Answers the documents that may differ from the last time, or undefined when none can.
   * Nothing is lost when it throws: the last good state stays. Calls must not overlap.
   * @param settle told of a new HEAD before anybody sees it, and answers whether it has moved HEAD again
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
    // Not at the same time: a first walk takes every processor that there is.
    const move = await this.#dates.plan(head)
    // From here on nothing waits: all of the commit is taken.
    const ids = this.#files.apply(changes, parsed)
    if (move !== undefined) {
      for (const path of this.#dates.apply(move)) {
        const id = this.#files.idAt(path)
        if (id !== undefined) ids.add(id)
      }
    }
    if (datesArrived) for (const id of this.#files.ids()) ids.add(id)
    // All ids are touched then: each may go to another file.
    if (isFirst || datesArrived) this.#files.sortClaims((path) => this.#dates.at(path)?.created)
    this.#standIn = this.#dates.unknown ? (this.#standIn ?? commit.seconds) : undefined
    this.#head = head
    this.#report()
    this.#dates.save(false).catch(() => {})
    return this.#update(commit, ids)
  }

  /**
   * Takes over a commit that the lake itself has just made on top of {@link head}, without asking Git, and answers
   * what {@link refresh} would. Calls of the two must not overlap.
   * @param texts of the publication, by path
   * @param parsedBefore what some of them hold: parsing many at once would hold up other requests
   */
  adopt(
    published: Published,
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
    // Where something else is known than the parent, HEAD counts as not read, and the next refresh finds all of it.
    const step = {commit, seconds, added, modified}
    if (parent === this.#head && this.#dates.extend(parent, step)) this.#head = commit
    this.#report()
    this.#dates.save(false).catch(() => {})
    return this.#update({id: commit, author: author.email, seconds}, ids)
  }

  /** Files that could not be read, when it is time to try again. */
  #unreadableToRetry(): readonly PathChange[] {
    return performance.now() - this.#readAt < UNREADABLE_RETRY_AFTER ? [] : this.#unreadable
  }

  /** The paths to read again. A commit that is gone since (a pruned branch) can only be compared path by path. */
  async #changesTo(head: string): Promise<PathChange[]> {
    if (this.#head !== undefined) {
      try {
        return await diffTrees(this.#root, this.#head, head)
      } catch (error) {
        this.#logger.debug({err: error}, 'the last commit cannot be compared: reading the whole tree')
      }
    }
    const tree = await listTree(this.#root, head)
    const known = this.#files.blobs()
    const changes: PathChange[] = []
    for (const [path, blob] of tree) if (known.get(path) !== blob) changes.push({path, blob})
    for (const path of known.keys()) if (!tree.has(path)) changes.push({path, blob: undefined})
    return changes
  }

  /** Parses the blobs as they come, so that no turn of the event loop is long. */
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
    return {
      _id: id,
      _type: document.type,
      _rev: document.revision,
      _createdAt: isoTime(dates.created),
      _updatedAt: isoTime(dates.updated),
      ...document.content,
    }
  }

  /** Tells of each file that cannot be served once for each content. */
  #report(): void {
    this.#invalid = this.#files.invalid()
    this.#unreadable = this.#files.unreadable()
    const keyOf = ({path, blob, reason}: InvalidFile) => `${path} ${blob} ${reason}`
    const fresh = this.#invalid.filter((file) => !this.#reported.has(keyOf(file)))
    for (const file of fresh) this.#reported.set(keyOf(file), true)
    for (const {path, reason} of fresh.slice(0, MAX_REPORTS)) {
      this.#logger.warn({path, reason}, 'a file is not a valid document and is not served')
    }
    if (fresh.length > MAX_REPORTS) {
      this.#logger.warn({files: fresh.length - MAX_REPORTS}, 'more files are not valid documents')
    }
  }
}

/** Seconds since 1970 as Sanity writes times. */
function isoTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, -5)}Z`
}
