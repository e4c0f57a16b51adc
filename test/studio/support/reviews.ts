import type {StoredDocument} from '../../../schemas/documents.ts'
import type {Review} from '../../../studio/review/review.ts'

/** A document as the content lake returns it. */
export function stored(
  document: {_id: string; _type: string; [field: string]: unknown},
  fields: Partial<StoredDocument> = {},
): StoredDocument {
  return {...document, _rev: '1', _updatedAt: '2026-11-20T10:00:00Z', ...fields}
}

/** An open review that Grace requested of a document of the site `shop`. */
export function reviewOf(document: string, fields: Partial<Review> = {}): Review {
  const own = {document, draftRevision: '2', before: '1', after: '2'}
  return {
    ...own,
    release: undefined,
    changes: [own],
    sites: ['shop'],
    action: 'publish',
    isSentBack: false,
    byId: 'grace',
    by: 'Grace',
    at: '2026-11-22T09:00:00Z',
    comments: [],
    comparePage: undefined,
    ...fields,
  }
}
