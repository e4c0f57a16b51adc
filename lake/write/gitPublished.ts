import {UnfitDocumentError} from '../../content/canonical.ts'
import {datesNamedBy, type GivenDates} from '../../content/dates.ts'
import type {Document} from '../../content/document.ts'
import {NotKeptError, writeFailure} from '../../content/drafts/notKept.ts'
import {type DocumentKey, jsonPath} from '../../content/layout/layout.ts'
import {splitDocument} from '../../content/layout/splitDocument.ts'
import {assembleDocument, type Parsed} from '../../content/parseDocument.ts'
import type {ContentRepository} from '../../content/repository.ts'
import type {Update} from '../../content/store.ts'
import type {Publisher} from '../../git/commit/publisher.ts'
import {HeadMovedError, PublishError, UnfitNameError} from '../../git/errors.ts'
import type {Author} from '../../git/objects/commitObject.ts'
import {refuse} from './errors.ts'
import {TimeSlices} from './timeSlices.ts'

/** Who changes published documents, when, and why. */
type Commit = {
  readonly by: Author
  readonly message: string
  /** ISO 8601, UTC. */
  readonly now: string
}

/** Others changed the published documents during a commit. */
export class PublishedChangedError extends Error {}

/** Stores published documents as commits of the content repository, authored by the editor. */
export class GitPublishedStore {
  readonly #repository: ContentRepository
  readonly #publisher: Publisher
  readonly #current: (id: string) => Document | undefined

  /** @param current returns a document as it is published: a deleted one is in the folder of its type */
  constructor(
    repository: ContentRepository,
    publisher: Publisher,
    current: (id: string) => Document | undefined,
  ) {
    this.#repository = repository
    this.#publisher = publisher
    this.#current = current
  }

  /**
   * Commits changes of published documents, and returns these with their dates. Dates other than `now` were
   * given by a client, and are kept.
   * @throws PublishedChangedError if HEAD has moved; nothing is committed then
   * @throws RefusedError, NotKeptError
   */
  async commit(documents: ReadonlyMap<string, Document | undefined>, {by, message, now}: Commit) {
    const {files, parsed} = await this.#filesOf(documents, now)
    const publication = {files, author: by, message, seconds: Math.floor(Date.now() / 1000)}
    try {
      const published = await this.#publisher.publish(this.#repository.head, publication)
      return this.#repository.adopt(published, parsed).documents
    } catch (error) {
      throw this.#failureOf(error)
    }
  }

  /**
   * Writes the commit that {@link commit} would make, and publishes nothing.
   * @returns its id
   */
  async propose(documents: ReadonlyMap<string, Document | undefined>, {by, message, now}: Commit) {
    const {files} = await this.#filesOf(documents, now)
    const publication = {files, author: by, message, seconds: Math.floor(Date.parse(now) / 1000)}
    try {
      return await this.#publisher.propose(this.#repository.head, publication)
    } catch (error) {
      throw this.#failureOf(error)
    }
  }

  /** Applies the commits of others, if there are any. */
  refresh(): Promise<Update | undefined> {
    return this.#repository.head === undefined ? this.#repository.refreshFirst() : this.#repository.refresh()
  }

  /** @throws RefusedError if a new document cannot have its name */
  async #filesOf(documents: ReadonlyMap<string, Document | undefined>, now: string) {
    const files = new Map<string, string | undefined>()
    const parsed = new Map<string, Parsed | undefined>()
    const slices = new TimeSlices(Number.POSITIVE_INFINITY)
    for (const [id, document] of documents) {
      const before = this.#current(id)
      if (before !== undefined && before._type !== document?._type) {
        const key = {type: before._type, id}
        for (const path of this.#repository.pathsOf(key)) files.set(path, undefined)
        parsed.set(jsonPath(key), undefined)
      }
      if (document !== undefined) {
        const key = {type: document._type, id}
        const texts = this.#split(key, document, this.#givenDates(document, before, now))
        const contents = new Map(Array.from(texts, ([path, text]) => [path, Buffer.from(text)]))
        parsed.set(jsonPath(key), assembleDocument(this.#repository.layout, key, contents))
        for (const [path, text] of this.#changedFiles(key, texts, document, before)) files.set(path, text)
      }
      await slices.turn()
    }
    return {files, parsed}
  }

  #givenDates(document: Document, before: Document | undefined, now: string): GivenDates {
    const isKept = before !== undefined && before._createdAt === document._createdAt
    const {createdAt, updatedAt} = datesNamedBy(document)
    const created = isKept ? this.#repository.givenCreatedAt(document._id) : createdAt
    return {
      ...(created !== undefined && created !== now && {createdAt: created}),
      ...(updatedAt !== undefined && updatedAt !== now && {updatedAt}),
    }
  }

  /** @throws RefusedError */
  #split(key: DocumentKey, document: Document, given: GivenDates): ReadonlyMap<string, string> {
    const {layout} = this.#repository
    try {
      return splitDocument(layout, key, document, given)
    } catch (error) {
      throw error instanceof UnfitDocumentError ? refuse.unfit(key.id, error.message) : error
    }
  }

  /** The files to write, and as undefined to delete. A text that stays the same is not written again. */
  #changedFiles(
    key: DocumentKey,
    texts: ReadonlyMap<string, string>,
    document: Document,
    before: Document | undefined,
  ): Map<string, string | undefined> {
    const {layout} = this.#repository
    const existing = new Set(this.#repository.pathsOf(key))
    const unchanged = new Set<string>()
    for (const [field, path] of layout.textPaths(key)) {
      if (!existing.has(path) || !texts.has(path)) continue
      if (before?._type === key.type && before[field] === document[field]) unchanged.add(path)
    }
    const files = new Map<string, string | undefined>()
    for (const path of [...texts.keys(), ...existing]) {
      if (!unchanged.has(path)) files.set(path, texts.get(path))
    }
    return files
  }

  #failureOf(error: unknown): unknown {
    if (error instanceof HeadMovedError) return new PublishedChangedError()
    if (error instanceof UnfitNameError)
      return refuse.unfit(this.#repository.layout.placeOf(error.path)?.id ?? error.path, error.message)
    if (error instanceof PublishError)
      return new NotKeptError(`Nothing was published: ${writeFailure(error.cause ?? error)}`, {cause: error})
    return error
  }
}
