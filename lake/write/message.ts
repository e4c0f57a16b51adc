import {type Change, labelOf} from '../../content/document.ts'
import {type Author, fitAuthor} from '../../git/objects/commitObject.ts'
import {plainLine} from '../../git/plainLine.ts'
import {type Release, titleOf} from './transaction/releases/release.ts'

/** Maximum documents listed in one message. */
const MAX_NAMED = 100

/** The trailers of a change that was reviewed: its reviewer and its authors, as Git hosts show them. */
export const REVIEWER_TRAILER = 'Reviewed-by'
export const AUTHOR_TRAILER = 'Co-authored-by'

/** The trailer of a commit that is proposed for review: the published revisions before and after. */
export const PROPOSAL_TRAILER = 'Review'

/** The trailer with the reason for which an administrator published a change without the review that it needs. */
export const SKIPPED_TRAILER = 'Published-without-review'

/** The trailer with the name of the release that a commit publishes. */
const RELEASE_TRAILER = 'Release'

type CommitMessageOptions = {
  /** Whether the documents are unpublished, and stay as drafts. */
  readonly isUnpublished?: boolean
  /** The release whose title and description say more than the list of its documents. */
  readonly release: Release | undefined
  /** Of reviews. */
  readonly trailers: readonly string[]
  /**
   * The trailers that tell where it is from: a transaction, or a request for review. The latter has no id of a transaction,
   * because the journal finds published transactions by theirs in all branches.
   */
  readonly source: readonly string[]
}

/**
 * A commit message for people and programs: `Publish tool searchProducts`, then trailers with the documents'
 * ids and the transaction's (https://git-scm.com/docs/git-interpret-trailers).
 */
export function commitMessage(
  changes: readonly Change[],
  {isUnpublished = false, release, trailers, source}: CommitMessageOptions,
): string {
  const line = release === undefined ? subject(changes, isUnpublished) : plainLine(titleOf(release))
  return [
    line,
    '',
    ...paragraphsOf(release?.metadata.description),
    ...changes.slice(0, MAX_NAMED).map(({id}) => `Document: ${id}`),
    ...trailers,
    ...(release === undefined ? [] : [`${RELEASE_TRAILER}: ${release.name}`]),
    ...source,
    '',
  ].join('\n')
}

/** The trailers that name those who wrote a change, each of them once. */
export function authorTrailers(authors: readonly Author[]): string[] {
  return [...new Set(authors.map((author) => `${AUTHOR_TRAILER}: ${signature(author)}`))]
}

/** A person as trailers name them. */
export function signature(person: Author): string {
  const {name, email} = fitAuthor(person)
  return `${name} <${email}>`
}

/** The lines of a description, indented, so that none is read as a trailer. */
function paragraphsOf(description: unknown): string[] {
  if (typeof description !== 'string' || description.trim() === '') return []
  const lines = description.split(/\r\n?|\n/)
  return [...lines.map((text) => (text.trim() === '' ? '' : ` ${plainLine(text)}`)), '']
}

function subject(changes: readonly Change[], unpublished: boolean): string {
  const gone = changes.every(({after}) => after === undefined)
  const verb = gone ? (unpublished ? 'Unpublish' : 'Delete') : 'Publish'
  const [change] = changes
  const document = change?.after ?? change?.before
  if (change === undefined || changes.length !== 1 || document === undefined)
    return `${verb} ${changes.length} documents`
  return `${verb} ${document._type} ${labelOf(document)}`
}
