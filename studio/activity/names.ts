import {groupVersions, type StoredDocument} from '../../schemas/documents.ts'

/** The names of documents by the ids of their published versions. */
export function namesOf(documents: readonly StoredDocument[]): Map<string, string> {
  return new Map(
    groupVersions(documents).map(({id, published, draft}) => {
      const name = (draft ?? published)?.name
      return [id, typeof name === 'string' && name !== '' ? name : 'Untitled']
    }),
  )
}

/** Changes whenever one of the documents is published, created or deleted, but not while a draft is edited. */
export function revisionsOf(documents: readonly StoredDocument[]): string {
  return documents
    .map(({_id, _rev}) => (_id.startsWith('drafts.') ? _id : `${_id}@${_rev}`))
    .sort()
    .join(' ')
}
