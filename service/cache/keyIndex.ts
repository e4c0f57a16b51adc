/**
 * Which public identifiers rest on a key, such as a sync tag: finds what a change touches without asking each. Nearly all
 * keys are documents of one site alone, and a set for each would take more memory than the rest of it.
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

  /** The public identifiers that rest on any of these keys. */
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
