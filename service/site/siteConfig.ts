/** What a site answers for one path: a tag that names the answer, and the means to write it. */
export type SiteConfig = {
  readonly entityTag: string
  /** The body (specification §2.1) as UTF-8 JSON. */
  encode(): Buffer
}

/** Bytes that the configs of one site may take. They count against SITE_MEMORY_MB, see `Entries`. */
export const MAX_CONFIG_BYTES = 2 ** 20

/** Bytes of a config beside the positions of its tools, and of a position, which is kept as a number and in the key. */
const CONFIG_BYTES = 450
const POSITION_BYTES = 16

/**
 * The configs of a site that were asked for. Visitors choose the path, but which tools can meet on one is the site's own
 * doing, so that nearly all sites have a handful. Of a site that has more than fit, the oldest are forgotten.
 */
export class SiteConfigs {
  readonly #maxBytes: number
  #byTools: Map<string, {config: SiteConfig; bytes: number}> | undefined
  #bytes = 0

  constructor(maxBytes = MAX_CONFIG_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** How much memory they take, roughly. Grows with `set`. */
  get bytes(): number {
    return this.#bytes
  }

  /** @param key the positions of the config's tools. */
  get(key: string): SiteConfig | undefined {
    return this.#byTools?.get(key)?.config
  }

  /** @param tools how many are in the config. */
  set(key: string, config: SiteConfig, tools: number): void {
    const bytes = CONFIG_BYTES + POSITION_BYTES * tools
    this.#byTools ??= new Map()
    this.#byTools.set(key, {config, bytes})
    this.#bytes += bytes
    for (const [oldest, {bytes: freed}] of this.#byTools) {
      if (this.#bytes <= this.#maxBytes || oldest === key) break
      this.#byTools.delete(oldest)
      this.#bytes -= freed
    }
  }
}
