import type {Change, Document} from '../../../content/document.ts'

/** Where people can review a change at the Git host. */
export type ReviewBranch = {
  /** The branch of the remote that the lake pushes the change to. */
  readonly branch?: string
  /** The page of the host that compares it with the published content, if the host is known. */
  readonly comparePage?: string
}

/** The rules about reviews that a lake, which knows no types of documents, is given. */
export type ReviewRules = {
  /**
   * Whether a change needs a review.
   * @param publishedBefore returns a published document as it was before the transaction
   */
  needsReview(change: Change, publishedBefore: (id: string) => Document | undefined): boolean
  /** Whether the tests of a changed document must have passed, in addition to a review. */
  needsTests(change: Change, publishedBefore: (id: string) => Document | undefined): boolean
  /** Whether a change only switches something off. The audit log has these changes, with or without a review. */
  switchesOff(change: Change): boolean
  /** The id of the site that a document belongs to, under which lists show its review. */
  siteOf(document: Document): string | undefined
}

/** Nothing needs a review. */
export const NO_REVIEWS: ReviewRules = {
  needsReview: () => false,
  needsTests: () => false,
  switchesOff: () => false,
  siteOf: () => undefined,
}
