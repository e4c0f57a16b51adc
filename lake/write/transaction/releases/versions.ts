import {hash} from 'node:crypto'
import type {Document} from '../../../../content/document.ts'
import {type Draft, isDraft} from '../../../../content/drafts/journal.ts'
import {versionId} from '../../../../content/ids.ts'
import type {DocumentStore} from '../../../../content/store.ts'
import {publishedRevision} from '../publishing.ts'

/** The documents as they are kept, or as a transaction leaves them. */
type Documents = Pick<DocumentStore, 'idsFrom' | 'get'>

/** The versions in a release, by id. */
export function versionsIn(release: string, documents: Documents): Document[] {
  return documentsFrom(versionId(release, ''), documents)
}

/** Where the versions of an archived release are: as text, so that no query finds them and they refer to nothing. */
export const ARCHIVED_PREFIX = '_.archived.'

/** The documents that keep the versions of an archived release. */
export function archivedIn(release: string, documents: Documents): Document[] {
  return documentsFrom(`${ARCHIVED_PREFIX}${release}.`, documents)
}

/** A version as it was archived, with what was kept of it. */
export function archivedDraft({_id, content}: Document): Draft {
  const draft: unknown = JSON.parse(String(content))
  if (!isDraft(draft)) throw new Error(`the archived version "${_id}" is not valid`)
  return draft
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
