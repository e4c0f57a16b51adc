import type {Document} from '../../../content/document.ts'
import {DocumentStore} from '../../../content/store.ts'
import {QueryCompiler} from '../../../lake/query/compile.ts'

type Given = {_id: string; _type: string; [name: string]: unknown}

let revisions = 0

/** A document with the attributes that the lake sets, and a new revision each time. */
export function document(given: Given): Document {
  revisions += 1
  return {
    _rev: `r${revisions}`,
    _createdAt: '2026-01-01T00:00:00Z',
    _updatedAt: '2026-01-01T00:00:00Z',
    ...given,
  }
}

/** Writes documents to a store in one transaction; an id alone deletes. */
export function change(store: DocumentStore, ...given: (Given | string)[]) {
  const documents = new Map(
    given.map((item) => (typeof item === 'string' ? [item, undefined] : [item._id, document(item)])),
  )
  return store.apply({id: 'transaction', identity: 'ada', timestamp: '2026-01-01T00:00:00Z', documents})
}

/** A store with these documents. */
export function storeOf(...given: Given[]): DocumentStore {
  const store = new DocumentStore()
  change(store, ...given)
  return store
}

export const environment = {
  projectId: 'local',
  dataset: 'production',
  identity: '<anonymous>',
  compiler: new QueryCompiler(),
}
