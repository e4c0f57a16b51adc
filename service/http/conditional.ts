import type {Encoding} from '../../common/http/acceptedEncodings.ts'
import {entityTagIn} from '../encodings/representations.ts'

/**
 * Returns the entity tag of the representation that a client already has, if `If-None-Match` names one that
 * the client still accepts. GET and HEAD then return 304 with this tag (RFC 9110 §13.1.2, RFC 9111 §4.3.4). A
 * client that received the text before a better encoding was available thus keeps what it has.
 * @param field the header value as received; repeated headers joined by commas (§5.3). `undefined` if
 * missing.
 * @param entityTag tag of the current plain text.
 * @param accepted encodings that the client accepts.
 */
export function heldEntityTag(
  field: string | undefined,
  entityTag: string,
  accepted: readonly Encoding[],
): string | undefined {
  if (field === undefined) return undefined
  for (const encoding of accepted) {
    const candidate = entityTagIn(encoding, entityTag)
    if (matchesEntityTag(field, candidate)) return candidate
  }
  return undefined
}

/**
 * Whether an `If-None-Match` header names a representation. The comparison is weak (RFC 9110 §8.8.3.2),
 * because a proxy that compresses makes our tag weak.
 * @param entityTag the current strong tag, including the quotes.
 */
export function matchesEntityTag(field: string | undefined, entityTag: string): boolean {
  if (field === undefined) return false
  if (field === entityTag || field.trim() === '*') return true
  for (const [, opaqueTag] of field.matchAll(ENTITY_TAG)) if (opaqueTag === entityTag) return true
  return false
}

/** `entity-tag = [ weak ] opaque-tag`, RFC 9110 §8.8.3: the quoted part may contain commas, but no quotes. */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g
