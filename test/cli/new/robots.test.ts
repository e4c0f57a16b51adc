import {deepEqual, equal} from 'node:assert/strict'
import {test} from 'node:test'
import {readRobots} from '../../../cli/new/robots.ts'

const {mayOpen, sitemaps} = readRobots(`Sitemap: https://shop.example/map.xml
User-agent: GPTBot
Disallow: /

User-agent: Other
User-agent: *
Disallow: /private # of customers
Allow: /private/open
Disallow: /*.pdf$
Disallow: /search?*sort=
Disallow:
`)

for (const [path, isAllowed] of [
  ['/', true],
  ['/private/orders', false],
  ['/private/open/day', true],
  ['/files/a.pdf', false],
  ['/files/a.pdf.pdf', false],
  ['/files/a.pdf?download', true],
  ['/search?q=rope', true],
  ['/search?q=rope&sort=price', false],
] as const)
  test(`robots.txt: ${path} may ${isAllowed ? '' : 'not '}be opened`, () => equal(mayOpen(path), isAllowed))

test('robots.txt names sitemaps for all programs, and a pattern of many stars takes no time', () => {
  deepEqual(sitemaps, ['https://shop.example/map.xml'])
  const slow = readRobots(`User-agent: *\nDisallow: /${'*a'.repeat(5_000)}$`)
  equal(slow.mayOpen(`/${'a'.repeat(4_000)}b`), true)
})
