/** The config of a site for one path. */
export type SiteConfig = {
  readonly entityTag: string
  /** When `Bodies` last did not keep the body: the bytes that it had not kept until then. */
  notKeptAt?: number
  /** When a page last asked for it: see `Visits`. */
  seenIn?: number
  /** The documents of its tools. */
  documentIds(): string[]
  /** The body (docs/specification.md, “Response”) as UTF-8 JSON. */
  encode(): Buffer
}

/** Memory limit for the configs of one site, in bytes. They count against SITE_MEMORY_MB, see `Entries`. */
export const MAX_CONFIG_BYTES = 2 ** 20

/** Memory use of a config in bytes, without the characters of its key. */
const CONFIG_BYTES = 300

/**
 * The cached configs of a site. Visitors choose the path, but the site determines which tools can occur
 * together, so nearly all sites have only a few configs. If they exceed the limit, the oldest are evicted.
 */
export class SiteConfigs {
  readonly #maxBytes: number
  readonly #byTools = new Map<string, SiteConfig>()
  #bytes = 0

  constructor(maxBytes = MAX_CONFIG_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Approximate memory use. Grows with `set`. */
  get bytes(): number {
    return this.#bytes
  }

  /** @param key the positions of the config's tools. */
  get(key: string): SiteConfig | undefined {
    return this.#byTools.get(key)
  }

  set(key: string, config: SiteConfig): void {
    this.#bytes += CONFIG_BYTES + key.length
    this.#byTools.set(key, config)
    for (const oldest of this.#byTools.keys()) {
      if (this.#bytes <= this.#maxBytes || oldest === key) break
      this.#byTools.delete(oldest)
      this.#bytes -= CONFIG_BYTES + oldest.length
    }
  }
}
