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
    ['/say"hello"', '/say%22hello%22', ['/say%22hello%22']],
    ['/a b', '/a%20b', ['/a b', '/a%20b', '/a?b'], ['/a+b']],
    ['/a<b>c', '/a%3Cb%3Ec', ['/a<b>c', '/a%3cb%3Ec']],
    ['/a`b', '/a%60b', ['/a%60b']],
    ['/a{b}c', '/a%7Bb%7Dc', ['/a%7Bb%7Dc', '/a%7bb%7dc', '/a*c']],
    ['/a^b', '/a%5Eb', ['/a^b', '/a%5Eb']],
    ['/a|b', '/a|b', ['/a%7Cb', '/a%7cb', '/a?b']],
    ['/x[y]', '/x[y]', ['/x%5By%5D', '/x%5by%5d', '/x*']],
    ['/~ann', '/~ann', ['/~ann', '/%7Eann', '/%7eann']],
    ['/a*b', '/a*b', ['/a%2Ab', '/a*', '/a?b']],
    ['/a$b&c=d', '/a$b&c=d', ['/a$b&c=d', '/a%24b%26c%3Dd']],
    ['/dir\\file', '/dir/file', ['/dir/file', '/dir/*'], ['/dir%5Cfile']],
    ['/dir%5Cfile', '/dir%5Cfile', ['/dir%5Cfile', '/*', '/dir%5c*'], ['/dir/file']],
  ],
  'WHATWG URL §4.4, dot segments': [
    ['/a/./b', '/a/b', ['/a/b']],
    ['/a/../b', '/b', ['/b']],
    ['/a/%2e%2E/b', '/b', ['/b']],
    ['/a/..b/.c', '/a/..b/.c', ['/a/..b/.c', '/a/*/*', '/a/%2E.b/%2ec']],
    [
      '/.well-known/security.txt',
      '/.well-known/security.txt',
      ['/.well-known/security.txt', '/*/security.txt'],
    ],
  ],
  'WHATWG URL §4.5, bytes that are no UTF-8, and a "%" alone': [
    ['/100%', '/100%', ['/100%', '/100%25', '/*%']],
    ['/café/100%', '/caf%C3%A9/100%', ['/café/100%', '/caf%C3%A9/*', '/café/100%25']],
    ['/100%25', '/100%25', ['/100%', '/100%25']],
    ['/5%-off/caf%c3%a9', '/5%-off/caf%c3%a9', ['/5%-off/café', '/5%25-off/*']],
    ['/%zz/a%20b', '/%zz/a%20b', ['/%zz/a b', '/%25zz/*']],
    ['/caf%E9', '/caf%E9', ['/caf%E9', '/caf%e9', '/caf*'], ['/café']],
    ['/%FF%C3%A9', '/%FF%C3%A9', ['/%FFé', '/%ff%c3%a9']],
    ['/%ED%A0%80', '/%ED%A0%80', ['/%ED%A0%80', '/%ed%a0%80']],
    ['/%C0%AF', '/%C0%AF', ['/%C0%AF'], ['/%2F']],
    ['/%2541', '/%2541', ['/%2541'], ['/A', '/%41']],
    ['/%%34%31', '/%%34%31', ['/%2541'], ['/A']],
    ['/a\ud800b', '/a%EF%BF%BDb', ['/a\ufffdb']],
  ],
  'RFC 3986 §2.2 and §6.2.2, equivalent escapes': [
    ['/%7Esmith/home', '/%7Esmith/home', ['/~smith/home']],
    ['/%61bc/%2D%2e%5F', '/%61bc/%2D%2e%5F', ['/abc/-._']],
    ['/a%3ab', '/a%3ab', ['/a:b', '/a%3Ab']],
    ['/hello%21', '/hello%21', ['/hello!']],
    ['/list;page=2', '/list;page=2', ['/list;page=2', '/list%3Bpage=2'], ['/list']],
    ['/a%2cb', '/a%2cb', ['/a,b']],
    ['/Caf%C3%89', '/Caf%C3%89', ['/CafÉ'], ['/Café']],
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
    ['/files/a%2fb/view', '/files/a%2fb/view', ['/files/*/view'], ['/files/a/*/view']],
    ['/files/a%252Fb', '/files/a%252Fb', ['/files/a%252Fb', '/files/*'], ['/files/a%2Fb', '/files/a/b']],
    ['/npm/@scope%2fpackage', '/npm/@scope%2fpackage', ['/npm/@scope%2Fpackage', '/npm/*']],
    ['/end%2F', '/end%2F', ['/end%2F'], ['/end']],
  ],
  'accents: Unicode UAX #15, names of files that macOS made (gm-apprentice#139)': [
    ['/cafe\u0301', '/cafe%CC%81', ['/café', '/caf%C3%A9', '/cafe%CC%81', '/cafe\u0301', '/caf?']],
    ['/café', '/caf%C3%A9', ['/cafe\u0301', '/cafe%CC%81']],
    ['/u\u0308ber/ko\u0308ln', '/u%CC%88ber/ko%CC%88ln', ['/über/köln', '/über/*']],
    [
      '/\u1112\u1161\u11ab\u1100\u1173\u11af',
      '/%E1%84%92%E1%85%A1%E1%86%AB%E1%84%80%E1%85%B3%E1%86%AF',
      ['/한글'],
    ],
    ['/\u212bngstrom', '/%E2%84%ABngstrom', ['/Ångstrom']],
    ['/%F0%9F%98%80', '/%F0%9F%98%80', ['/😀', '/??']],
    ['/フ\u309aロ', '/%E3%83%95%E3%82%9A%E3%83%AD', ['/プロ', '/%E3%83%97%E3%83%AD']],
  ],
  'WordPress and MediaWiki': [
    [
      '/2026/11/%d8%b3%d9%84%d8%a7%d9%85/',
      '/2026/11/%d8%b3%d9%84%d8%a7%d9%85/',
      ['/2026/11/سلام', '/2026/*/*', '/2026/11/%D8%B3%D9%84%D8%A7%D9%85'],
    ],
    [
      '/product/t-shirt-rock-n%e2%80%99-roll/',
      '/product/t-shirt-rock-n%e2%80%99-roll/',
      ['/product/t-shirt-rock-n’-roll'],
    ],
    [
      '/wiki/Foo_(bar)',
      '/wiki/Foo_(bar)',
      ['/wiki/Foo_(bar)', '/wiki/Foo_%28bar%29', '/wiki/*_(bar)', '/{wiki,w}/Foo_(bar)'],
    ],
    ['/wiki/C%2B%2B', '/wiki/C%2B%2B', ['/wiki/C++', '/wiki/C%2b%2b']],
    ['/wiki/AC/DC', '/wiki/AC/DC', ['/wiki/AC/DC', '/wiki/**']],
    ['/wiki/Who%27s_Afraid%3F', '/wiki/Who%27s_Afraid%3F', ["/wiki/Who's_Afraid%3F"]],
    ['/wiki/Talk:Main_Page', '/wiki/Talk:Main_Page', ['/wiki/Talk:Main_Page', '/wiki/Talk:*']],
    ['/index.php/hello-world', '/index.php/hello-world', ['/index.php/hello-world', '/index.php/*']],
  ],
  Shopify: [
    [
      '/collections/all/blue+cotton',
      '/collections/all/blue+cotton',
      ['/collections/all/blue+cotton', '/collections/all/blue%2Bcotton', '/collections/*/*'],
      ['/collections/all/blue cotton'],
    ],
    [
      '/products/caf%C3%A9-cr%C3%A8me?variant=1',
      '/products/caf%C3%A9-cr%C3%A8me',
      ['/products/café-crème', '/products/*'],
    ],
    [
      '/collections/sale/products/mug#reviews',
      '/collections/sale/products/mug',
      ['/collections/sale/products/mug', '/collections/*/products/*'],
    ],
    ['/pages/womens-%E2%99%80', '/pages/womens-%E2%99%80', ['/pages/womens-♀']],
  ],
  'Next.js (vercel/next.js#24062), SvelteKit and Angular': [
    ["/blog/what's-new", "/blog/what's-new", ["/blog/what's-new"]],
    [
      '/inbox(popup:compose)',
      '/inbox(popup:compose)',
      ['/inbox(popup:compose)', '/inbox*', '/inbox%28popup:compose%29'],
    ],
    ['/@ann/posts', '/@ann/posts', ['/@ann/posts', '/%40ann/posts', '/@*/posts']],
    ['/shop/%5Bslug%5D', '/shop/%5Bslug%5D', ['/shop/%5Bslug%5D', '/shop/*']],
    ['/en-US/a,b,c', '/en-US/a,b,c', ['/en-US/a,b,c', '/en-US/a%2Cb%2Cc', '/{en,de}-US/*']],
    ['/_next/image/', '/_next/image/', ['/_next/image']],
  ],
  'S3 and hosts of files': [
    [
      '/reports/Q1%202026%20(final).html',
      '/reports/Q1%202026%20(final).html',
      ['/reports/Q1 2026 (final).html', '/reports/*.html'],
    ],
    ['/reports/a+b.html', '/reports/a+b.html', ['/reports/a+b.html'], ['/reports/a b.html']],
    ['/a//b', '/a//b', ['/a//b', '/a/**'], ['/a/b']],
    [
      '/photos/caf%C3%A9=1&x@2x.png',
      '/photos/caf%C3%A9=1&x@2x.png',
      ['/photos/café=1&x@2x.png', '/photos/*@2x.png'],
    ],
    ['/index.html/', '/index.html/', ['/index.html']],
    ['/%E2%82%AC%2050%25', '/%E2%82%AC%2050%25', ['/€ 50%']],
    ['/!important/a!', '/!important/a!', ['/%21important/a!', '/*/a!']],
    ["/'quoted'", "/'quoted'", ["/'quoted'"]],
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
