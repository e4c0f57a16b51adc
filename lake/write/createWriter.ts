import type {FastifyBaseLogger} from 'fastify'
import {isJsonObject} from '../../common/json.ts'
import type {ContentRepository} from '../../content/repository.ts'
import type {Applied, DocumentStore} from '../../content/store.ts'
import type {UniqueValues} from '../../content/uniqueValues.ts'
import type {Publisher} from '../../git/commit/publisher.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import type {DocumentRights} from '../access/documentRights.ts'
import type {Audit} from '../audit/events.ts'
import {finder, type QueryEnvironment} from '../query/run.ts'
import {GitPublishedStore} from './gitPublished.ts'
import type {Journal} from './journal/journal.ts'
import {openJournal} from './journal/openJournal.ts'
import type {ReviewRules} from './transaction/review/reviewRules.ts'
import type {ReviewBranch} from './transaction/reviewBranch.ts'
import {Writer} from './writer.ts'

export type CreateWriterOptions = {
  readonly folder: ContentDirectory
  readonly repository: ContentRepository
  readonly publisher: Publisher
  readonly store: DocumentStore
  readonly environment: QueryEnvironment
  readonly rights: DocumentRights
  readonly reviews: ReviewRules
  readonly unique: UniqueValues
  /** The branch for the request of a review. Default: the lake pushes none. */
  readonly branchOf?: (reviewId: string) => Promise<ReviewBranch>
  readonly audit: Audit
  readonly publish: (applied: Applied) => void
  /** Whether this process still holds the repository lock. Default: it does. */
  readonly mayWrite?: () => Promise<boolean>
  /** False if the repository was opened read-only, so nothing may be cleaned up. */
  readonly isLocked?: boolean
  readonly logger: FastifyBaseLogger
}

/**
 * Opens what a writer needs, and loads published documents and drafts into the store. The writer owns the
 * journal; it is returned so that callers can read its state.
 * @throws Error with one line
 */
export async function createWriter(
  options: CreateWriterOptions,
): Promise<{readonly writer: Writer; readonly journal: Journal}> {
  const {folder, repository, publisher, store, environment, rights, reviews, unique, audit, publish, logger} =
    options
  const {mayWrite = async () => true, isLocked = true, branchOf = async () => ({})} = options
  const {journal, path, damage} = await openJournal(folder, isLocked)
  if (damage !== undefined) {
    const {lineNumbers, count, copy} = damage
    logger.error({path, lineNumbers, count, copy}, 'skipped damaged lines in the drafts journal')
  }
  const writer = new Writer({
    store,
    journal,
    rights,
    reviews,
    unique,
    branchOf,
    audit,
    published: new GitPublishedStore(repository, publisher, (id) => store.get(id)),
    newFind: ({id: identity}) => {
      const find = finder(() => store.view('raw'), {...environment, identity})
      return async (query, params) => {
        const result = await find(query, params)
        return (Array.isArray(result) ? result : [result]).flatMap(idOf)
      }
    },
    publish,
    mayWrite,
  })
  await writer.load()
  return {writer, journal}
}

function idOf(found: unknown): string[] {
  const id = isJsonObject(found) ? found._id : found
  return typeof id === 'string' ? [id] : []
}
