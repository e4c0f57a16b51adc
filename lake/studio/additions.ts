/** What whoever runs a lake adds to the page of its Studio. */
export type PageAdditions = {
  /** What the page says to Studio: `<meta name="…" content="…">`. */
  readonly meta: Readonly<Record<string, string>>
  /** Origins that the page may call besides its own. */
  readonly connectTo: readonly string[]
}

/** A page as it was built. */
export const noAdditions = (): PageAdditions => ({meta: {}, connectTo: []})

/** A page of HTML that also says this. */
export function withMeta(html: string, meta: PageAdditions['meta']): string {
  const tags = Object.entries(meta).map(
    ([name, content]) => `<meta name="${escaped(name)}" content="${escaped(content)}">`,
  )
  return html.replace(/<head(?:\s[^>]*)?>/i, (head) => head + tags.join(''))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
