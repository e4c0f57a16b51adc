import type {FastifyBaseLogger} from 'fastify'
import {errorMessage} from '../common/errorMessage.ts'
import type {CommitResult} from '../git/commit/publication.ts'
import type {ContentDirectory} from '../git/contentDirectory.ts'
import {describeMissingHead} from '../git/damagedBranch.ts'
import {readFiles} from '../git/read/blobs.ts'
import {readHead} from '../git/read/commits.ts'
import {listTree, type PathChange} from '../git/read/trees.ts'
import {type Document, isoTime} from './document.ts'
import {DocumentFiles, type DocumentState, type InvalidFile, ProblemLog} from './files/documentFiles.ts'
import {groupChanges, readDocuments} from './files/readDocuments.ts'
import {type Dates, History, type HistoryMove} from './history/history.ts'
import type {ReadCommit} from './history/readCommits.ts'
import {
  type DocumentKey,
  FORMER_LAYOUT_FILE,
  formerLayoutProblem,
  jsonPath,
  type Layout,
  mayBeContent,
} from './layout/layout.ts'
import {documentOf, type Parsed} from './parseDocument.ts'
import type {Update} from './store.ts'

/** Bytes of `lake.json` to read. */
const MAX_FORMER_LAYOUT = 64 * 1024

/** The commit that is shown, and its author by the email address, Git's closest equivalent to a user id. */
type Shown = Pick<ReadCommit, 'commit' | 'email' | 'seconds'>

const NO_AUTHOR = {email: '', seconds: 0}

type RepositoryOptions = {readonly datedByCommits?: ReadonlySet<string>; readonly keepsHistory?: boolean}

/**
 * The documents at HEAD of a content repository. A document becomes visible by a commit, no matter who made it.
 */
export class ContentRepository {
  readonly #folder: ContentDirectory
  readonly #root: string
  /** Which attributes have files of their own. */
  readonly layout: Layout
  /** The commits of the branch, and what they changed. */
  readonly history: History
  readonly #logger: FastifyBaseLogger
  readonly #datedByCommits: ReadonlySet<string>
  readonly #files = new DocumentFiles()
  readonly #log: ProblemLog
  #head: string | undefined

  /**
   * @param options.datedByCommits types whose `_createdAt` is always the date of the commit, because it decides between
   * two documents: a date in the file could be of anybody's choice
   * @param options.keepsHistory keeps what was read of the history for the next start, because it is slow to read
   */
  constructor(
    folder: ContentDirectory,
    layout: Layout,
    logger: FastifyBaseLogger,
    {datedByCommits = new Set(), keepsHistory = false}: RepositoryOptions = {},
  ) {
    this.#folder = folder
    this.#root = folder.root
    this.layout = layout
    this.#logger = logger
    this.#datedByCommits = datedByCommits
    this.#log = new ProblemLog(logger)
    this.history = new History(folder.root, layout, keepsHistory ? folder.gitDir : undefined)
  }

  /** The commit whose documents are loaded; undefined before the first refresh. */
  get head(): string | undefined {
    return this.#head
  }

  /** When a document was created, if its file says so. */
  givenCreatedAt(id: string): string | undefined {
    return this.#files.find(id)?.document.given?.createdAt
  }

  /** The paths of the files that a document has. */
  pathsOf(key: DocumentKey): readonly string[] {
    return this.#files.filesOf(jsonPath(key)).map(({path}) => path)
  }

  /** Files that look like content but are skipped, by path. */
  get invalid(): readonly InvalidFile[] {
    return this.#files.invalid()
  }

  close(): void {
    this.history.close()
  }

  /**
   * Reads HEAD for the first time.
   * @throws Error with one line if it cannot be read, or if documents would lose texts that are in other files
   */
  async refreshFirst(): Promise<Update | undefined> {
    const former = await readFiles(this.#root, 'HEAD', [FORMER_LAYOUT_FILE], MAX_FORMER_LAYOUT).catch(
      () => undefined,
    )
    const problem = formerLayoutProblem(this.layout, String(former?.get(FORMER_LAYOUT_FILE) ?? ''))
    if (problem !== undefined) throw new Error(`The content repository cannot be served: ${problem}`)
    try {
      return await this.refresh()
    } catch (error) {
      throw new Error(
        `The content repository cannot be read: ${errorMessage(error)}. If an object is damaged or missing, fetch it from ` +
          'another clone, or restore a backup',
      )
    }
  }

  /**
   * Reads HEAD. If it throws, the last good state stays. Calls must not overlap.
   * @returns the documents that may have changed, or undefined if none can have
   * @throws GitError, or Error with one line if HEAD names a branch that does not exist
   */
  async refresh(): Promise<Update | undefined> {
    const head = await readHead(this.#root)
    const missing = head === undefined ? await describeMissingHead(this.#folder) : undefined
    if (missing !== undefined) throw new Error(missing)
    if (head === this.#head) return undefined
    return head === undefined ? this.#becomeEmpty() : this.#moveTo(head)
  }

  async #moveTo(head: string): Promise<Update> {
    const isFirst = this.#head === undefined
    const move = await this.history.plan(head)
    const changes = new Map((await this.#changesTo(head, move)).map((change) => [change.path, change]))
    const found = await this.#read(changes)
    // No await from here on: a commit becomes visible as a whole.
    const dated = this.history.apply(move)
    const ids = this.#files.apply(found)
    for (const id of dated) ids.add(id)
    // This affects all ids, because each may now belong to another file.
    if (isFirst) this.#files.sortClaims((path) => this.#datesOf(path)?.created)
    this.#head = head
    this.#log.report(this.invalid)
    return this.#update({...NO_AUTHOR, ...this.history.last, commit: head}, ids)
  }

  /**
   * Applies a commit that the lake has just made on top of {@link head}, without asking Git. Calls of this
   * and {@link refresh} must not overlap.
   * @param parsed the published documents by the paths of their JSON; undefined for a deleted one
   * @returns what {@link refresh} would return
   */
  adopt(published: CommitResult, parsed: ReadonlyMap<string, Parsed | undefined>): Update {
    const {commit, parent, author, seconds, message} = published
    const changes = published.changes.map(({path, before, after}) => ({
      path,
      before,
      after: after === undefined ? undefined : {path, id: after},
    }))
    const states = changes.map(({path, after}) => ({path, state: after}))
    const groups = groupChanges(this.layout, states, (path) => this.#files.filesOf(path))
    const documents = new Map<string, DocumentState | undefined>()
    for (const [path, {files}] of groups) {
      const document = parsed.get(path)
      documents.set(path, document && {files, parsed: document})
    }
    const ids = this.#files.apply(documents)
    const [subject = '', ...paragraphs] = message.trim().split('\n\n')
    const step = {commit, seconds, ...author, subject, trailers: paragraphs.at(-1) ?? '', changes}
    // Otherwise HEAD counts as not read, and the next refresh finds all changes.
    if (parent === this.#head && this.#extend(parent, step)) this.#head = commit
    return this.#update(step, ids)
  }

  /** The paths to read again. If HEAD does not follow on the last known commit, all paths are compared. */
  async #changesTo(head: string, {keep, commits}: HistoryMove): Promise<PathChange[]> {
    if (this.#head !== undefined && this.history.positionOf(this.#head) === keep)
      return commits.flatMap(({changes}) => changes.map(({path, after}) => ({path, state: after})))
    const tree = await listTree(this.#root, head, mayBeContent)
    const changes: PathChange[] = []
    const known = new Map(Array.from(this.#files.all(), (file) => [file.path, file.id]))
    for (const [path, state] of tree) if (known.get(path) !== state.id) changes.push({path, state})
    for (const path of known.keys()) if (!tree.has(path)) changes.push({path, state: undefined})
    return changes
  }

  /** Reads the documents with changed files. */
  async #read(changes: ReadonlyMap<string, PathChange>): Promise<Map<string, DocumentState | undefined>> {
    const groups = groupChanges(this.layout, changes.values(), (path) => this.#files.filesOf(path))
    const found: Map<string, DocumentState | undefined> = await readDocuments(this.#root, this.layout, groups)
    for (const path of groups.keys()) if (!found.has(path)) found.set(path, undefined)
    return found
  }

  /** Returns false if the parent is not the newest known commit, or the database cannot be written: the commit exists. */
  #extend(parent: string | undefined, commit: ReadCommit): boolean {
    try {
      return this.history.extend(parent, commit)
    } catch (error) {
      this.#logger.warn({err: error}, 'the history of documents cannot be written')
      return false
    }
  }

  /** The dates of the document whose JSON is at a path. */
  #datesOf(path: string): Dates | undefined {
    const place = this.layout.placeOf(path)
    return place && this.history.datesOf(place)
  }

  #becomeEmpty(): Update {
    const ids = this.#files.apply(new Map(Array.from(this.#files.paths(), (path) => [path, undefined])))
    this.#head = undefined
    return this.#update({...NO_AUTHOR, commit: 'empty', seconds: Math.floor(Date.now() / 1000)}, ids)
  }

  #update({commit, email: identity, seconds}: Shown, ids: Iterable<string>): Update {
    const documents = new Map<string, Document | undefined>()
    for (const id of ids) documents.set(id, this.#document(id, seconds))
    return {id: commit, identity, timestamp: isoTime(seconds), documents}
  }

  #document(id: string, seconds: number): Document | undefined {
    const found = this.#files.find(id)
    if (found === undefined) return undefined
    const {path, document} = found
    const dates = this.#datesOf(path) ?? {created: seconds, updated: seconds}
    const dated = documentOf(document, dates)
    return this.#datedByCommits.has(document.type) ? {...dated, _createdAt: isoTime(dates.created)} : dated
  }
}
