/** An option of a tag: `data-site="…"`, or `?site=…` in its address. Tag managers drop attributes. */
export function optionOf({src, dataset}: HTMLScriptElement, name: string): string | undefined {
  return dataset[name] ?? src.match(`[?&]${name}\\b=?([\\w-]*)`)?.[1]
}

/** Whether a tag loads a script, and names a site. */
export function namesSite(tag: HTMLScriptElement | null): tag is HTMLScriptElement {
  return Boolean(tag?.src && optionOf(tag, 'site'))
}

/** The path of the page; if the tag says so, what a hash router reads, such as `#/cart` or `#!/cart`. */
export function pathFor(tag: HTMLScriptElement): string {
  return (
    (optionOf(tag, 'hashRouter') != null && location.href.match(/#!?(\/[^?]*)/)?.[1]) || location.pathname
  )
}
