import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parsePage} from '../../../../schemas/rules/paths/page.ts'
import {accepted, problemOf} from '../problem.ts'

const ADDRESSES = ['https://www.example.com', 'http://127.0.0.1:4110']

const PAGES: [typed: string, path: string, query?: string, elsewhere?: string][] = [
  ['/events', '/events'],
  ['/events?from=2026-01-01#top', '/events', '?from=2026-01-01'],
  ['', '/'],
  ['#top', '/'],
  ['?page=2', '/', '?page=2'],
  [' products/7 ', '/products/7'],
  ['caf%C3%A9', '/caf%C3%A9'],
  ['@maker/7', '/@maker/7'],
  [':8080/x', '/:8080/x'],
  ['//double', '//double'],
  ['http://127.0.0.1:4110/events', '/events'],
  ['http://127.0.0.1:4110/events?from=2026-01-01#top', '/events', '?from=2026-01-01'],
  ['127.0.0.1:4110/events', '/events'],
  ['127.0.0.1:4110', '/'],
  ['https://www.example.com', '/'],
  ['https://www.example.com/', '/'],
  ['HTTPS://WWW.EXAMPLE.COM/Shop/', '/Shop/'],
  ['https://example.com/shop', '/shop'],
  ['http://www.example.com/shop', '/shop'],
  ['https://ann:secret@www.example.com/shop', '/shop'],
  ['https://www.example.com/a/../b', '/b'],
  ['www.example.com', '/'],
  ['example.com', '/'],
  ['example.com/shop?x', '/shop', '?x'],
  ['https://staging.example.com/shop', '/shop', '', 'https://staging.example.com'],
  ['https://www.example.com:8443/shop', '/shop', '', 'https://www.example.com:8443'],
  ['other.example/shop', '/shop', '', 'https://other.example'],
  ['localhost:3000/shop', '/shop', '', 'https://localhost:3000'],
]
for (const [typed, path, query = '', elsewhere] of PAGES) {
  test(`“${typed}” is the page ${path}${query}${elsewhere === undefined ? '' : ` at ${elsewhere}`}`, () => {
    const expected = {path, query, ...(elsewhere !== undefined && {elsewhere})}
    assert.deepEqual(accepted(parsePage(typed, ADDRESSES)), expected)
  })
}

const REFUSED: [typed: string, problem: RegExp][] = [
  ['index.html', /type “\/index\.html” for the page, or the whole address/],
  ['other.example', /type “\/other\.example” for the page, or the whole address/],
  ['chrome://settings', /not the address of a page/],
  ['file:///srv/shop/index.html', /not the address of a page/],
  ['javascript:alert(1)', /not the address of a page/],
  ['mailto:ann@example.com', /not the address of a page/],
  ['https://', /not the address of a page/],
]
for (const [typed, problem] of REFUSED) {
  test(`“${typed}” is refused as a page: ${problem.source}`, () => {
    assert.match(problemOf(parsePage(typed, ADDRESSES)) ?? '', problem)
  })
}

test('a site without addresses has its pages anywhere', () => {
  assert.deepEqual(accepted(parsePage('https://any.example/shop')), {path: '/shop', query: ''})
})
