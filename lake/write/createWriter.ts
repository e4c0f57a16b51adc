import {isJsonObject} from '../../common/json.ts'
import type {Journal} from '../../content/drafts/journal.ts'
import type {ContentRepository} from '../../content/repository.ts'
import type {Applied, DocumentStore} from '../../content/store.ts'
import type {UniqueValues} from '../../content/uniqueValues.ts'
import type {Publisher} from '../../git/commit/publisher.ts'
import type {DocumentRights} from '../access/documentRights.ts'
import type {Audit} from '../audit/events.ts'
import {finder, type QueryEnvironment} from '../query/run.ts'
import type {TestReports} from '../reports/testReports.ts'
import {GitPublishedStore} from './gitPublished.ts'
import type {ReviewRules} from './transaction/review/reviewRules.ts'
import type {ReviewBranch} from './transaction/reviewBranch.ts'
import {Writer} from './writer.ts'

export type CreateWriterOptions = {
  readonly repository: ContentRepository
  readonly publisher: Publisher
  readonly store: DocumentStore
  readonly environment: QueryEnvironment
  readonly rights: DocumentRights
  readonly reviews: ReviewRules
  readonly reports: TestReports
  readonly unique: UniqueValues
  /** The branch for the request of a review. Default: the lake pushes none. */
  readonly branchOf?: (reviewId: string) => Promise<ReviewBranch>
  readonly audit: Audit
  readonly publish: (applied: Applied) => void
  readonly journal: Journal
  /** Whether this process holds the repository lock. Default: it does. */
  readonly mayWrite?: () => boolean
}

/**
 * Creates a writer, and loads published documents and drafts into the store.
 * @throws Error with one line
 */
export async function createWriter(options: CreateWriterOptions): Promise<Writer> {
  const {
    repository,
    publisher,
    store,
    environment,
    rights,
    reviews,
    reports,
    unique,
    audit,
    publish,
    journal,
  } = options
  const {mayWrite = () => true, branchOf = async () => ({})} = options
  const writer = new Writer({
    store,
    journal,
    rights,
    reviews,
    reports,
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
  return writer
}

function idOf(found: unknown): string[] {
  const id = isJsonObject(found) ? found._id : found
  return typeof id === 'string' ? [id] : []
}
