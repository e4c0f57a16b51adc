import {isJsonObject, type JsonObject} from '../common/json.ts'
import {plainLine} from '../git/plainLine.ts'

/**
 * A document as queries see it. Times are ISO 8601 in UTC; `_rev` identifies the content.
 * https://www.sanity.io/docs/content-lake/document-ids-and-metadata
 */
export type Document = JsonObject & {
  readonly _id: string
  readonly _type: string
  readonly _rev: string
  readonly _createdAt: string
  readonly _updatedAt: string
}

/** Whether a value has the attributes that every document has. */
export function isDocument(value: unknown): value is Document {
  if (!isJsonObject(value)) return false
  return ['_id', '_type', '_rev', '_createdAt', '_updatedAt'].every((name) => typeof value[name] === 'string')
}

/** A change of one document. Undefined: it does not exist. */
export type Change = {
  readonly id: string
  readonly before: Document | undefined
  readonly after: Document | undefined
}

/** Changes that became visible together, with their author (`identity`) and time (ISO 8601). */
export type Transaction = {
  readonly id: string
  readonly identity: string
  readonly timestamp: string
  readonly changes: readonly Change[]
  /** The mutations by document; if absent, only the states before and after are known. */
  readonly mutations?: ReadonlyMap<string, readonly JsonObject[]>
}

/** Formats seconds since 1970, up to the year 9999, the way Sanity does. */
export function isoTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, -5)}Z`
}

/** Attributes that the lake sets itself. In files, they are not part of the content. */
export const SYSTEM_ATTRIBUTES: ReadonlySet<string> = new Set(['_rev', '_createdAt', '_updatedAt'])

/** The title or name of a document, if it has one. */
export function labelOf(document: Document): string {
  for (const text of [document.name, document.title]) {
    const label = typeof text === 'string' ? plainLine(text) : ''
    // Cut by code points: half of a surrogate pair is invalid text.
    if (label !== '') return Array.from(label).slice(0, 60).join('')
  }
  return document._id
}
