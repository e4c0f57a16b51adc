import {hash} from 'node:crypto'
import type {Document} from '../../../../content/document.ts'
import {versionId} from '../../../../content/ids.ts'
import type {DocumentStore} from '../../../../content/store.ts'
import {publishedRevision} from '../publishing.ts'

/** The documents as they are kept, or as a transaction leaves them. */
type Documents = Pick<DocumentStore, 'idsFrom' | 'get'>

/** The versions in a release, by id. */
export function versionsIn(release: string, documents: Documents): Document[] {
  return documentsFrom(versionId(release, ''), documents)
}

/** The documents whose ids begin so. */
export function documentsFrom(prefix: string, documents: Documents): Document[] {
  return documents.idsFrom(prefix).flatMap((id) => documents.get(id) ?? [])
}

/** Identifies what a release publishes: a document that is added, changed or removed changes it. */
export function releaseContent(release: string, documents: Documents): string {
  const content = versionsIn(release, documents).map((version) => [version._id, publishedRevision(version)])
  return hash('sha256', JSON.stringify(content), 'base64url')
}
