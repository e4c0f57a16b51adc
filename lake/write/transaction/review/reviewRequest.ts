import {hash} from 'node:crypto'
import type {Document} from '../../../../content/document.ts'
import {draftId, isReviewId, REVIEW_PREFIX, releaseNameOf, versionId} from '../../../../content/ids.ts'
import type {DocumentStore} from '../../../../content/store.ts'
import type {ReviewBranch} from '../reviewRules.ts'

/** The type of the private documents in which the lake keeps requests for reviews. */
export const REVIEW_TYPE = 'handrail.review'

/** What is to be done to a document. */
export const REVIEWED_ACTIONS = ['publish', 'unpublish', 'delete'] as const

export type ReviewedAction = (typeof REVIEWED_ACTIONS)[number]

/** A person, as a request names them. */
type Person = {readonly id: string; readonly name: string}

export type Comment = {
  readonly _key: string
  readonly by: Person
  /** ISO 8601, UTC. */
  readonly at: string
  readonly text: string
}

/** A change of one document, and the revisions that are reviewed. */
export type ReviewedChange = {
  /** The id of the published document. */
  readonly document: string
  /** The site of the document, for lists; null if it has none. */
  readonly site: string | null
  /** The revision of the draft or version that is to be published; null for other actions. */
  readonly draftRevision: string | null
  /** The published revision that the change starts from; null for a new document. */
  readonly before: string | null
  /** The published revision that the change leads to, a digest of its content; null: none. */
  readonly after: string | null
}

/** A request to review a change of one document, or a release as a whole: `after` identifies what is in it then. */
export type ReviewRequest = ReviewedChange & {
  readonly action: ReviewedAction
  /** What the release changes. */
  readonly changes?: readonly ReviewedChange[]
  readonly state: 'open' | 'sentBack'
  readonly by: Person & {readonly email: string}
  readonly at: string
  readonly comments: readonly Comment[]
} & ReviewBranch

/** The changes that a request is about. */
export function changesIn(review: ReviewRequest): readonly ReviewedChange[] {
  return review.changes ?? [review]
}

/** The id of the draft, or of the version in a release, that one of its changes publishes. */
export function sourceOf(review: ReviewRequest, {document}: ReviewedChange): string {
  const release = releaseNameOf(review.document)
  return release === undefined ? draftId(document) : versionId(release, document)
}

/** The id of the request for a document. Ids can be too long to be part of another one. */
export function reviewIdOf(publishedId: string): string {
  return REVIEW_PREFIX + hash('sha256', publishedId, 'hex').slice(0, 32)
}

/** Branches of requests are in this folder. */
const BRANCHES = 'review/'

/** The branch for the request with an id. */
export function reviewBranchOf(reviewId: string): string {
  return BRANCHES + reviewId.slice(REVIEW_PREFIX.length)
}

/** The id of the request that a branch is for; undefined for other branches. */
export function reviewIdIn(branch: string): string | undefined {
  return branch.startsWith(BRANCHES) ? REVIEW_PREFIX + branch.slice(BRANCHES.length) : undefined
}

/** Reads a request from its document; undefined if there is none. */
export function reviewIn(document: Document | undefined): ReviewRequest | undefined {
  return document !== undefined && isRequest(document) ? document : undefined
}

/** All requests. */
export function reviewsIn(store: Pick<DocumentStore, 'idsFrom' | 'get'>): ReviewRequest[] {
  return store.idsFrom(REVIEW_PREFIX).flatMap((id) => reviewIn(store.get(id)) ?? [])
}

/** Only the lake writes documents with such an id. */
function isRequest(value: Document): value is Document & ReviewRequest {
  return isReviewId(value._id) && value._type === REVIEW_TYPE
}
