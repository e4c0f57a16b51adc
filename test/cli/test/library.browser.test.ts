import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Browser} from 'playwright-core'
import type {Snapshot} from '../../../advice/changes/compare.ts'
import {sharedBrowsers} from '../../support/browser.ts'
import {startLibrary} from '../../support/library/library.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {type Break, type BrokenSite, SERVICE, startBrokenSite} from './brokenSite.ts'
import {firstLine, runTestsOf} from './runTestsOf.ts'

const TAG = `<script async nonce="NONCE" src="${SERVICE}/snippet.js" data-site="town-library"></script>`

const TEXT = {type: 'string', minLength: 1, description: 'Words.'}

type Tested = {
  readonly page: string
  readonly given?: Readonly<Record<string, string>>
  readonly expect: readonly object[]
}

/** A tool of the library without a script, which only reads, with one test. */
function tool(name: string, fields: object, {page, given = {}, expect}: Tested) {
  const properties = Object.fromEntries(Object.keys(given).map((parameter) => [parameter, TEXT]))
  const rows = Object.entries(given).map(([parameter, value]) => ({name: parameter, value}))
  const {executeJs: _, ...document} = toolDocument({
    _id: name,
    name,
    site: {_ref: 'library', _type: 'reference'},
    pathPattern: '/**',
    inputSchema: JSON.stringify({type: 'object', properties, required: Object.keys(given)}),
    ...fields,
    tests: [{_key: 'a', title: 'Works', page, arguments: rows, expect}],
  })
  return document
}

const TOOLS = [
  tool(
    'searchEvents',
    {
      action: 'request',
      request: {
        method: 'GET',
        address: '/api/v2/events',
        query: [{_key: 'a', name: 'q', parameter: 'words'}],
        result: {
          kind: 'list',
          path: 'data.items',
          members: [
            {_key: 'a', path: 'title'},
            {_key: 'b', path: 'date'},
          ],
        },
      },
    },
    {
      page: '/events',
      given: {words: 'rope'},
      expect: [
        {kind: 'atLeast', value: '1'},
        {kind: 'contains', member: '[0].title', value: 'rope'},
      ],
    },
  ),
  tool(
    'getBook',
    {
      action: 'request',
      request: {
        method: 'GET',
        address: '/api/v2/books/{bookId}',
        result: {kind: 'object', path: 'data.book', members: [{_key: 'a', path: 'title'}]},
      },
    },
    {page: '/events', given: {bookId: 'b1'}, expect: [{kind: 'contains', member: 'title', value: 'knots'}]},
  ),
  tool(
    'getOpeningHours',
    {
      action: 'reading',
      reading: {parts: [{_key: 'a', name: 'hours', kind: 'table', selector: 'table.hours'}]},
    },
    {
      page: '/opening-hours',
      expect: [
        {kind: 'atLeast', member: 'hours', value: '2'},
        {kind: 'equals', member: 'hours[0].Day', value: 'Monday'},
      ],
    },
  ),
]

const documents: Snapshot = new Map(
  [siteDocument({_id: 'library', publicId: 'town-library'}), ...TOOLS].map((document) => {
    return [document._id, {...document, _rev: '1'}]
  }),
)

const isApi = (path: string) => path.startsWith('/api/v2/')

/** Breaks what the API returns, and the page of opening hours. */
function both(
  api: (text: string) => Awaited<ReturnType<Break>>,
  page: (text: string) => Awaited<ReturnType<Break>>,
): Break {
  return (path, {text}) => (isApi(path) ? api(text) : path === '/opening-hours' ? page(text) : undefined)
}

/** What breaks, and the cause of each tool's failure. One without a cause still works. */
type Row = {
  readonly change: Break
  readonly search?: RegExp
  readonly book?: RegExp
  readonly hours?: RegExp
}

const BREAKS: Readonly<Record<string, Row>> = {
  nothing: {change: () => undefined},
  'a selector that matches nothing': {
    change: both(
      () => undefined,
      (text) => ({body: text.replace('class="hours"', 'class="times"')}),
    ),
    hours: /^Nothing on the page matches “table\.hours”, which the tool looks for\.$/,
  },
  'an error in the script': {
    change: (_, {text, type}) => {
      const script = 'AbortSignal.timeout = Element.prototype.checkVisibility = undefined'
      const body = text.replace('</body>', `<script nonce="n1">${script}</script></body>`)
      return type.startsWith('text/html') ? {body} : undefined
    },
    search: /^The call failed: “AbortSignal\.timeout is not a function”\.$/,
    book: /^The call failed: “AbortSignal\.timeout is not a function”\.$/,
    hours: /^The call failed: “\w+\.checkVisibility is not a function”\.$/,
  },
}

const GREEN = /^$/

describe('tests of tools without a script, on pages with a strict policy', () => {
  let site: BrokenSite
  let browser: Browser
  before(async () => {
    browser = await sharedBrowsers.withWebMcp()
    site = await startBrokenSite(undefined, () => startLibrary({tag: TAG, serviceOrigin: SERVICE}))
  })
  after(() => site.close())

  for (const [what, {change, search = GREEN, book = GREEN, hours = GREEN}] of Object.entries(BREAKS)) {
    test(`the first line of each tool's test says what fails: ${what}`, async () => {
      site.breakWith(change)
      const results = await runTestsOf(site.url, 'library', documents, browser)
      assert.match(firstLine(results.get('searchEvents')), search)
      assert.match(firstLine(results.get('getBook')), book)
      assert.match(firstLine(results.get('getOpeningHours')), hours)
    })
  }
})
