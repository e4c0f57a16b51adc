import {type Change, type Document, labelOf} from '../../../content/document.ts'
import type {DraftEditor} from '../../../content/drafts/draftEditors.ts'
import type {Draft} from '../../../content/drafts/journal.ts'
import {draftId, releaseId, versionId} from '../../../content/ids.ts'
import type {DocumentStore} from '../../../content/store.ts'
import {actionsOf, publishedReleases, type Request} from '../request.ts'
import {releaseContent, versionsIn} from '../transaction/releases/release.ts'
import {type ReviewRequest, reviewIdOf, reviewIn} from '../transaction/review/reviewRequest.ts'
import type {Workspace} from '../transaction/workspace.ts'

type Transaction = {
  readonly request: Request
  /** The documents as the transaction leaves them. */
  readonly workspace: Workspace
  /** The documents and drafts as of before it. */
  readonly store: DocumentStore
  readonly drafts: ReadonlyMap<string, Draft>
}

/** A review that a change may have had: its own, or that of a release that the transaction publishes. */
type Candidate = {
  readonly release: string | undefined
  readonly review: ReviewRequest | undefined
  /** Why it is not for what is published, or was not looked at; undefined if it counts, or if there is no review. */
  readonly mismatch: 'sentBack' | 'outdated' | 'unseen' | undefined
  /** Who wrote the change and who asked for its review; undefined if that is not known. */
  readonly authors: readonly DraftEditor[] | undefined
}

/** A published change, and the review that is for it. */
export type CheckedChange = Change & Candidate

/**
 * Finds the review of each published change. What counts is the content that is published, by its digest: what a release publishes
 * and its review does not name needs a review of its own, as what is published without a release.
 * @param mustBeNamed whether an action has to name what the reviewer saw of a draft or a release
 */
export function reviewsOf(
  changes: readonly Change[],
  transaction: Transaction,
  mustBeNamed: boolean,
): CheckedChange[] {
  const {request, store} = transaction
  const releases = publishedReleases(request).map((name) => releaseReview(name, transaction))
  const seen = (candidate: Candidate): Candidate => {
    const isUnseen = mustBeNamed && candidate.mismatch === undefined && !isNamed(candidate.review, request)
    return isUnseen ? {...candidate, mismatch: 'unseen'} : candidate
  }
  return changes.map((change) => {
    const own = ownReview(change, transaction)
    const holding = releases.filter(({release}) => store.get(versionId(release, change.id)) !== undefined)
    const candidates = [...holding, own].map(seen)
    const found =
      candidates.find(({review, mismatch}) => review !== undefined && mismatch === undefined) ??
      candidates.find(({review}) => review !== undefined) ??
      candidates[0] ??
      own
    return {...change, ...found}
  })
}

/** A release is reviewed as one: all that is in it, and all that its documents are afterwards, is what the review names. */
function releaseReview(release: string, {workspace, store, drafts}: Transaction) {
  const review = reviewIn(store.get(reviewIdOf(releaseId(release))))
  const isAsReviewed =
    review === undefined ||
    (review.after === releaseContent(release, store) &&
      review.changes?.every(({document, after}) => revisionIn(workspace.get(document)) === after))
  const editors = versionsIn(release, store).map(({_id}) => drafts.get(_id)?.editors)
  return {
    release,
    review,
    mismatch: mismatchOf(review, isAsReviewed === true),
    authors: editors.includes(undefined)
      ? undefined
      : withAsker(
          editors.flatMap((some) => some ?? []),
          review,
        ),
  }
}

function ownReview({id, before, after}: Change, {store, drafts}: Transaction): Candidate {
  const review = reviewIn(store.get(reviewIdOf(id)))
  const isAsReviewed = review?.before === revisionIn(before) && review.after === revisionIn(after)
  const editors = review?.action === 'publish' ? drafts.get(draftId(id))?.editors : []
  return {
    release: undefined,
    review,
    mismatch: mismatchOf(review, isAsReviewed),
    authors: editors && withAsker(editors, review),
  }
}

function mismatchOf(review: ReviewRequest | undefined, isAsReviewed: boolean): Candidate['mismatch'] {
  if (review?.state === 'sentBack') return 'sentBack'
  return review === undefined || isAsReviewed ? undefined : 'outdated'
}

function withAsker(editors: readonly DraftEditor[], review: ReviewRequest | undefined) {
  return review === undefined ? editors : [...editors, review.by]
}

/**
 * A draft or a release is published by the action that names the content that the reviewer saw: the request for the review may have
 * been replaced since. The lake itself publishes what somebody has scheduled or merged.
 */
function isNamed(review: ReviewRequest | undefined, request: Request): boolean {
  if (review?.action !== 'publish') return true
  const {document, after} = review
  return actionsOf(request).some((action) => {
    if (action.kind === 'publish') return action.publishedId === document && action.ifReviewed === after
    if (action.kind !== 'release.publish' || releaseId(action.release) !== document) return false
    return action.from !== undefined || action.ifReviewed === after
  })
}

/** A published revision is a digest of the content. */
function revisionIn(document: Document | undefined): string | null {
  return document?._rev ?? null
}

/** A document as messages name it. */
export function nameOf(document: Document | undefined): string {
  return document === undefined ? 'this document' : `${document._type} “${labelOf(document)}”`
}
