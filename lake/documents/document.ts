/** A JSON object, as it was parsed. */
export type JsonObject = {readonly [key: string]: unknown}

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

/** What happened to one document: `before` is missing for a new one, `after` for a deleted one. */
export type Change = {readonly id: string; readonly before?: Document; readonly after?: Document}

/** Changes that became visible together, with who made them (`identity`) and when (ISO 8601). */
export type Transaction = {
  readonly id: string
  readonly identity: string
  readonly timestamp: string
  readonly changes: readonly Change[]
  /** The mutations that led there, by document; where there are none, only the states are known. */
  readonly mutations?: ReadonlyMap<string, readonly JsonObject[]>
}

/** Attributes that the lake sets itself and never takes from a file. */
export const SYSTEM_ATTRIBUTES: ReadonlySet<string> = new Set(['_rev', '_createdAt', '_updatedAt'])

/** Narrows to a plain JSON object: arrays and null are not one. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
