/** What the tab of the browser keeps under a key, while it goes from page to page. Undefined: nothing, or the page may store nothing. */
export function keptInTab(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a text for the tab, where the page may store something; undefined: forgets it. */
export function keepInTab(key: string, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, value)
  } catch {}
}
