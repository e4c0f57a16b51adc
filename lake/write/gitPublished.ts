import type {Principal} from '../access/role.ts'
import {fileTextOf} from '../documents/canonical.ts'
import type {Document} from '../documents/document.ts'
import {type Parsed, parseDocument} from '../documents/parseDocument.ts'
import type {ContentRepository} from '../documents/repository.ts'
import type {Update} from '../documents/store.ts'
import type {Publisher} from '../git/commit/publisher.ts'
import {HeadMovedError, PublishError, PublishingPausedError, UnfitNameError} from '../git/errors.ts'
import {NotKeptError, reasonOf, refuse} from './errors.ts'
import {PublishedChangedError, type PublishedStore} from './publishedStore.ts'
import {TimeSlices} from './timeSlices.ts'

/** Stores published documents as commits of the content repository, authored by the editor. */
export class GitPublishedStore implements PublishedStore {
  readonly #repository: ContentRepository
  readonly #publisher: Publisher
  readonly #typeOf: (id: string) => string | undefined

  /** @param typeOf returns a document's current type, which is the folder that contains a deleted one */
  constructor(
    repository: ContentRepository,
    publisher: Publisher,
    typeOf: (id: string) => string | undefined,
  ) {
    this.#repository = repository
    this.#publisher = publisher
    this.#typeOf = typeOf
  }

  async commit(
    documents: ReadonlyMap<string, Document | undefined>,
    by: Principal,
    message: string,
  ): Promise<ReadonlyMap<string, Document | undefined>> {
    const files = new Map<string, string | undefined>()
    const parsed = new Map<string, Parsed>()
    const slices = new TimeSlices(Number.POSITIVE_INFINITY)
    for (const [id, document] of documents) {
      const before = this.#typeOf(id)
      if (before !== undefined && before !== document?._type) files.set(pathOf(before, id), undefined)
      if (document !== undefined) {
        const path = pathOf(document._type, id)
        const text = fileTextOf(document)
        files.set(path, text)
        parsed.set(path, parseDocument(path, Buffer.from(text)))
      }
      await slices.turn()
    }
    const {name, email} = by
    const seconds = Math.floor(Date.now() / 1000)
    try {
      const published = await this.#publisher.publish(this.#repository.head, {
        files,
        author: {name, email},
        message,
        seconds,
      })
      return this.#repository.adopt(published, files, parsed).documents
    } catch (error) {
      if (error instanceof HeadMovedError) throw new PublishedChangedError()
      if (error instanceof PublishingPausedError) throw new NotKeptError(error.message, {cause: error})
      if (error instanceof UnfitNameError) {
        const id =
          Array.from(documents.keys()).find((key) => error.path.endsWith(`/${key}.json`)) ?? error.path
        throw refuse.unfit(id, error.message)
      }
      if (error instanceof PublishError) {
        throw new NotKeptError(`Nothing was published: ${reasonOf(error.cause ?? error)}`, {cause: error})
      }
      throw error
    }
  }

  refresh(): Promise<Update | undefined> {
    return this.#repository.refresh(() => this.#publisher.restoreTakenBack())
  }
}

function pathOf(type: string, id: string): string {
  return `${type}/${id}.json`
}
