import {type Advice, type AdviceCode, advise} from './advice.ts'
import {withoutEscapes} from './site/siteTools.ts'

/**
 * Advice on a path pattern that the rules accept but that probably matches no page.
 * @param others what the patterns of the site's other tools look like
 */
export function advisePath(pattern: string, field: string, others: OtherPatterns): Advice[] {
  return CHECKS.flatMap((check) => {
    const found = check(pattern, others)
    if (found === undefined) return []
    const {code, message, at, fix: replacement} = found
    const fix = replacement === undefined ? {} : {fix: {title: `Use ${replacement}`, replacement}}
    return [advise(code, field, message, {offset: at, ...fix})]
  })
}

type Finding = {
  readonly code: AdviceCode
  readonly message: string
  readonly at: number
  /** The pattern that is meant, if there is one right answer. */
  readonly fix?: string
}
type Check = (pattern: string, others: OtherPatterns) => Finding | undefined

/** The site's other patterns: whether there are any, and whether one has a "?" or an upper case letter. */
type OtherPatterns = {
  readonly some: boolean
  readonly questionMark: boolean
  readonly upperCase: boolean
}

const CHECKS: readonly Check[] = [
  findQuery,
  findComma,
  findSpace,
  findHost,
  findPlaceholder,
  findRouteGroup,
  findEmptyPart,
  findStar,
  findOneLevel,
  findUpperCase,
]

function findQuery(pattern: string, others: OtherPatterns): Finding | undefined {
  const query =
    /\?[^/]*=/.exec(pattern) ?? (others.questionMark ? null : /(?<=[a-z]{3})\?(?:$|[a-z])/i.exec(pattern))
  if (query === null) return undefined
  const path = pattern.slice(0, query.index) || '/'
  const message = `“${query[0]}${query[0] === '?' ? '' : '…'}” looks like a query string. Patterns only match the path, and “?” matches any one character: type “${path}”.`
  return {code: 'PATH_WITH_QUERY', message, at: query.index}
}

function findComma(pattern: string): Finding | undefined {
  const at = commaOutsideBraces(pattern)
  if (at === undefined) return undefined
  const message = `A comma is an ordinary character here. To match several pages, type “${bracesFor(pattern, /\s*,\s*/)}”.`
  return {code: 'PATH_WITH_COMMA', message, at}
}

function findSpace(pattern: string): Finding | undefined {
  // With a comma, the remedy is the one above.
  const at = pattern.search(/[\s;]/)
  if (at < 0 || commaOutsideBraces(pattern) !== undefined) return undefined
  const several = /^(?:\/\S*(?:\s*;\s*|\s+(?:and|or|und|oder)\s+|\s+)){1,9}\/\S*$/.test(pattern)
  const remedy = several
    ? `To match several pages, type “${bracesFor(pattern, /\s*;\s*|\s+(?:(?:and|or|und|oder)\s+)?/)}”.`
    : 'Copy the path from the address bar of the page.'
  return {code: 'PATH_WITH_SPACE', message: `Paths rarely contain spaces or semicolons. ${remedy}`, at}
}

function findHost(pattern: string): Finding | undefined {
  const [, host] =
    /^\/?((?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|de|dev|co|uk|eu|fr|shop|app|localhost))(?:[:/]|$)/i.exec(
      pattern,
    ) ??
    /^\/?(localhost(?::\d+)?|www\.[^/]+)(?:\/|$)/i.exec(pattern) ??
    []
  if (host === undefined) return undefined
  const message = `“${host}” looks like the name of a host. A pattern is the part of the address after it: remove it.`
  return {code: 'PATH_WITH_HOST', message, at: 0}
}

/** What stands for a part of the path in other systems: `:id`, `<id>`, `$id`, `%s`, `...`. */
function findPlaceholder(pattern: string): Finding | undefined {
  const found = /(?<=\/):\w+|<\w*>|(?<=\/)\$\w+|%[sd](?=\/|$)|\.{2,}|…/.exec(pattern)
  if (found === null) return undefined
  const message = `“${found[0]}” is ordinary text here. Use “*” for one part of the path, and “**” for everything below.`
  return {code: 'PATH_WITH_PLACEHOLDER', message, at: found.index}
}

/** A folder of Next.js and SvelteKit that is not part of addresses. */
function findRouteGroup(pattern: string): Finding | undefined {
  const found = /\/\(\w+\)(?=\/|$)/.exec(pattern)
  if (found === null) return undefined
  const [group] = found
  const message = `“${group.slice(1)}” is ordinary text here. If it is a route group, it is not in the address: type “${pattern.replace(group, '') || '/'}”.`
  return {code: 'PATH_WITH_PLACEHOLDER', message, at: found.index + 1}
}

function findEmptyPart(pattern: string): Finding | undefined {
  const at = pattern.indexOf('//')
  if (at < 0) return undefined
  const message = `There are two slashes in a row, and pages rarely have such a path: type “${pattern.replace(/\/{2,}/g, '/')}”.`
  return {code: 'PATH_WITH_EMPTY_PART', message, at, fix: pattern.replace(/\/{2,}/g, '/')}
}

/** `/stores*` is often meant to be all pages below `/stores`. */
function findStar(pattern: string): Finding | undefined {
  const found = /^(.*\/[a-z0-9]{2,})\*$/i.exec(pattern)
  if (found === null) return undefined
  const [, stem = ''] = found
  const message = `“*” stays within one part of the path, so this does not match ${stem}/more. For that page and all pages below, type “${stem}/**”.`
  return {code: 'PATH_STAR_IN_NAME', message, at: stem.length, fix: `${stem}/**`}
}

/** `/*` is often meant to be every page. */
function findOneLevel(pattern: string): Finding | undefined {
  if (pattern !== '/*') return undefined
  const message =
    '“/*” is on pages such as /events, but not on / and not on /events/1. For every page, type “/**”.'
  return {code: 'PATH_ONE_LEVEL', message, at: 0, fix: '/**'}
}

function findUpperCase(pattern: string, others: OtherPatterns): Finding | undefined {
  const at = withoutEscapes(pattern).search(/[A-Z]/)
  if (at < 0 || others.upperCase) return undefined
  const whose = others.some ? ', and the site’s other patterns are in lower case' : ''
  const message = `Paths are case-sensitive${whose}. If the page is “${pattern.toLowerCase()}”, type that.`
  return {code: 'PATH_UPPER_CASE', message, at}
}

function commaOutsideBraces(pattern: string): number | undefined {
  let depth = 0
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at]
    if (character === '{') depth += 1
    else if (character === '}') depth -= 1
    else if (character === ',' && depth === 0) return at
  }
  return undefined
}

function bracesFor(pattern: string, separator: RegExp): string {
  const pages = pattern.split(separator).filter((page) => page !== '')
  return `/{${pages.map((page) => page.replace(/^\//, '')).join(',')}}`
}
