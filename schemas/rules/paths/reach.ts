/** What most patterns are, in words for people: every page, one page, or one page and those below it. */
export type Reach = 'every' | 'page' | 'below' | 'pattern'

const EVERY = '/**'
const WILD = /[*?{}]/

/** Which of the usual kinds a pattern is; `pattern` for any other one. */
export function reachOf(pattern: string): Reach {
  if (pattern === EVERY) return 'every'
  if (!WILD.test(pattern)) return 'page'
  return pattern.endsWith(EVERY) && !WILD.test(pattern.slice(0, -EVERY.length)) ? 'below' : 'pattern'
}

/** Changes the kind of a pattern, and keeps the page that it names. */
export function withReach(pattern: string, reach: Reach): string {
  if (reach === 'pattern') return pattern
  if (reach === 'every') return EVERY
  const page = pageOf(pattern)
  if (reach === 'page') return page
  return page === '/' ? EVERY : `${page}${EVERY}`
}

/** The path up to the first part with a wildcard. */
function pageOf(pattern: string): string {
  const parts = pattern.split('/').slice(1)
  const wild = parts.findIndex((part) => WILD.test(part))
  return `/${(wild < 0 ? parts : parts.slice(0, wild)).join('/')}`.replace(/(?<=.)\/$/, '')
}
