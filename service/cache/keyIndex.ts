/** A power of two. A list has about thirty keys if there are 100,000 sites of ten tools. */
const LISTS = 2 ** 16

/** A key of more public IDs than this has a set of its own: the content lake may give the queries of all sites one tag. */
const MANY_IDS = 100

/**
 * Maps sync tags and document IDs to public IDs, so that a change finds the affected sites without a scan. There may
 * be millions of keys, so it has only their hashes, in many short lists: a `Map` takes more than twice the memory.
 * Two keys rarely have the same hash; the change of one then costs a query for the other's site too.
 */
export class KeyIndex {
  /** By a part of the hash: hashes, each followed by a public ID that depends on the key. */
  readonly #lists = new Array<(number | string)[] | undefined>(LISTS)
  /** By the hash of a key of many public IDs, instead of pairs in the lists. */
  readonly #sets = new Map<number, Set<string>>()

  add(publicId: string, keys: Iterable<string>): void {
    for (const key of keys) {
      const hash = hashOf(key)
      const ids = this.#sets.get(hash)
      if (ids) ids.add(publicId)
      else this.#addToList(hash, publicId)
    }
  }

  remove(publicId: string, keys: Iterable<string>): void {
    for (const key of keys) {
      const hash = hashOf(key)
      const ids = this.#sets.get(hash)
      if (ids?.delete(publicId) && ids.size === 0) this.#sets.delete(hash)
      if (!ids) this.#removeFromList(hash, publicId)
    }
  }

  /** Returns the public IDs that depend on any of these keys. */
  touchedBy(keys: Iterable<string>): Set<string> {
    const touched = new Set<string>()
    for (const key of keys) {
      const hash = hashOf(key)
      for (const publicId of this.#sets.get(hash) ?? this.#idsInList(hash)) touched.add(publicId)
    }
    return touched
  }

  #addToList(hash: number, publicId: string): void {
    const list = this.#lists[hash & (LISTS - 1)]
    // Copied, because `push` would reserve half as much again.
    this.#lists[hash & (LISTS - 1)] = list ? list.concat(hash, publicId) : [hash, publicId]
    if (list === undefined || list.length < 2 * MANY_IDS) return
    const ids = new Set(this.#idsInList(hash))
    if (ids.size <= MANY_IDS) return
    this.#sets.set(hash, ids)
    this.#removeFromList(hash)
  }

  /** Removes the pair of a public ID, or all pairs of the key. */
  #removeFromList(hash: number, publicId?: string): void {
    const list = this.#lists[hash & (LISTS - 1)] ?? []
    this.#lists[hash & (LISTS - 1)] = list.filter((_, at) => {
      const pair = at & ~1
      return list[pair] !== hash || (publicId !== undefined && list[pair + 1] !== publicId)
    })
  }

  *#idsInList(hash: number): Generator<string> {
    const list = this.#lists[hash & (LISTS - 1)] ?? []
    for (let at = list.indexOf(hash); at >= 0; at = list.indexOf(hash, at + 2)) {
      const publicId = list[at + 1]
      if (typeof publicId === 'string') yield publicId
    }
  }
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let position = 0; position < key.length; position += 1)
    hash = Math.imul(hash ^ key.charCodeAt(position), 0x01000193)
  return hash
}
