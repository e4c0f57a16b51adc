import assert from 'node:assert/strict'
import {writeFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {json} from 'node:stream/consumers'
import {after, before, describe, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import type {Browser} from 'playwright-core'
import type {Snapshot} from '../../../advice/changes/compare.ts'
import {parseReport} from '../../../lake/reports/testReports.ts'
import {serveOffline} from '../../../service/offline.ts'
import {temporaryWorkTree} from '../../lake/support/git.ts'
import {text} from '../../support/brokenRepositories/documents.ts'
import {sharedBrowsers} from '../../support/browser.ts'
import {listen} from '../../support/network/ports.ts'
import {SHOP_CONTENT, shopDocuments} from '../../support/shop.ts'
import {content} from '../support/run.ts'
import {type Break, type BrokenSite, startBrokenSite} from './brokenSite.ts'
import {firstLine, type RunOptions, runTestsOf} from './runTestsOf.ts'

const SITE = 'demo-shop'

/** Two tools of the shop that only read, and what each reads on its page before it asks the shop. */
const READ_FROM_PAGE: Readonly<Record<string, string>> = {
  'tool-search-products': "const {action} = document.querySelector('form#filter')",
  'tool-list-reviews': "const title = document.querySelector('main h1').textContent",
}

/** The shop's documents. The two tools have one test each, the others none. */
const documents: Snapshot = new Map(
  shopDocuments().map((document) => {
    const {_id, _type, executeJs, tests} = document
    const line = READ_FROM_PAGE[_id]
    const changed =
      line === undefined
        ? {tests: []}
        : {executeJs: `${line}\n${executeJs}`, tests: Array.isArray(tests) ? tests.slice(0, 1) : []}
    return [_id, {...document, ...changed, _id, _type, _rev: '1'}]
  }),
)

const API = /^\/api\/products(?:\/[\w-]+\/reviews)?$/

/** Breaks what the API of the shop returns. */
function api(
  broken: {status?: number; type?: string; body?: string; location?: string} | ((text: string) => string),
): Break {
  return (path, {text}) => {
    if (!API.test(path)) return undefined
    return typeof broken === 'function' ? {body: broken(text)} : broken
  }
}

function html(from: RegExp, to: string): Break {
  return (_, {text, type}) => (type.startsWith('text/html') ? {body: text.replaceAll(from, to)} : undefined)
}

function shopScript(change: (own: string) => string): Break {
  return (path, {text}) => (path === '/assets/shop.js' ? {body: change(text)} : undefined)
}

type Row = {
  readonly change: Break
  readonly search: RegExp
  readonly reviews: RegExp
  readonly more?: RunOptions
}

const BREAKS: Readonly<Record<string, Row>> = {
  'a selector that matches nothing': {
    change: html(/id="filter"|<h1>/g, '<p>'),
    search: /^Nothing on the page matches “form#filter”, which the tool looks for\.$/,
    reviews: /^Nothing on the page matches “main h1”, which the tool looks for\.$/,
  },
  'an address that returns 404': {
    change: api({status: 404, body: '{"error": {"message": "Gone."}}'}),
    search: /^GET \/api\/products\?q=rope&limit=10 returned 404: {"error": {"message": "Gone\."}}\.$/,
    reviews: /^GET \/api\/products\/mooring-rope\/reviews\?limit=2 returned 404: /,
  },
  'an error in the script': {
    change: (path) =>
      path === '/assets/shop.js'
        ? {body: 'window.URLSearchParams = window.decodeURIComponent = undefined'}
        : undefined,
    search:
      /^The script failed in line 2, “const search = new URLSearchParams\(.*”: URLSearchParams is not a constructor\.$/,
    reviews: /^The script failed in line 2, “const productId = .*”: decodeURIComponent is not a function\.$/,
  },
  'a dialog to which the test says no': {
    change: shopScript(
      (own) => `${own}; fetch = async () => Response.json({}, {status: confirm('Search?') ? 200 : 400})`,
    ),
    search: /^The page asked “Search\?”, and the test declined\.$/,
    reviews: /^The page asked “Search\?”, and the test declined\.$/,
  },
  'a request of the page that fails, too': {
    change: async (path, own) => {
      if (path === '/analytics/ping') return {status: 404, body: 'no'}
      const renamed = api((text) => text.replaceAll('"name"', '"title"').replaceAll('"rating"', '"stars"'))
      // One at a time: on a busy machine, more would pile up.
      const poll =
        "const poll = () => fetch('/analytics/ping').then(again, again), again = () => setTimeout(poll, 20)"
      const polls = shopScript((text) => `${text}; ${poll}; poll()`)
      return (await renamed(path, own)) ?? polls(path, own)
    },
    search: /^The first entry of “products” has no member “name”/,
    reviews: /^The first entry of “reviews” has no member “rating”/,
  },
  'an API that leads to a page': {
    change: api({status: 302, location: '/contact?login'}),
    search: /^GET \/api\/products\?q=rope&limit=10 led to \/contact\?login, which is a web page\.$/,
    reviews:
      /^GET \/api\/products\/mooring-rope\/reviews\?limit=2 led to \/contact\?login, which is a web page\.$/,
  },
  'a page that goes elsewhere during the call': {
    change: shopScript(
      (own) => `${own}; fetch = () => { location.href = '/about'; return new Promise(() => {}) }`,
    ),
    search: /^The page went to \/about during the call, which ended it\.$/,
    reviews: /^The page went to \/about during the call, which ended it\.$/,
  },
  'JSON that ends too early': {
    change: api((text) => text.slice(0, -1)),
    search: /^GET \/api\/products\?q=rope&limit=10 returned JSON that ends too early or is wrong: /,
    reviews: /^GET \/api\/products\/mooring-rope\/reviews\?limit=2 returned JSON that /,
  },
  'no response, while the page waits for others': {
    change: (path) => (API.test(path) || path === '/slow' ? new Promise(() => {}) : undefined),
    search: /^GET \/api\/products\?q=rope&limit=10 took \d+\.?\d* s\.$/,
    reviews: /^GET \/api\/products\/mooring-rope\/reviews\?limit=2 took /,
    more: {call: 700},
  },
  'a page that moved': {
    change: (path) => {
      const to = {'/products': '/about', '/products/mooring-rope': '/about'}[path]
      return to === undefined ? undefined : {status: 301, location: to}
    },
    search: /^The page \/products moved to \/about\. Name the new page in the test\.$/,
    reviews: /^The page \/products\/mooring-rope moved to \/about\. /,
  },
}

/** What fails no test of a tool. */
const NOTES: Readonly<
  Record<string, {readonly change: Break; readonly note: RegExp; readonly more?: RunOptions}>
> = {
  'an error in a script of the page': {
    change: shopScript((own) => `${own}; setTimeout(() => missing())`),
    note: /^A script of the page failed: missing is not defined\.$/m,
  },
  'a page that opens slowly': {
    change: async (_, {type}) => {
      if (type.startsWith('text/html')) await setTimeout(600) // longer than a page may take in this row
      return undefined
    },
    note: /^The page \/products\S* took [\d.]+ s to open, so agents may give up\.$/m,
    more: {slow: 500},
  },
  'an image that never comes': {
    change: (path, own) =>
      path === '/never.png'
        ? new Promise(() => {})
        : html(/<\/body>/g, '<img src="/never.png"></body>')(path, own),
    note: /^The page \/products\S* is still loading http\S+\/never\.png\. Some agents wait for it\.$/m,
  },
  'a question before the page is used': {
    change: shopScript((own) => `${own}; confirm('Are you 18?')`),
    note: /^The page said “Are you 18\?” in a dialog, which agents have to close\.$/m,
  },
  'a small dialog that comes late': {
    change: shopScript(
      (own) =>
        `${own}; setTimeout(() => document.body.appendChild(document.createElement('dialog')).showModal(), 100);
        const {fetch: send} = window; fetch = (...sent) => new Promise((resolve) => setTimeout(resolve, 300)).then(() => send(...sent))`,
    ),
    note: /^The page is covered by <dialog>, which visitors close first\.$/m,
  },
  'a banner in a shadow root': {
    change: shopScript(
      (own) =>
        `${own}; const over = document.createElement('div'); over.style.cssText = 'position: fixed; inset: 0'
        document.body.appendChild(document.createElement('cookie-banner')).attachShadow({mode: 'open'}).append(over)`,
    ),
    note: /^The page is covered by <div>, which visitors close first\.$/m,
  },
  'a banner over the page': {
    change: shopScript(
      (own) =>
        `${own}; const banner = document.body.appendChild(document.createElement('div'))
        banner.className = 'consent'; banner.style.cssText = 'position: fixed; inset: 0'`,
    ),
    note: /^The page is covered by <div class="consent">, which visitors close first\.$/m,
  },
}

describe('tests of tools on real pages', () => {
  let site: BrokenSite
  let browser: Browser
  before(async () => {
    browser = await sharedBrowsers.withWebMcp()
    site = await startBrokenSite()
  })
  after(() => site.close())

  const runOn = (target: BrokenSite, more: RunOptions = {}, chosen = browser) =>
    runTestsOf(target.url, 'shop', documents, chosen, more)

  for (const [what, {change, search, reviews, more}] of Object.entries(BREAKS)) {
    test(`${what} fails the test of each tool, and the first line says so`, async () => {
      site.breakWith(change)
      const results = await runOn(site, more)
      assert.match(firstLine(results.get('searchProducts')), search)
      assert.match(firstLine(results.get('listReviews')), reviews)
    })
  }

  for (const [what, {change, note, more}] of Object.entries(NOTES)) {
    test(`${what} fails no test, and is a note`, async () => {
      site.breakWith(change)
      const results = await runOn(site, more)
      assert.deepEqual([...results.values()].map(firstLine), ['', ''])
      for (const {warnings} of results.values()) assert.match(warnings.join('\n'), note)
    })
  }

  test('a browser without WebMCP runs the same tests', async () => {
    site.breakWith(() => undefined)
    const results = await runOn(site, {}, await sharedBrowsers.withoutWebMcp())
    assert.deepEqual([...results.values()].map(firstLine), ['', ''])
  })

  test('a page without a tag gets one, if its policy allows that', async () => {
    const withPolicy = async (policy: string) => {
      const other = await startBrokenSite(() => policy)
      other.breakWith(html(/<script async.*?<\/script>/g, ''))
      return [...(await runOn(other, {wait: 1_000}).finally(() => other.close())).values()]
    }
    const added = await withPolicy("default-src 'self'")
    assert.deepEqual(added.map(firstLine), ['', ''])
    assert.match(added[0]?.warnings[0] ?? '', /^The page has no script tag of the site: the test added one\./)
    const [refused] = await withPolicy("default-src 'self'; script-src 'nonce-abc'")
    assert.match(
      firstLine(refused),
      /^The Content-Security-Policy of the page forbids the script tag of the site: script-src/,
    )
  })

  test('with what is published, pages keep the tools that their own snippet fetches', async () => {
    const search = documents.get('tool-search-products')
    assert.ok(search)
    const empty = {...search, _rev: '2', executeJs: 'return {products: []}'}
    const published = await serveOffline(SITE, [...new Map(documents).set(search._id, empty).values()])
    site.breakWith((_, {text, type, url}) => {
      const response = published?.respond(new URL(url, site.url))
      if (response !== undefined) return {...response, type: response.contentType}
      // The shop’s service, which does not run here, is at the address of the shop.
      return type.startsWith('text/html') ? {body: text.replace('http://127.0.0.1:9/', '/')} : undefined
    })
    const results = await runOn(site, {isPublished: true})
    assert.match(firstLine(results.get('searchProducts')), /^“products” is an empty list/)
    assert.equal(firstLine(results.get('listReviews')), '')
    assert.equal(firstLine((await runOn(site)).get('searchProducts')), '')
  })

  test('a page that needs a sign-in says so, and visitors sign in with a state or a module', async (t) => {
    site.breakWith((path, {cookie}) => {
      const isOpen = cookie.includes('member=yes') || path === '/contact'
      return isOpen ? undefined : {status: 302, location: '/contact?login'}
    })
    const without = await runOn(site)
    assert.match(
      firstLine(without.get('searchProducts')),
      /^The page \/products moved to \/contact\?login\. Sign in with /,
    )
    const {directory, commit} = await temporaryWorkTree(t)
    const visitors = new Map([
      ['tool-search-products', 'member'],
      ['tool-get-product', 'signed-out'],
      ['tool-add-to-cart', 'manager'],
      ['tool-view-cart', undefined],
    ])
    const files = shopDocuments().map((document): [string, string] => {
      const {_id, _type} = document
      const visitor = visitors.get(_id)
      const given = visitor === 'member' ? [{_key: 'a', name: 'query', value: 'rope'}] : []
      const test = {_key: 'a', title: 'Works', page: '/products', visitor, arguments: given}
      return [`${_type}/${_id}.json`, text({...document, tests: visitors.has(_id) ? [test] : []})]
    })
    await commit(Object.fromEntries(files))
    const signIn = join(directory, 'signIn.mjs')
    await writeFile(
      signIn,
      `export default async (page, {baseUrl}) => {
        await page.goto(baseUrl + '/contact')
        await page.context().addCookies([{name: 'member', value: 'yes', url: baseUrl}])
      }`,
    )
    const args = [
      '--base-url',
      site.url.origin,
      '--timeout',
      '900000',
      '--sign-in',
      signIn,
      '--visitor',
      `member=${signIn}`,
    ]
    const reported: unknown[] = []
    const lake = createServer(async (request, response) => {
      reported.push(await json(request))
      response.end()
    })
    const report = ['--report-to', `http://127.0.0.1:${await listen(lake, t)}`]
    const environment = {...process.env, TEST_REPORT_TOKEN: 't'}
    const {code, out} = await content(['test', directory, ...args, ...report], '/', environment)
    assert.equal(code, 1)
    const {tools} = parseReport(reported[0])
    const product = tools.find(({id}) => id === 'tool-get-product')
    assert.match(String(product?.problem), /^The page \/products moved to /)
    assert.deepEqual(tools.map(({failed}) => failed).sort(), [0, 0, 1, 1])
    assert.match(out, /^ {2}passed {2}viewCart: Works/m)
    assert.match(out, /^\/products as member\n {2}passed {2}searchProducts: Works/m)
    assert.match(out, /^ {2}FAILED {2}getProduct: .*\n +The page \/products moved to \/contact\?login\./m)
    assert.match(
      out,
      /^ {2}FAILED {2}addToCart: .*\n +It is for the visitor “manager”: name a file for it with --visitor /m,
    )
  })

  test('the first line names the file or the policy in the way', async () => {
    site.breakWith((path) => (path === '/assets/shop.js' ? new Promise(() => {}) : undefined))
    const stuck = await runOn(site, {load: 5_000})
    assert.match(
      firstLine(stuck.get('searchProducts')),
      /^The page \/products did not load within 5 s, because it waits for http\S+\/assets\/shop\.js\.$/,
    )
    const strict = await startBrokenSite(() => "script-src 'self'")
    const forbidden = await runOn(strict, {wait: 500, isPublished: true}).finally(() => strict.close())
    assert.match(
      firstLine(forbidden.get('searchProducts')),
      /^The Content-Security-Policy of the page forbids the script tag of the site: script-src 'self'/,
    )
  })

  test('the command passes for the shop’s own tests, and changes only what they say', async () => {
    site.breakWith(() => undefined)
    site.changes.length = 0
    const address = ['--base-url', site.url.origin, '--timeout', '900000']
    const {code, out, error} = await content(['test', SHOP_CONTENT, ...address], '/', process.env)
    assert.equal(error, '')
    assert.match(out, /^\d+ tests of 7 tools on 4 pages: all passed, in .* s\.$/m)
    assert.equal(code, 0)
    assert.deepEqual(site.changes.sort(), ['POST /api/cart', 'POST /api/orders'])
  })
})
