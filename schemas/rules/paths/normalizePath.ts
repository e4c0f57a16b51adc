/**
 * Normalises a page's path for matching: removes query and fragment, adds a leading slash, removes a trailing one, and
 * writes every character in one way. A pattern is normalised alike, so both may be written as browsers, hosts, and people
 * write them.
 *
 * - Percent escapes are decoded, because "/mother's-day" and "/mother%27s-day" are the same page for every host. An escape
 *   that is not UTF-8, and a `%` that starts none, stay as they are.
 * - `%2F`, `%3F` and `%23` stay escaped: decoded, they would separate parts of the path, or end it. So does a `%25` before two
 *   hexadecimal digits. Normalising twice therefore decodes once.
 * - Letters with accents are composed (NFC). Files that macOS named have them decomposed, keyboards do not.
 *
 * Nothing else changes: matching is case-sensitive, and `//` is not `/`.
 */
export function normalizePath(path: string): string {
  const end = path.search(/[?#]/)
  return addSlashes(decodePath(end < 0 ? path : path.slice(0, end)))
}

const NEXT = '%[89ab][\\da-f]'

/** A percent escape of a character in UTF-8 (RFC 3629 §4), or any other escape, or a `%` alone. */
const ESCAPE = new RegExp(
  [
    '%[0-7][\\da-f]',
    `%(?:c[2-9a-f]|d[\\da-f])${NEXT}`,
    `%(?:e0%[ab][\\da-f]|ed%[89][\\da-f]|e[1-9a-cef]${NEXT})${NEXT}`,
    `%(?:f0%[9ab][\\da-f]|f[1-3]${NEXT}|f4%8[\\da-f])${NEXT}${NEXT}`,
    '%[\\da-f]{2}',
    '%',
  ].join('|'),
  'gi',
)

/** Decodes percent escapes and composes accents, as {@link normalizePath} does. */
export function decodePath(path: string): string {
  const decoded = path.includes('%') ? path.replace(ESCAPE, decodeEscape) : path
  const composed = /[^ -~]/.test(decoded) ? decoded.normalize('NFC') : decoded
  // After that, since an accent makes another letter of a hexadecimal digit.
  return composed.includes('%') ? composed.replace(/%25(?![\da-f]{2})/gi, '%') : composed
}

/** Escapes that stay: no UTF-8, or a character that a path cannot have otherwise. */
const KEPT = /^%(?:[89a-f].|2[35f]|3f)$/i

/** Upper case, because RFC 3986 §6.2.2.1 says that "%2f" and "%2F" are equivalent. */
function decodeEscape(escaped: string): string {
  if (escaped === '%') return '%25'
  return KEPT.test(escaped) ? escaped.toUpperCase() : decodeURIComponent(escaped)
}

/** Adds the leading slash and removes the trailing one, so that `products/` and `/products` are the same. */
export function addSlashes(path: string): string {
  const rooted = path.startsWith('/') ? path : `/${path}`
  return rooted.length > 1 && rooted.endsWith('/') ? rooted.slice(0, -1) : rooted
}
