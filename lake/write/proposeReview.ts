import {revisionOf} from '../../content/canonical.ts'
import type {Document} from '../../content/document.ts'
import type {Draft} from '../../content/drafts/journal.ts'
import {draftId} from '../../content/ids.ts'
import type {DocumentStore} from '../../content/store.ts'
import type {UniqueValues} from '../../content/uniqueValues.ts'
import {proposalMessage} from './message.ts'
import type {PublishedStore} from './publishedStore.ts'
import type {ReviewRequest} from './transaction/review/reviewRequest.ts'
import {strengthened} from './transaction/strengthened.ts'

type ProposeReviewOptions = {
  readonly store: DocumentStore
  readonly unique: UniqueValues
  readonly drafts: ReadonlyMap<string, Draft>
  readonly published: PublishedStore
}

/** Names the change of a request, in the commit that proposes it. */
export function proposalOf({before, after}: ReviewRequest): string {
  return `${before ?? 'none'}..${after ?? 'none'}`
}

/**
 * Writes the commit that publishing a draft would make.
 * @returns its id; undefined if publishing would be refused, because the draft or the published document is not
 * what the review was requested for, or because another document has a unique value of the draft
 * @throws RefusedError, NotKeptError
 */
export async function proposeReview(
  review: ReviewRequest,
  {store, unique, drafts, published}: ProposeReviewOptions,
): Promise<string | undefined> {
  const {document: id, draftRevision, before, after, by, at} = review
  const current = store.get(id)
  const draft = drafts.get(draftId(id))
  if (draft === undefined || draft.document._rev !== draftRevision) return undefined
  if (before !== (current?._rev ?? null) || (draft.base !== undefined && draft.base !== before))
    return undefined
  const {_type} = draft.document
  const content = {...strengthened(draft.document), _id: id, _type}
  const _rev = revisionOf(content)
  if (_rev !== after || unique.problemOf(new Map([[id, content]])) !== undefined) return undefined
  const document: Document = {
    ...content,
    _rev,
    _createdAt: current?._createdAt ?? at,
    _updatedAt: at,
  }
  const coauthors = draft.editors?.filter((editor) => editor.id !== by.id) ?? []
  const message = proposalMessage({id, before: current, after: document}, coauthors, proposalOf(review))
  return published.propose(new Map([[id, document]]), {by, message, now: at})
}
