import {draftId, isReviewId} from '../../content/ids.ts'
import type {DocumentStore} from '../../content/store.ts'
import {reviewIn} from './transaction/review/reviewRequest.ts'

/**
 * The drafts that are published as their reviews were requested, for example because somebody merged the branch of
 * a review, and the requests. Compares content, because a merge may make other commits from it.
 * @param ids of drafts
 */
export function findMerged(ids: Iterable<string>, store: DocumentStore): readonly string[] {
  const merged: string[] = []
  for (const reviewId of ids) {
    const review = isReviewId(reviewId) ? reviewIn(store.get(reviewId)) : undefined
    if (review?.state !== 'open' || review.action !== 'publish' || review.after === review.before) continue
    const draft = store.get(draftId(review.document))
    const published = store.get(review.document)
    if (draft?._rev === review.draftRevision && published?._rev === review.after)
      merged.push(draftId(review.document), reviewId)
  }
  return merged
}
