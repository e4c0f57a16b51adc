/** What a site answers for one path: a tag that names the answer, and the means to write it. */
export type SiteConfig = {
  readonly entityTag: string
  /** The body (specification §2.1) as UTF-8 JSON. */
  encode(): Buffer
}
