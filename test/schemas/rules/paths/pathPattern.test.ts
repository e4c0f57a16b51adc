import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parsePathPattern} from '../../../../schemas/rules/paths/pathPattern.ts'
import {accepted, problemOf} from '../problem.ts'

test('a pattern is kept as typed, and its alternatives are normalised as paths are', () => {
  assert.deepEqual(accepted(parsePathPattern('products/{sale/,caf%C3%A9/**}')), {
    source: 'products/{sale/,caf%C3%A9/**}',
    literals: ['/products/sale'],
    globs: [{text: '/products/café/**', head: ['products', 'café'], tail: []}],
  })
})

const NORMALISED: [pattern: string, literals: string[], globs: string[]][] = [
  ['/', ['/'], []],
  ['cart', ['/cart'], []],
  ['/cart/', ['/cart'], []],
  ['**', [], ['/**']],
  ['*', [], ['/*']],
  ['/a/**/', [], ['/a/**']],
  ['/products{,/sale}', ['/products', '/products/sale'], []],
  ['/{a,b{c,d}}', ['/a', '/bc', '/bd'], []],
  ['/{a,a/}', ['/a'], []],
  ['/a,b', ['/a,b'], []],
  ['/100%', ['/100%'], []],
  ['/what%3f', ['/what%3F'], []],
  ['/what%3f/*', [], ['/what%3F/*']],
  ['/%5C/*', [], ['/\\/*']],
  ['/wiki/Foo_(bar)', ['/wiki/Foo_(bar)'], []],
  ["/mother's-day/{a,(b)}/*", [], ["/mother's-day/a/*", "/mother's-day/(b)/*"]],
  ['/wiki/Foo_%28bar%29', ['/wiki/Foo_(bar)'], []],
  ['/x%5By%5D/*', [], ['/x[y]/*']],
  ['/@ann/c++/sale!', ['/@ann/c++/sale!'], []],
  ['/.well-known/*', [], ['/.well-known/*']],
]
for (const [pattern, literals, globs] of NORMALISED) {
  test(`"${pattern}" is ${[...literals, ...globs].join(' or ')}`, () => {
    const parsed = accepted(parsePathPattern(pattern))
    assert.deepEqual(parsed.literals, literals)
    assert.deepEqual(
      parsed.globs.map(({text}) => text),
      globs,
    )
  })
}

const REFUSED: [pattern: unknown, problem: RegExp][] = [
  [undefined, /missing/],
  [7, /must be text/],
  ['', /empty/],
  [' /a', /space or line break/],
  [`/${'a'.repeat(256)}`, /257 characters.*256/],
  ['https://shop.example/a', /full address: .*"\/a"/],
  ['https://shop.example/{a,b}/caf%C3%A9?x#y', /"\/\{a,b\}\/café"/],
  ['ftp://shop.example/a', /full address/],
  ['/a#reviews', /cannot contain "#"/],
  ['!/a', /cannot begin with "!"/],
  ['/{a,!b}', /cannot begin with "!"/],
  ['/a#reviews', /type "%23"/],
  ['/!a', /type "%21"/],
  ['/[id]', /cannot contain "\["\. Use "\*" for one part.*type "%5B"/],
  ['/id]', /type "%5D"/],
  ['/@(a)', /"@\(" is not special.*Use "\*".*type "%28" and "%29"/],
  ['/a/(.*)', /"\(\.\*\)" is not special/],
  ['/(?:a)', /not special/],
  ['/a|b', /cannot contain "\|"\. List alternatives as in "\{a,b\}".*type "%7C"/],
  ['/a\\*', /cannot contain "\\"\. Browsers replace it by "\/".*type "%5C"/],
  ['/"a"', /quotation mark.*type "%22"/],
  ['/`a`', /cannot contain "`"\. Remove it.*type "%60"/],
  ["'/a'", /begins with a quotation mark: remove it/],
  ['"/a"', /begins with a quotation mark: remove it/],
  ['/a/../b', /as the address bar shows it/],
  ['/a/%2e', /as the address bar shows it/],
  ['/a\u0007b', /invisible character U\+0007/],
  ['/a%0Ab', /control characters/],
  ['/{1..3}', /Ranges/],
  ['/{1..3,5}', /Ranges/],
  ['/{a}', /need a comma/],
  ['/{}', /need a comma/],
  ['/{a,b', /"\{" without a "\}"/],
  ['/a}', /"\}" without a "\{"/],
  ['/***', /must be a whole part/],
  ['/a**', /must be a whole part/],
  ['/{a*,b}*c', /must be a whole part.*"a\*\*c"/],
  ['/*-*', /one "\*".*"\*-\*"/],
  ['/{a*,b}-*', /one "\*".*"a\*-\*"/],
  ['/**/a/**', /one "\*\*"/],
  ['/%2A/*', /%2A/],
]
for (const [pattern, problem] of REFUSED) {
  test(`${JSON.stringify(pattern)} is refused: ${problem.source}`, () => {
    assert.match(problemOf(parsePathPattern(pattern)) ?? '', problem)
  })
}

test('braces that would expand to millions of paths are refused before they are expanded', () => {
  assert.match(problemOf(parsePathPattern(`/${'{a,b}'.repeat(50)}`)) ?? '', /more than 64/)
  assert.match(problemOf(parsePathPattern('{'.repeat(256))) ?? '', /without a/)
})
