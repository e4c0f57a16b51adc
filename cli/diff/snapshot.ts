import type {Snapshot} from '../../advice/changes/compare.ts'
import {assembleDocument} from '../../content/parseDocument.ts'
import type {StoredDocument} from '../../schemas/documents.ts'
import {documentsIn} from '../documents.ts'
import {LAYOUT} from '../layout.ts'
import type {Source} from '../source/source.ts'

/** Reads the documents that the lake would serve from a repository. What it skips is left out: see `content check`. */
export function readSnapshot(source: Source): Snapshot {
  const documents = new Map<string, StoredDocument>()
  for (const {key, files} of documentsIn(source)) {
    const parsed = assembleDocument(LAYOUT, key, files)
    if (!('document' in parsed) || documents.has(key.id)) continue
    const {revision, content} = parsed.document
    documents.set(key.id, {...content, _id: key.id, _type: key.type, _rev: revision})
  }
  return documents
}
