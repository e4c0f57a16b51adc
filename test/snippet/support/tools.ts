import type {ContentDocument} from '../../support/content.ts'
import {toolDocument} from '../../support/shop.ts'

/** A tool of one page, so that tests do not affect each other. */
export function toolAt(page: string, fields: Partial<ContentDocument> = {}): ContentDocument {
  const name = `${page.slice(1)}Tool`
  return toolDocument({_id: page.slice(1), name, pathPattern: page, ...fields})
}
