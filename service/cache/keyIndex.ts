/** A power of two. A list has about thirty keys if there are 100,000 sites of ten tools. */
const LISTS = 2 ** 16

/**
 * Maps sync tags and document IDs to public IDs, so that a change finds the affected sites without a scan. There may
 * be millions of keys, so it has only their hashes, in many short lists: a `Map` takes more than twice the memory.
 * Two keys rarely have the same hash; the change of one then costs a query for the other's site too.
 */
export class KeyIndex {
  /** By a part of the hash: hashes, each followed by a public ID that depends on the key. */
  readonly #lists = new Array<(number | string)[] | undefined>(LISTS)

  add(publicId: string, keys: Iterable<string>): void {
    for (const key of keys) {
      const hash = hashOf(key)
      const list = this.#lists[hash & (LISTS - 1)]
      // Copied, because `push` would reserve half as much again.
      this.#lists[hash & (LISTS - 1)] = list ? list.concat(hash, publicId) : [hash, publicId]
    }
  }

  remove(publicId: string, keys: Iterable<string>): void {
    for (const key of keys) {
      const hash = hashOf(key)
      const list = this.#lists[hash & (LISTS - 1)] ?? []
      const others = list.filter((_, at) => {
        const pair = at & ~1
        return list[pair] !== hash || list[pair + 1] !== publicId
      })
      this.#lists[hash & (LISTS - 1)] = others
    }
  }

  /** Returns the public IDs that depend on any of these keys. */
  touchedBy(keys: Iterable<string>): Set<string> {
    const touched = new Set<string>()
    for (const key of keys) {
      const hash = hashOf(key)
      const list = this.#lists[hash & (LISTS - 1)] ?? []
      for (let at = list.indexOf(hash); at >= 0; at = list.indexOf(hash, at + 2)) {
        const publicId = list[at + 1]
        if (typeof publicId === 'string') touched.add(publicId)
      }
    }
    return touched
  }
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let position = 0; position < key.length; position++)
    hash = Math.imul(hash ^ key.charCodeAt(position), 0x01000193)
  return hash
}
