import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import picomatch from 'picomatch'
import {
  compilePathPattern,
  matchesPath,
  parsePathPattern,
} from '../../../../schemas/rules/paths/pathPattern.ts'
import {runs} from '../../../runner/runs.ts'
import {accepted} from '../problem.ts'
import {pattern, tamePath, tamePattern, wildPath} from './patterns.ts'

const MATCHES: [pattern: string, yes: string[], no: string[]][] = [
  ['/', ['/', '', '/?q'], ['/a', '//a']],
  ['/cart', ['/cart', '/cart/', 'cart?x#y'], ['/cart/a', '/Cart', '/car', '/']],
  ['/*', ['/a', '/.a', '/.', '/a\n'], ['/', '/a/b', '/a//']],
  ['/**', ['/', '/a', '/a/b', '/.a/.b', '//', '/a/../b', '/a\nb'], []],
  ['/shop/*/**', ['/shop/a', '/shop/a/b'], ['/shop', '/shop//b']],
  ['/products/**', ['/products', '/products/', '/products/a/b'], ['/productsX', '/', '/Products/a']],
  ['/**/reviews', ['/reviews', '/a/reviews', '/a/b/reviews', '//reviews'], ['/areviews', '/reviews/a']],
  ['/a/**/b', ['/a/b', '/a/x/b', '/a//b'], ['/a', '/ab', '/b']],
  ['/a/*/b', ['/a/x/b', '/a/./b'], ['/a/b', '/a//b', '/a/x/y/b']],
  ['/a*', ['/a', '/ab', '/a.'], ['/', '/ba', '/a//', '/a/b']],
  ['/a-*-z', ['/a-b-z', '/a--z'], ['/a-z', '/a-b-zz']],
  ['/a?', ['/ab', '/a%3b', '/a\n'], ['/a', '/abc', '/a/', '/a%2F', '/a%3F']],
  ['/{a,b}/c', ['/a/c', '/b/c'], ['/c', '/a,b/c']],
  ['/caf%C3%A9/*', ['/caf%C3%A9/x', '/café/x'], ['/cafe/x']],
  ['/v1.2/*', ['/v1.2/x'], ['/v1x2/x']],
]
for (const [source, yes, no] of MATCHES) {
  test(`"${source}" matches its pages and no others`, () => {
    const pattern = accepted(parsePathPattern(source))
    for (const path of yes) assert.equal(matchesPath(pattern, path), true, JSON.stringify(path))
    for (const path of no) assert.equal(matchesPath(pattern, path), false, JSON.stringify(path))
  })
}

test('the matcher agrees with one that tries everything', () => {
  fc.assert(
    fc.property(pattern, wildPath, (source, path) => {
      const parsed = accepted(parsePathPattern(source))
      const expected =
        parsed.literals.includes(path) ||
        parsed.globs.some(({text}) => triesEverything(segments(text), segments(path)))
      assert.equal(compilePathPattern(parsed)(path), expected)
    }),
    {numRuns: runs(5_000)},
  )
})

function segments(path: string): string[] {
  return path === '/' ? [] : path.slice(1).split('/')
}

function triesEverything(glob: string[], path: string[]): boolean {
  const [part, ...parts] = glob
  const [text, ...rest] = path
  if (part === undefined) return text === undefined
  if (part === '**')
    return triesEverything(parts, path) || (text !== undefined && triesEverything(glob, rest))
  return (
    text !== undefined &&
    (part !== '*' || text !== '') &&
    triesLetters(part, text) &&
    triesEverything(parts, rest)
  )
}

function triesLetters(part: string, text: string): boolean {
  if (part === '') return text === ''
  if (part[0] === '*')
    return triesLetters(part.slice(1), text) || (text !== '' && triesLetters(part, text.slice(1)))
  return text !== '' && (part[0] === '?' || part[0] === text[0]) && triesLetters(part.slice(1), text.slice(1))
}

test('on a simple path the matcher agrees with picomatch on the pattern as typed', () => {
  fc.assert(
    fc.property(tamePattern, tamePath, (source, path) => {
      const expected = picomatch(source.slice(1), {dot: true})(path.slice(1))
      assert.equal(matchesPath(accepted(parsePathPattern(source)), path), expected)
    }),
    {numRuns: runs(5_000)},
  )
})
