/** The size of a generated site. */
export type SiteSize = {
  /** Enabled tools. */
  tools: number
  /** Approximate size of the config for a page without its own tools, in bytes. */
  bytes: number
}

/**
 * Returns the public ID of a site of this size. `serial` distinguishes sites of the same size, and may be a
 * template.
 */
export function publicIdOf({tools, bytes}: SiteSize, serial: number | string = 0): string {
  return `tools-${tools}-bytes-${bytes}-${serial}`
}

/** Returns the size that a public ID encodes. `undefined` if the ID is not from this benchmark. */
export function sizeOf(publicId: string): SiteSize | undefined {
  const [, tools, bytes] = /^tools-(\d+)-bytes-(\d+)-\d+$/.exec(publicId) ?? []
  return tools === undefined ? undefined : {tools: Number(tools), bytes: Number(bytes)}
}
