/** What a site answers for one path: a tag that names the answer, and the means to write it. */
export type SiteConfig = {
  readonly entityTag: string
  /** The body (specification §2.1) as UTF-8 JSON. */
  encode(): Buffer
}

/** Tools in all the configs that a site remembers, each config itself being worth some. */
const MAX_TOOLS = 200_000
const CONFIG_ITSELF = 10

/**
 * The configs of a site that were asked for. Visitors choose the path, but which tools can meet on one is the site's own
 * doing, so that nearly all sites have a handful; of those that have more than fit, all are forgotten together.
 */
export class SiteConfigs {
  #byTools: Map<string, SiteConfig> | undefined
  #size = 0

  /** @param key the positions of the config's tools. */
  get(key: string): SiteConfig | undefined {
    return this.#byTools?.get(key)
  }

  /** @param tools how many are in the config. */
  set(key: string, config: SiteConfig, tools: number): void {
    const size = tools + CONFIG_ITSELF
    if (!this.#byTools || this.#size + size > MAX_TOOLS) {
      this.#byTools = new Map()
      this.#size = 0
    }
    this.#byTools.set(key, config)
    this.#size += size
  }
}
