/**
 * Says whether an `If-None-Match` field names the current representation, in which case GET and HEAD answer
 * 304 (RFC 9110 §13.1.2). The comparison is weak (§8.8.3.2): a proxy that compresses makes our tag weak.
 * @param field the value as received; repeated fields joined by commas (§5.3). Undefined: there was none.
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
