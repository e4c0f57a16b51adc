import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isId, lastingHeading, nameFromWords, patternOf, singularOf, thingOf} from '../../making/names.ts'
import {type Outline, partOf, waysToRead} from '../../making/picked.ts'
import {parseReading} from '../../schemas/actions/reading.ts'

const MAIN: Outline = {tag: 'main', selector: () => 'main'}

function kindsOf(...chain: Outline[]): string[] {
  const parts = waysToRead(chain).map(partOf)
  if (parts.length > 0) assert.equal(parseReading({parts: parts.slice(0, 1)}).parts.length, 1)
  return parts.map(({kind, selector}) => `${kind} ${selector}`)
}

test('an element is recognised with what it is in', () => {
  const table = {
    tag: 'table',
    selector: () => 'table.hours',
    entries: 8,
    heading: () => 'Opening hours of Central',
  }
  const cell = {tag: 'td', selector: () => 'tr:nth-of-type(2) > td', similar: () => 'tr > td'}
  assert.deepEqual(waysToRead([{...cell, similar: undefined}, table, MAIN]).map(partOf), [
    {kind: 'table', selector: 'table.hours', name: 'openingHoursOfCentral'},
    {kind: 'text', selector: 'tr:nth-of-type(2) > td', name: 'text'},
  ])
  assert.deepEqual(
    kindsOf({tag: 'dd', selector: () => 'dd'}, {tag: 'dl', selector: () => 'dl', entries: 3}),
    ['definitions dl', 'text dd'],
  )
  const item = {tag: 'li', selector: () => 'li:nth-of-type(1)'}
  assert.deepEqual(kindsOf(item, {tag: 'ul', selector: () => 'ul.news', entries: 4, links: 2}), [
    'list ul.news',
    'text li:nth-of-type(1)',
  ])
  const link = {tag: 'a', selector: () => 'li:nth-of-type(1) a'}
  assert.deepEqual(kindsOf(link, item, {tag: 'ul', selector: () => 'nav ul', entries: 4, links: 4}), [
    'links nav ul',
    'list nav ul',
    'text li:nth-of-type(1) a',
  ])
  assert.deepEqual(kindsOf(link, MAIN), ['links li:nth-of-type(1) a', 'text li:nth-of-type(1) a'])
  const card = {tag: 'article', selector: () => 'article:nth-of-type(1)', similar: () => '.cards > article'}
  assert.deepEqual(kindsOf(card, MAIN), ['list .cards > article', 'text article:nth-of-type(1)'])
  assert.deepEqual(kindsOf({tag: 'p', selector: () => 'p'}, MAIN), ['text p'])
  assert.deepEqual(kindsOf(), [])
})

test('names come from words, one thing from many, and ids from addresses', () => {
  assert.deepEqual(['Opening hours', 'filter[status]', 'API key', '3 rooms', '…'].map(nameFromWords), [
    'openingHours',
    'filterStatus',
    'apiKey',
    'value3Rooms',
    '',
  ])
  assert.deepEqual(['books', 'branches', 'libraries', 'boxes', 'status', 'class', 'media'].map(singularOf), [
    'book',
    'branch',
    'library',
    'box',
    'status',
    'class',
    'media',
  ])
  const ids = ['42', 'b1', 'item-17', '0b6f5d1e-7c1a-4d4e-9d0a-2b1f0c9e8a11', '507f1f77bcf86cd799439011']
  assert.ok(ids.every(isId))
  assert.ok(!['v2', 'v1.1', 'books', 'opening-hours', 'search', ''].some(isId))
  assert.deepEqual(
    ['/books/b1', '/', '/events', '/a/12/b{c}'].map((path) => patternOf(path)),
    ['/books/*', '/', '/events', '/a/*/b?c?'],
  )
})

test('a page with the heading that its address has is one of many', () => {
  const rows: [path: string, heading: string, thing: string | undefined, pattern: string][] = [
    ['/products/mooring-rope', 'Mooring Rope', 'product', '/products/*'],
    ['/en/recipes/cafe-au-lait.html', 'Café au lait', 'recipe', '/en/recipes/*'],
    ['/boats/417', 'Anna', 'boat', '/boats/*'],
    ['/products/ropes', 'All ropes', undefined, '/products/ropes'],
    ['/about/our-team', 'Our team', undefined, '/about/our-team'],
    ['/news/bridge-closed', 'Bridge closed', 'page', '/news/*'],
    ['/index.php/Rote_Gr%C3%BCtze', 'Rote Grütze', 'page', '/index.php/*'],
    ['/projects/boats/issues', 'Issues', undefined, '/projects/boats/issues'],
    ['/wiki/Category:Food', 'Category:Food', undefined, '/wiki/Category:Food'],
    ['/contact', 'Contact', undefined, '/contact'],
    ['/posts/my-day/', 'My day', 'post', '/posts/*'],
    ['/2026/04/splicing-a-rope/', 'Splicing a rope', 'post', '/20*/*/*'],
    ['/2026/04/', 'April 2026', undefined, '/2026/*'],
    ['/blog/page/2/', 'All posts', undefined, '/blog/page/*'],
  ]
  for (const [path, heading, thing, pattern] of rows)
    assert.deepEqual([thingOf(path, heading), patternOf(path, heading)], [thing, pattern], path)
})

test('leaves out of a heading what is there at the moment', () => {
  const headings = {
    '3 results for “coffee”': 'results',
    'Found 1 ticket': 'ticket',
    'Treffer für "Salz"': 'Treffer',
    'Results (12)': 'Results',
    'Found:': 'Found',
    'Opening hours': 'Opening hours',
    '“Rope”': '“Rope”',
    '2026': '2026',
    'Select user to change': 'user',
    'Category: Boats': 'Category',
    'Results for boats': 'Results',
    '3 results for “boats”': 'results',
    Lifeboats: 'Lifeboats',
    Boats: '',
  }
  assert.deepEqual(
    Object.keys(headings).map((heading) => lastingHeading(heading, ['boats'])),
    Object.values(headings),
  )
})
