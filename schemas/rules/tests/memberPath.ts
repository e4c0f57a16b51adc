/** A part of a path to a member, or to an item of a list. */
export type PathPart = string | number

const PART = /^(?:(?:^|\.)([\p{ID_Start}$_][\p{ID_Continue}$-]*)|\[(\d{1,9})\]|\["([^"\\]*)"\])/u

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u

/** The path to a part of a result, as {@link parseMemberPath} reads it. */
export function formatMemberPath(parts: readonly PathPart[]): string {
  return parts
    .map((part) => (typeof part === 'number' ? `[${part}]` : NAME.test(part) ? `.${part}` : `["${part}"]`))
    .join('')
    .replace(/^\./, '')
}

/**
 * Parses the path to a part of a result, such as `data[0].title` or `["first name"]`. Undefined: it cannot be read.
 */
export function parseMemberPath(text: string): PathPart[] | undefined {
  const parts: PathPart[] = []
  let rest = text.trim()
  while (rest !== '') {
    // Only the first name has no dot in front of it.
    const found = (parts.length === 0 || /^[.[]/.test(rest)) && PART.exec(rest)
    if (!found) return undefined
    const [whole, name, index, quoted] = found
    parts.push(index === undefined ? (name ?? quoted ?? '') : Number(index))
    rest = rest.slice(whole.length)
  }
  return parts.length === 0 ? undefined : parts
}
