import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import fc from 'fast-check'
import {
  compilePathPattern,
  normalizePath,
  parsePathPattern,
} from '../../../../schemas/rules/paths/pathPattern.ts'
import {runs} from '../../../runner/runs.ts'
import {accepted} from '../problem.ts'

/** Paths as browsers, hosts and editors write them. */
type Row = [
  /** As in a link, or typed into the address bar. */
  address: string,
  /** What `location.pathname` has. */
  pathname: string,
  /** How an editor may write it. */
  patterns: string[],
  /** What must not match it. */
  others?: string[],
]

const WRITTEN: Record<string, Row[]> = {
  'WHATWG URL §4.4, the path percent-encode set': [
    [
      "/mother's-day",
      "/mother's-day",
      ["/mother's-day", '/mother%27s-day', '/mother%27s-*', '/mother?s-day'],
    ],
    ['/a b', '/a%20b', ['/a b', '/a%20b', '/a?b'], ['/a+b']],
    ['/a`b', '/a%60b', ['/a%60b']],
    ['/x[y]', '/x[y]', ['/x%5By%5D', '/x%5by%5d', '/x*']],
    ['/a*b', '/a*b', ['/a%2Ab', '/a*', '/a?b']],
    ['/dir\\file', '/dir/file', ['/dir/file', '/dir/*'], ['/dir%5Cfile']],
    ['/dir%5Cfile', '/dir%5Cfile', ['/dir%5Cfile', '/*', '/dir%5c*'], ['/dir/file']],
  ],
  'WHATWG URL §4.4, dot segments': [
    ['/a/%2e%2E/b', '/b', ['/b']],
    ['/a/..b/.c', '/a/..b/.c', ['/a/..b/.c', '/a/*/*', '/a/%2E.b/%2ec']],
  ],
  'WHATWG URL §4.5, bytes that are no UTF-8, and a "%" alone': [
    ['/100%', '/100%', ['/100%', '/100%25', '/*%']],
    ['/café/100%', '/caf%C3%A9/100%', ['/café/100%', '/caf%C3%A9/*', '/café/100%25']],
    ['/caf%E9', '/caf%E9', ['/caf%E9', '/caf%e9', '/caf*'], ['/café']],
    ['/%C0%AF', '/%C0%AF', ['/%C0%AF'], ['/%2F']],
    ['/%2541', '/%2541', ['/%2541'], ['/A', '/%41']],
    ['/%%34%31', '/%%34%31', ['/%2541'], ['/A']],
    ['/a\ud800b', '/a%EF%BF%BDb', ['/a\ufffdb']],
  ],
  'RFC 3986 §2.2 and §6.2.2, equivalent escapes': [
    ['/hello%21', '/hello%21', ['/hello!']],
    ['/list;page=2', '/list;page=2', ['/list;page=2', '/list%3Bpage=2'], ['/list']],
    ['/what%3f', '/what%3f', ['/what%3F', '/what%3f', '/what*'], ['/what']],
    ['/c%23/intro', '/c%23/intro', ['/c%23/intro', '/c%23/*', '/*/intro'], ['/c']],
  ],
  'encoded slashes: find-my-way#348, wouter#402, TanStack router#7871': [
    [
      '/files/a%2Fb',
      '/files/a%2Fb',
      ['/files/*', '/files/a%2Fb', '/files/a%2fb', '/files/**', '/files/a%2F*'],
      ['/files/a/b', '/files/*/*'],
    ],
    ['/files/a%252Fb', '/files/a%252Fb', ['/files/a%252Fb', '/files/*'], ['/files/a%2Fb', '/files/a/b']],
    ['/end%2F', '/end%2F', ['/end%2F'], ['/end']],
  ],
  'accents: Unicode UAX #15, names of files that macOS made (gm-apprentice#139)': [
    ['/cafe\u0301', '/cafe%CC%81', ['/café', '/caf%C3%A9', '/cafe%CC%81', '/cafe\u0301', '/caf?']],
    ['/café', '/caf%C3%A9', ['/cafe\u0301', '/cafe%CC%81']],
    [
      '/\u1112\u1161\u11ab\u1100\u1173\u11af',
      '/%E1%84%92%E1%85%A1%E1%86%AB%E1%84%80%E1%85%B3%E1%86%AF',
      ['/한글'],
    ],
  ],
  'WordPress and MediaWiki': [
    [
      '/2026/11/%d8%b3%d9%84%d8%a7%d9%85/',
      '/2026/11/%d8%b3%d9%84%d8%a7%d9%85/',
      ['/2026/11/سلام', '/2026/*/*', '/2026/11/%D8%B3%D9%84%D8%A7%D9%85'],
    ],
    [
      '/wiki/Foo_(bar)',
      '/wiki/Foo_(bar)',
      ['/wiki/Foo_(bar)', '/wiki/Foo_%28bar%29', '/wiki/*_(bar)', '/{wiki,w}/Foo_(bar)'],
    ],
    ['/wiki/AC/DC', '/wiki/AC/DC', ['/wiki/AC/DC', '/wiki/**']],
  ],
  Shopify: [
    [
      '/collections/all/blue+cotton',
      '/collections/all/blue+cotton',
      ['/collections/all/blue+cotton', '/collections/all/blue%2Bcotton', '/collections/*/*'],
      ['/collections/all/blue cotton'],
    ],
    [
      '/collections/sale/products/mug#reviews',
      '/collections/sale/products/mug',
      ['/collections/sale/products/mug', '/collections/*/products/*'],
    ],
  ],
  'Next.js (vercel/next.js#24062), SvelteKit and Angular': [
    [
      '/inbox(popup:compose)',
      '/inbox(popup:compose)',
      ['/inbox(popup:compose)', '/inbox*', '/inbox%28popup:compose%29'],
    ],
    ['/@ann/posts', '/@ann/posts', ['/@ann/posts', '/%40ann/posts', '/@*/posts']],
    ['/en-US/a,b,c', '/en-US/a,b,c', ['/en-US/a,b,c', '/en-US/a%2Cb%2Cc', '/{en,de}-US/*']],
  ],
  'S3 and hosts of files': [
    ['/a//b', '/a//b', ['/a//b', '/a/**'], ['/a/b']],
    ['/index.html/', '/index.html/', ['/index.html']],
    ['/!important/a!', '/!important/a!', ['/%21important/a!', '/*/a!']],
  ],
}

for (const [source, rows] of Object.entries(WRITTEN)) {
  describe(source, () => {
    for (const [address, pathname, patterns, others = []] of rows) {
      test(`${address} is found by ${patterns.join(' and ')}`, () => {
        const path = new URL(address, 'https://site.example').pathname
        assert.equal(path, pathname)
        const normalized = normalizePath(path)
        assert.equal(normalizePath(normalized), normalized)
        for (const pattern of patterns) assert.equal(matches(pattern, normalized), true, pattern)
        for (const pattern of others) assert.equal(matches(pattern, normalized), false, pattern)
      })
    }
  })
}

function matches(pattern: string, normalized: string): boolean {
  return compilePathPattern(accepted(parsePathPattern(pattern)))(normalized)
}

/** A character as it is, and as a percent escape in upper and lower case. */
const writings = fc.constantFrom(...`aé😀%'()[]@!+*;:,=&$"<>{}|^~. -_\u0301`).chain((character) => {
  const bytes = Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(
    '',
  )
  const raw = character === '%' ? bytes : character
  return fc.tuple(fc.constantFrom(raw, bytes), fc.constantFrom(raw, bytes.toUpperCase()))
})

test('a path is the same however its characters are escaped', () => {
  fc.assert(
    fc.property(fc.array(writings, {maxLength: 8}), (characters) => {
      const [one, other] = [0, 1].map((at) =>
        normalizePath(`/x${characters.map((ways) => ways[at]).join('')}x`),
      )
      assert.equal(one, other)
    }),
    {numRuns: runs(1_000)},
  )
})

test('an accent over a hexadecimal digit ends an escape', () => {
  assert.equal(normalizePath('/%25Fa\u0301'), '/%Fá')
})

test('normalising a path twice is normalising it once', () => {
  const parts = fc.constantFrom(
    ...['%', '2', '5', 'F', 'f', 'a', '?', '#', '.', 'é', '\u0301', '%25', '%C3', '%a9'],
  )
  fc.assert(
    fc.property(fc.array(parts, {maxLength: 12}), (texts) => {
      const normalized = normalizePath(texts.join(''))
      assert.equal(normalizePath(normalized), normalized)
    }),
    {numRuns: runs(2_000)},
  )
})
