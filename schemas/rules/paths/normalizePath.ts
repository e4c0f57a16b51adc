/**
 * Normalises a page's path for matching: removes query and fragment, decodes percent-encoding, adds a leading
 * slash and removes a trailing one. If a `%` does not start an escape, nothing is decoded.
 *
 * Nothing else changes: matching is case-sensitive, and `//` is not `/`.
 */
export function normalizePath(path: string): string {
  const end = path.search(/[?#]/)
  return addSlashes(decodePath(end < 0 ? path : path.slice(0, end)))
}

/** Decodes percent escapes. Returns the path unchanged if one is malformed. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Adds the leading slash and removes the trailing one, so that `products/` and `/products` are the same. */
export function addSlashes(path: string): string {
  const rooted = path.startsWith('/') ? path : `/${path}`
  return rooted.length > 1 && rooted.endsWith('/') ? rooted.slice(0, -1) : rooted
}
