/** Which public identifiers rest on a sync tag: finds the sites that a live event touches without asking each. */
export class TagIndex {
  readonly #publicIds = new Map<string, Set<string>>()

  add(publicId: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const publicIds = this.#publicIds.get(tag)
      if (publicIds) publicIds.add(publicId)
      else this.#publicIds.set(tag, new Set([publicId]))
    }
  }

  remove(publicId: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const publicIds = this.#publicIds.get(tag)
      publicIds?.delete(publicId)
      if (publicIds?.size === 0) this.#publicIds.delete(tag)
    }
  }

  /** The public identifiers that rest on any of these tags. */
  touchedBy(tags: readonly string[]): Set<string> {
    return new Set(tags.flatMap((tag) => [...(this.#publicIds.get(tag) ?? [])]))
  }
}
