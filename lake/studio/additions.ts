/** What the operator of a lake adds to Studio's page. */
export type PageAdditions = {
  /** Meta elements of the page: `<meta name="…" content="…">`. */
  readonly meta: Readonly<Record<string, string>>
  /** Origins that the page may connect to besides its own. */
  readonly connectTo: readonly string[]
}

/** The page as it was built. */
export const noAdditions = (): PageAdditions => ({meta: {}, connectTo: []})

/** Adds meta elements to an HTML page. */
export function withMeta(html: string, meta: PageAdditions['meta']): string {
  const tags = Object.entries(meta).map(
    ([name, content]) => `<meta name="${escaped(name)}" content="${escaped(content)}">`,
  )
  return html.replace(/<head(?:\s[^>]*)?>/i, (head) => head + tags.join(''))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
