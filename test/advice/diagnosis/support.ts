import {diagnosePage, type ToolOnPage} from '../../../advice/diagnosis/page.ts'
import {checkSite} from '../../../advice/diagnosis/site.ts'
import {describeTool} from '../../../advice/diagnosis/words.ts'
import {parseDocuments, type StoredDocument} from '../../../schemas/documents.ts'
import type {ContentDocument} from '../../support/content.ts'
import {siteDocument} from '../../support/shop.ts'

/** Documents as a query returns them. The revision changes with the content. */
export function stored(...documents: ContentDocument[]): StoredDocument[] {
  return parseDocuments(
    documents.map((document) => ({
      _createdAt: '2026-01-01T00:00:00Z',
      ...document,
      _rev: JSON.stringify(document),
    })),
  )
}

/** The draft of a document. */
export function draftOf(document: ContentDocument): ContentDocument {
  return {...document, _id: `drafts.${document._id}`}
}

/** The tools of the shop on a page. Adds a valid site if the documents have none. */
export function onPage(path: string | undefined, ...documents: ContentDocument[]): readonly ToolOnPage[] {
  const hasSite = documents.some(({_type}) => _type === 'site')
  const all = stored(...(hasSite ? [] : [siteDocument()]), ...documents)
  return diagnosePage(checkSite('shop', all), path).tools
}

/** The sentences about the tools of the shop on a page. */
export function sentencesOn(path: string | undefined, ...documents: ContentDocument[]): string[] {
  return onPage(path, ...documents).map((tool) => describeTool(tool, path))
}
