import {TRANSACTION_TRAILER} from '../../content/drafts/journal.ts'
import type {Commit} from '../../content/history/history.ts'
import {AUTHOR_TRAILER, REVIEWER_TRAILER, SKIPPED_TRAILER} from '../write/message.ts'

/** Maximum characters of a list of names, or of a reason. */
const MAX_TEXT = 200

/** The transaction of a commit that the lake made. A squashed commit may name several, and counts as none of them. */
export function transactionIn(commit: Commit): string | undefined {
  const [id = '', ...others] = valuesOf(commit, TRANSACTION_TRAILER)
  return others.length === 0 && /^[A-Za-z0-9._-]{1,128}$/.test(id) ? id : undefined
}

/** Who wrote and who reviewed what a commit published, by name, or why it was published without a review. */
export function reviewIn(commit: Commit) {
  const writers = namesOf(commit, AUTHOR_TRAILER)
  const reviewer = namesOf(commit, REVIEWER_TRAILER)
  const skippedReview = valuesOf(commit, SKIPPED_TRAILER).join(', ').slice(0, MAX_TEXT)
  return {
    // Without a reviewer, they wrote it together with the author of the commit.
    ...(writers !== '' && reviewer !== '' && {writers}),
    ...(reviewer !== '' && {reviewer}),
    ...(skippedReview !== '' && {skippedReview}),
  }
}

function valuesOf({trailers}: Commit, key: string): string[] {
  const lines = trailers.matchAll(new RegExp(`^${key}\\s*:(.*)$`, 'gim'))
  return Array.from(lines, ([, value = '']) => value.trim())
}

/** The names in trailers such as `Ada <ada@example.com>`. */
function namesOf(commit: Commit, key: string): string {
  const names = valuesOf(commit, key).map((value) => value.replace(/\s*<[^>]*>/g, ''))
  return names.join(', ').slice(0, MAX_TEXT)
}
