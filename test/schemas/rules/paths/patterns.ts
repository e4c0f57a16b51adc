import fc from 'fast-check'
import {type PathPattern, parsePathPattern} from '../../../../schemas/rules/paths/pathPattern.ts'
import {accepted} from '../problem.ts'

/** Patterns of few letters, so that paths of the same letters often match. */
const segment = fc.oneof(
  {weight: 4, arbitrary: fc.stringMatching(/^[ab.?]{0,2}\*?[ab.?]{0,2}$/)},
  {weight: 1, arbitrary: fc.constant('**')},
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{a,b}',
      '{a,b*}',
      '{aa,{b,ab}}',
      'a{,b}',
      '{a,b}/{a,b}',
      '{a/**,b}',
      '?{a,b}*',
    ),
  },
)
export const pattern = fc
  .array(segment, {minLength: 1, maxLength: 6})
  .map((segments) => `/${segments.join('/')}`)
  .filter((source) => parsePathPattern(source).ok)

/**
 * Three of picomatch's results depend on how the same thing is written, so they cannot be explained by a
 * rule: it takes "**\/a", but not "/**\/a", to match "/a" (so `picomatches` omits the leading slash on both
 * sides), and "a/**", but neither "a*\/**" nor "{a/**,b}", to match "a". Here `**` always matches zero
 * segments, too.
 */
export const tamePattern = pattern.filter(
  (source) => !/\/\/|\/$|(^|[/{,])\.{1,2}($|[/},])|\*[^/]*\/\*\*|\*\*[,}]/.test(source),
)

const pathOf = (part: fc.Arbitrary<string>) =>
  fc.array(part, {minLength: 1, maxLength: 6}).map((segments) => `/${segments.join('/')}`)
export const wildPath = pathOf(fc.stringMatching(/^[ab.\n]{0,3}$/))
export const tamePath = pathOf(
  fc.stringMatching(/^[ab.]{1,3}$/).filter((text) => text !== '.' && text !== '..'),
)

const hardPart = fc.constantFrom(
  ...['*', '**', '/', '/', '-', 'a', '?', '{a,b}', '{*,-}', '/*-', '/a*', 'a/', '.', '{a,b,c,d}'],
  ...['é', '😀', '%2F', '%', '??', '/**/', '{/**,-}'],
)

/** Patterns with as many wildcards as the rule accepts. */
export const hardPattern = fc
  .tuple(fc.constantFrom('/', '/**/'), fc.array(hardPart, {minLength: 1, maxLength: 120}))
  .map(([start, parts]) => `${start}${parts.join('')}`.slice(0, 256))
  .filter((source) => parsePathPattern(source).ok)

/** Repeated segments that keep a matcher busy, with an end that may make it fail after all. */
export const hardPath = fc
  .tuple(
    fc.constantFrom('-', '/', 'a', 'a/', '-/', 'a-/', './', '\n', 'ab', 'é', '😀', '%2F'),
    fc.stringMatching(/^[-/a]{0,9}$/),
  )
  .map(([unit, end]) => `/${unit.repeat(2048)}`.slice(0, 2048 - end.length) + end)

/** A page path that matches one of the pattern's alternatives, or nearly. */
export function pathNear(source: string): fc.Arbitrary<string> {
  const {literals, globs} = accepted(parsePathPattern(source))
  return fc
    .record({
      alternative: fc.constantFrom(...literals, ...globs.map(({text}) => text)),
      run: fc.constantFrom('-', 'a', '/', 'a/', '.', 'é', '😀', '%', '\n'),
      times: fc.constantFrom(0, 1, 2, 1000),
      at: fc.nat(260),
      instead: fc.constantFrom(undefined, '', '/', '-', 'a', '😀', '//'),
    })
    .map(({alternative, run, times, at, instead}) => {
      const path = alternative
        .replaceAll('**', run.repeat(times))
        .replaceAll('*', run.replaceAll('/', '-').repeat(times))
        .replaceAll('?', 'a')
      const edited = instead === undefined ? path : path.slice(0, at) + instead + path.slice(at + 1)
      return `/${edited}`.replace(/^\/\//, '/').slice(0, 2048)
    })
}

/** The patterns with this source. */
export function parsed(sources: readonly string[]): PathPattern[] {
  return sources.map((source) => accepted(parsePathPattern(source)))
}

/**
 * The fastest of several runs, in milliseconds: a busy machine slows down one run, never all of them.
 * @param enough stop early once a run is faster than this.
 */
export function quickest(work: () => void, enough = 0.5): number {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 20 && best >= enough; tries += 1) {
    const started = performance.now()
    work()
    best = Math.min(best, performance.now() - started)
  }
  return best
}

/** Sets of patterns that differ in one place only: each path matches all of them up to there. */
export const ALIKE: {readonly [source: string]: string} = {
  '/p#-*': '/p77-x',
  '/*-#': '/x-77',
  '/p*-#': '/px-77',
  '/?#/x': '/a77/x',
  '/*/#': '/x/77',
  '/*/x#/**': '/x/x77/y',
  '/**/#': '/x/y/77',
  '/a/**/x#/*.html': '/a/b/x77/y.html',
  '/a/**/*-#': '/a/b/y-77',
  '/{a,b*}/#/{c,d}/*': '/bx/77/d/y',
}
