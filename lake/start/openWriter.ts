import {isJsonObject} from '../../common/json.ts'
import type {Applied, DocumentStore} from '../../content/store.ts'
import type {RemoteSync} from '../../git/remote/remoteSync.ts'
import type {DocumentRights} from '../access/documentRights.ts'
import type {AuditLog} from '../audit/auditLog.ts'
import type {LakeSettings} from '../lakeSettings.ts'
import {finder, type QueryEnvironment} from '../query/run.ts'
import type {TestReports} from '../reports/testReports.ts'
import {GitPublishedStore} from '../write/gitPublished.ts'
import {findReviewBranch, ReviewBranches} from '../write/reviewBranches.ts'
import {NO_REVIEWS} from '../write/transaction/reviewRules.ts'
import {Writer} from '../write/writer.ts'
import type {OpenContent} from './openContent.ts'

type OpenWriterOptions = {
  readonly store: DocumentStore
  readonly environment: QueryEnvironment
  readonly rights: DocumentRights
  readonly audit: AuditLog
  readonly reports: TestReports
  readonly remote: RemoteSync
  /** Called with each change. */
  readonly listeners: readonly ((applied: Applied) => void)[]
}

/** Opens what changes documents, and loads them. With `LAKE_REVIEW_BRANCHES`, requests of reviews get branches. */
export async function openWriter(
  content: OpenContent,
  {remote, listeners, environment, ...options}: OpenWriterOptions,
  settings: LakeSettings,
  opened: AsyncDisposableStack,
): Promise<{readonly writer: Writer; readonly reviewBranches: ReviewBranches | undefined}> {
  const {folder, journal, repository, publisher, unique} = content
  const {store} = options
  const {reviewRules = NO_REVIEWS, documentRule = () => undefined, logger} = settings
  const reviewRemote = settings.reviewBranches === true ? settings.gitRemote : undefined
  const all = [...listeners]
  const writer = new Writer({
    ...options,
    journal,
    unique,
    reviews: reviewRules,
    problemOf: documentRule,
    branchOf: async (id) => (reviewRemote === undefined ? {} : findReviewBranch(folder, reviewRemote, id)),
    published: new GitPublishedStore(repository, publisher, (id) => store.get(id)),
    newFind: ({id: identity}) => {
      const find = finder(() => store.view('raw'), {...environment, identity})
      return async (query, params) => {
        const result = await find(query, params)
        return (Array.isArray(result) ? result : [result]).flatMap(idOf)
      }
    },
    publish: (applied) => {
      for (const listener of all) listener(applied)
    },
  })
  await writer.load()
  opened.defer(() => writer.close())
  if (reviewRemote === undefined) return {writer, reviewBranches: undefined}
  const reviewBranches = new ReviewBranches({
    folder,
    remote,
    store,
    propose: (review) => writer.propose(review),
    dropBranch: (review, text) => writer.dropBranch(review, text),
    logger,
  })
  opened.defer(() => reviewBranches.close())
  reviewBranches.start()
  all.push((applied) => reviewBranches.record(applied))
  return {writer, reviewBranches}
}

function idOf(found: unknown): string[] {
  const id = isJsonObject(found) ? found._id : found
  return typeof id === 'string' ? [id] : []
}
