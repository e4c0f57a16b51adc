/** Which public identifiers rest on a key, such as a sync tag: finds what a change touches without asking each. */
export class KeyIndex {
  readonly #publicIds = new Map<string, Set<string>>()

  add(publicId: string, keys: readonly string[]): void {
    for (const key of keys) {
      const publicIds = this.#publicIds.get(key)
      if (publicIds) publicIds.add(publicId)
      else this.#publicIds.set(key, new Set([publicId]))
    }
  }

  remove(publicId: string, keys: readonly string[]): void {
    for (const key of keys) {
      const publicIds = this.#publicIds.get(key)
      publicIds?.delete(publicId)
      if (publicIds?.size === 0) this.#publicIds.delete(key)
    }
  }

  /** The public identifiers that rest on any of these keys. */
  touchedBy(keys: readonly string[]): Set<string> {
    const touched = new Set<string>()
    for (const key of keys) for (const publicId of this.#publicIds.get(key) ?? []) touched.add(publicId)
    return touched
  }
}
