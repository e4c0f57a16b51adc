import type {Coding} from '../codings/acceptedCodings.ts'
import {entityTagIn} from '../codings/representations.ts'

/**
 * Which of a text's representations a client has, where an `If-None-Match` field names one that it may still be sent: GET
 * and HEAD then answer 304 with its tag (RFC 9110 §13.1.2, RFC 9111 §4.3.4). So a client that got the text before a
 * better coding of it was there keeps what it has.
 * @param field the value as received; repeated fields joined by commas (§5.3). Undefined: there was none.
 * @param entityTag of the current text as it is.
 * @param accepted the codings that the client takes.
 */
export function heldEntityTag(
  field: string | undefined,
  entityTag: string,
  accepted: readonly Coding[],
): string | undefined {
  if (field === undefined) return undefined
  return accepted
    .map((coding) => entityTagIn(coding, entityTag))
    .find((candidate) => matchesEntityTag(field, candidate))
}

/**
 * Says whether an `If-None-Match` field names a representation. The comparison is weak (RFC 9110 §8.8.3.2): a proxy that
 * compresses makes our tag weak.
 * @param entityTag the current, strong tag in its quotes.
 */
export function matchesEntityTag(field: string | undefined, entityTag: string): boolean {
  if (field === undefined) return false
  if (field === entityTag || field.trim() === '*') return true
  for (const [, opaqueTag] of field.matchAll(ENTITY_TAG)) if (opaqueTag === entityTag) return true
  return false
}

/** `entity-tag = [ weak ] opaque-tag`, RFC 9110 §8.8.3: the quoted part may hold commas, but no quote. */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g
