import {releaseNameOf} from '../../content/ids.ts'
import type {DocumentStore} from '../../content/store.ts'
import type {Action} from './transaction/action.ts'
import {publishedRevision} from './transaction/publishing.ts'
import {versionsIn} from './transaction/releases/versions.ts'
import {changesIn, reviewIn, sourceOf} from './transaction/review/reviewRequest.ts'

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
