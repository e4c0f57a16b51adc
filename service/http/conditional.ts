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
