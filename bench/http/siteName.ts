/** What a made-up site is to be. */
export type SiteSize = {
  /** Enabled tools. */
  tools: number
  /** Bytes of the answer for a page that has no tools of its own, about. */
  bytes: number
}

/** The public identifier of a site of this size; `serial` tells those of one size apart, and may be a template. */
export function publicIdOf({tools, bytes}: SiteSize, serial: number | string = 0): string {
  return `tools-${tools}-bytes-${bytes}-${serial}`
}

/** The size that a public identifier asks for; undefined where it is none of ours. */
export function sizeOf(publicId: string): SiteSize | undefined {
  const [, tools, bytes] = /^tools-(\d+)-bytes-(\d+)-\d+$/.exec(publicId) ?? []
  return tools === undefined ? undefined : {tools: Number(tools), bytes: Number(bytes)}
}
