/**
 * Maps sync tags and document IDs to public IDs, so that a change finds the affected sites without a scan. It has
 * only numbers of 32 bits instead of the keys, and a `Set` only for the few keys of several sites: both halve its
 * memory. Two keys rarely have the same number; the change of one then costs a query for the other's site too.
 */
export class KeyIndex {
  readonly #publicIds = new Map<number, string | Set<string>>()

  add(publicId: string, keys: Iterable<string>): void {
    for (const key of keys) {
      const number = numberOf(key)
      const known = this.#publicIds.get(number)
      if (known === undefined) this.#publicIds.set(number, publicId)
      else if (typeof known !== 'string') known.add(publicId)
      else if (known !== publicId) this.#publicIds.set(number, new Set([known, publicId]))
    }
  }

  remove(publicId: string, keys: Iterable<string>): void {
    for (const key of keys) {
      const number = numberOf(key)
      const known = this.#publicIds.get(number)
      if (known === publicId) this.#publicIds.delete(number)
      else if (typeof known === 'object' && known.delete(publicId) && known.size === 0)
        this.#publicIds.delete(number)
    }
  }

  /** Returns the public IDs that depend on any of these keys. */
  touchedBy(keys: Iterable<string>): Set<string> {
    const touched = new Set<string>()
    for (const key of keys) {
      const known = this.#publicIds.get(numberOf(key))
      if (typeof known === 'string') touched.add(known)
      else for (const publicId of known ?? []) touched.add(publicId)
    }
    return touched
  }
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function numberOf(key: string): number {
  let hash = 0x811c9dc5
  for (let position = 0; position < key.length; position++)
    hash = Math.imul(hash ^ key.charCodeAt(position), 0x01000193)
  return hash
}
