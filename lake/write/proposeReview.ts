import type {Change} from '../../content/document.ts'
import type {DraftEditor} from '../../content/drafts/draftEditors.ts'
import type {Draft} from '../../content/drafts/journal.ts'
import type {DocumentStore} from '../../content/store.ts'
import type {UniqueValues} from '../../content/uniqueValues.ts'
import type {GitPublishedStore} from './gitPublished.ts'
import {authorTrailers, commitMessage, PROPOSAL_TRAILER} from './message.ts'
import {publishedAs, publishedRevision} from './transaction/publishing.ts'
import {releaseIn} from './transaction/releases/release.ts'
import {changesIn, type ReviewRequest, sourceOf} from './transaction/review/reviewRequest.ts'

type ProposeReviewOptions = {
  readonly store: DocumentStore
  readonly unique: UniqueValues
  readonly drafts: ReadonlyMap<string, Draft>
  readonly published: GitPublishedStore
}

/** Names the change of a request, in the commit that proposes it. */
export function proposalOf({before, after}: ReviewRequest): string {
  return `${before ?? 'none'}..${after ?? 'none'}`
}

/**
 * Writes the commit that publishing a draft or a release would make.
 * @returns its id; undefined if publishing would be refused, because a draft or its published document is not
 * what the review was requested for, or because another document has a unique value of a draft
 * @throws RefusedError, NotKeptError
 */
export async function proposeReview(
  review: ReviewRequest,
  {store, unique, drafts, published}: ProposeReviewOptions,
): Promise<string | undefined> {
  const {by, at} = review
  const changes: Change[] = []
  const coauthors: DraftEditor[] = []
  for (const change of changesIn(review)) {
    const {document: id, before, after} = change
    const current = store.get(id)
    const draft = drafts.get(sourceOf(review, change))
    if (draft === undefined || publishedRevision(draft.document) !== after) return undefined
    if (before !== (current?._rev ?? null) || (draft.base !== undefined && draft.base !== before))
      return undefined
    const dates = {_createdAt: current?._createdAt ?? at, _updatedAt: at}
    const document = after === null ? undefined : {...publishedAs(draft.document), _rev: after, ...dates}
    changes.push({id, before: current, after: document})
    coauthors.push(...(draft.editors ?? []).filter((editor) => editor.id !== by.id))
  }
  const documents = new Map(changes.map(({id, after}) => [id, after]))
  if (unique.problemOf(documents) !== undefined) return undefined
  const message = commitMessage(changes, {
    release: releaseIn(store.get(review.document)),
    trailers: authorTrailers(coauthors),
    source: [`${PROPOSAL_TRAILER}: ${proposalOf(review)}`],
  })
  return published.propose(documents, {by, message, now: at})
}
