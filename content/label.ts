import {plainLine} from '../common/text/plainLine.ts'
import type {Document} from './document.ts'

/** The title or name of a document, if it has one. */
export function labelOf(document: Document): string {
  for (const text of [document.name, document.title]) {
    const label = typeof text === 'string' ? plainLine(text) : ''
    // Cut by code points: half of a surrogate pair is invalid text.
    if (label !== '') return Array.from(label).slice(0, 60).join('')
  }
  return document._id
}
