/**
 * Maps keys such as sync tags to public IDs, so that a change finds the affected sites without a scan. Nearly
 * all keys belong to a single site; a `Set` for each would take more memory than the rest of the index.
 */
export class KeyIndex {
  readonly #publicIds = new Map<string, string | Set<string>>()

  add(publicId: string, keys: readonly string[]): void {
    for (const key of keys) {
      const known = this.#publicIds.get(key)
      if (known === undefined) this.#publicIds.set(key, publicId)
      else if (typeof known !== 'string') known.add(publicId)
      else if (known !== publicId) this.#publicIds.set(key, new Set([known, publicId]))
    }
  }

  remove(publicId: string, keys: readonly string[]): void {
    for (const key of keys) {
      const known = this.#publicIds.get(key)
      if (known === publicId) this.#publicIds.delete(key)
      else if (typeof known === 'object' && known.delete(publicId) && known.size === 0)
        this.#publicIds.delete(key)
    }
  }

  /** Returns the public IDs that depend on any of these keys. */
  touchedBy(keys: readonly string[]): Set<string> {
    const touched = new Set<string>()
    for (const key of keys) {
      const known = this.#publicIds.get(key)
      if (typeof known === 'string') touched.add(known)
      else for (const publicId of known ?? []) touched.add(publicId)
    }
    return touched
  }
}
