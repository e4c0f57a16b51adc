import type {Principal} from '../access/role.ts'
import {HeadMovedError, PublishError, type Publisher, PublishingPausedError} from '../content/publisher.ts'
import type {ContentRepository} from '../content/repository.ts'
import {fileTextOf} from '../documents/canonical.ts'
import type {Document} from '../documents/document.ts'
import type {Update} from '../documents/store.ts'
import {NotKeptError, reasonOf} from './errors.ts'
import {HeadMoved, type Published} from './writer.ts'

/** Published documents as commits of the content repository, by the editor. */
export class GitPublished implements Published {
  readonly #repository: ContentRepository
  readonly #publisher: Publisher
  readonly #typeOf: (id: string) => string | undefined

  /** @param typeOf the type of a document as it is now, which is the folder that a deleted one is in */
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
    for (const [id, document] of documents) {
      const before = this.#typeOf(id)
      if (before !== undefined && before !== document?._type) files.set(pathOf(before, id), undefined)
      if (document !== undefined) files.set(pathOf(document._type, id), fileTextOf(document))
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
      return this.#repository.adopt(published, files).documents
    } catch (error) {
      if (error instanceof HeadMovedError) throw new HeadMoved()
      if (error instanceof PublishingPausedError) throw new NotKeptError(error.message, {cause: error})
      if (error instanceof PublishError) {
        throw new NotKeptError(`Nothing was published: ${reasonOf(error.cause ?? error)}`, {cause: error})
      }
      throw error
    }
  }

  refresh(): Promise<Update | undefined> {
    return this.#repository.refresh()
  }
}

function pathOf(type: string, id: string): string {
  return `${type}/${id}.json`
}
