import {type Advice, type AdviceCode, advise} from './advice.ts'

/** Advice on a path pattern that the rules accept but that probably matches no page. */
export function advisePath(pattern: string, field: string): Advice[] {
  return CHECKS.flatMap((check) => {
    const found = check(pattern)
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

const CHECKS: readonly ((pattern: string) => Finding | undefined)[] = [
  findQuery,
  findComma,
  findHost,
  findPlaceholder,
  findEmptyPart,
  findStar,
  findOneLevel,
]

function findQuery(pattern: string): Finding | undefined {
  const query = /\?[^/]*=/.exec(pattern)
  if (query === null) return undefined
  const path = pattern.slice(0, query.index) || '/'
  const message = `“${query[0]}…” looks like a query string. Patterns only match the path, and “?” matches any one character: type “${path}”.`
  return {code: 'PATH_WITH_QUERY', message, at: query.index}
}

function findComma(pattern: string): Finding | undefined {
  const at = commaOutsideBraces(pattern)
  if (at === undefined) return undefined
  const pages = pattern.split(/\s*,\s*/).map((page) => page.replace(/^\//, ''))
  const message = `A comma is an ordinary character here. To match several pages, type “/{${pages.filter(Boolean).join(',')}}”.`
  return {code: 'PATH_WITH_COMMA', message, at}
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
