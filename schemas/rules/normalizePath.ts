/**
 * A page's path as patterns see it: query and fragment cut off, percent-decoded, with a leading slash and without a
 * trailing one. Where a `%` does not begin an escape, the path is kept as it is.
 *
 * Nothing else is changed: case counts, and `//` is not `/`.
 */
export function normalizePath(path: string): string {
  const [page = ''] = path.split(/[?#]/, 1)
  return addSlashes(decodePath(page))
}

/** The path with its percent escapes decoded; as it is where one is malformed. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The path with the leading slash and without the trailing one, so that `products/` and `/products` are one. */
export function addSlashes(path: string): string {
  const rooted = path.startsWith('/') ? path : `/${path}`
  return rooted.length > 1 && rooted.endsWith('/') ? rooted.slice(0, -1) : rooted
}
