import type {Change} from '../../content/document.ts'
import type {DraftEditor} from '../../content/drafts/draftEditors.ts'
import type {Draft} from '../../content/drafts/journal.ts'
import {releaseNameOf} from '../../content/ids.ts'
import type {DocumentStore} from '../../content/store.ts'
import type {UniqueValues} from '../../content/uniqueValues.ts'
import type {GitPublishedStore} from './gitPublished.ts'
import {authorTrailers, commitMessage, PROPOSAL_TRAILER} from './message.ts'
import type {Action} from './transaction/action.ts'
import {publishedAs, publishedRevision} from './transaction/publishing.ts'
import {releaseIn, versionsIn} from './transaction/releases/release.ts'
import {changesIn, type ReviewRequest, reviewIn, sourceOf} from './transaction/review/reviewRequest.ts'

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

/**
 * What is left to do about reviews whose changes are published as they were requested, for example because somebody merged
 * the branch of a review: it discards the drafts that did not change since, or ends the release. Compares content, because a
 * merge may make other commits from it.
 * @param ids of drafts
 * @returns the actions for each review
 */
export function findMerged(ids: Iterable<string>, store: DocumentStore): readonly Action[][] {
  return [...ids].flatMap((reviewId): Action[][] => {
    const review = reviewIn(store.get(reviewId))
    if (review?.state !== 'open' || review.action !== 'publish') return []
    const changes = changesIn(review)
    const isMerged =
      changes.some(({before, after}) => before !== after) &&
      changes.every(({document, after}) => (store.get(document)?._rev ?? null) === after)
    const unchanged = changes
      .filter((change) => {
        const source = store.get(sourceOf(review, change))
        return source !== undefined && publishedRevision(source) === change.after
      })
      .map((change) => sourceOf(review, change))
    if (!isMerged || unchanged.length === 0) return []
    const release = releaseNameOf(review.document)
    return release !== undefined && unchanged.length === versionsIn(release, store).length
      ? [[{kind: 'release.publish', release, from: ['active', 'scheduled']}]]
      : [unchanged.map((draftId) => ({kind: 'discard', draftId}))]
  })
}
