import {type PathPattern, parsePathPattern} from '../../schemas/rules/paths/pathPattern.ts'

/** Creates the patterns of a typical site: 60 % exact paths, 25 % `/a/b/*`, 15 % `/a/**`. */
export function usualPatterns(count: number): PathPattern[] {
  return parsed(
    Array.from({length: count}, (_, number) => {
      if (number % 20 < 12) return `${shelfOf(number)}/page-${number}`
      return number % 20 < 17 ? `${shelfOf(number)}/topic-${number}/*` : `/area-${number}/**`
    }),
  )
}

/** Returns a path of such a site. Half of these match a pattern; the others miss it by a few characters. */
export function usualPath(visit: number, count: number): string {
  const number = (visit * 7_919) % count
  const missing = visit % 2 === 0 ? '' : `${visit}`
  if (number % 20 < 12) return `${shelfOf(number)}/page-${number}${missing}`
  if (number % 20 < 17) return `${shelfOf(number)}/topic-${number}${missing}/visit-${visit}`
  return `/area-${number}${missing}/visit-${visit}/reviews`
}

function shelfOf(number: number): string {
  return `/shelf-${number % 37}`
}

/**
 * Patterns that differ in one place, where `#` is a number, and a path that agrees with all of them up to
 * that place.
 */
export type AlikeSet = {pattern: string; path: string}

const dashes = '-'.repeat(200)

/** Patterns that the index can distinguish. */
export const TOLD_APART: readonly AlikeSet[] = [
  {pattern: '/p#-*', path: '/p77-x'},
  {pattern: '/*-#', path: '/x-77'},
  {pattern: '/*/#', path: '/x/77'},
  {pattern: '/a/**/#', path: `/a${'/x'.repeat(1_000)}/77`},
  {pattern: '/**/x#/*.html', path: `${'/'.repeat(2_000)}/x77/a.html`},
  {pattern: '/p#-*', path: `/p77${'-'.repeat(2_000)}`},
]

/** Patterns that the index cannot distinguish, so that it must try each. */
export const TRIED: readonly AlikeSet[] = [
  {pattern: '/**', path: '/a/b'},
  {pattern: '/?#?', path: '/a7.b'},
  {pattern: `/?#?${dashes}`, path: `/x${dashes}`},
  {pattern: `/${dashes}?#?`, path: `/${dashes}x`},
  {pattern: `/**/?#?${'/*'.repeat(100)}`, path: '/a'.repeat(1_000)},
  {pattern: `${'/{a,*}'.repeat(6)}/?#?`, path: `${'/a'.repeat(6)}/a`},
]

/** Creates this many patterns of a set. */
export function alike({pattern}: Pick<AlikeSet, 'pattern'>, count: number): PathPattern[] {
  return parsed(Array.from({length: count}, (_, number) => pattern.replace('#', `${number}`)))
}

/** Parses patterns. */
function parsed(sources: readonly string[]): PathPattern[] {
  return sources.map((source) => {
    const pattern = parsePathPattern(source)
    if (!pattern.ok) throw new Error(`"${source}": ${pattern.problem}`)
    return pattern.value
  })
}
