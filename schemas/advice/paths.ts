import {type Advice, advise} from './advice.ts'

/**
 * Advice on a path pattern that the rules accept but that probably matches no page.
 * @param others patterns of the same site's other tools
 */
export function advisePath(pattern: string, field: string, others: readonly string[] = []): Advice[] {
  const advice: Advice[] = []
  const query = /\?[^/]*=/.exec(pattern)
  if (query !== null) {
    const path = pattern.slice(0, query.index) || '/'
    advice.push(
      advise(
        'PATH_WITH_QUERY',
        field,
        `“${query[0]}…” looks like a query string. Patterns only match the path, and “?” matches any one character: type “${path}”.`,
        query.index,
      ),
    )
  }
  const comma = commaOutsideBraces(pattern)
  if (comma !== undefined) {
    advice.push(
      advise(
        'PATH_WITH_COMMA',
        field,
        `A comma is an ordinary character here. To match several pages, type “${bracesFor(pattern)}”.`,
        comma,
      ),
    )
  }
  const [, host] =
    /^\/?((?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|de|dev|co|uk|eu|fr|shop|app|localhost))(?:[:/]|$)/i.exec(
      pattern,
    ) ?? []
  if (host !== undefined) {
    advice.push(
      advise(
        'PATH_WITH_HOST',
        field,
        `“${host}” looks like the name of a host. A pattern is the part of the address after it: remove it.`,
      ),
    )
  }
  const upper = /[A-Z]/.exec(pattern.replace(/%[0-9a-f]{2}/gi, '___'))
  if (upper !== null && !others.some((other) => /[A-Z]/.test(other.replace(/%[0-9a-f]{2}/gi, '')))) {
    advice.push(
      advise(
        'PATH_UPPER_CASE',
        field,
        `Paths are case-sensitive, and the site's other patterns are in lower case. If the page is “${pattern.toLowerCase()}”, type that.`,
        upper.index,
      ),
    )
  }
  return advice
}

function commaOutsideBraces(pattern: string): number | undefined {
  let depth = 0
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '{') depth++
    else if (character === '}') depth--
    else if (character === ',' && depth === 0) return at
  }
  return undefined
}

function bracesFor(pattern: string): string {
  const pages = pattern.split(/\s*,\s*/).filter((page) => page !== '')
  return `/{${pages.map((page) => page.replace(/^\//, '')).join(',')}}`
}
