import assert from 'node:assert/strict'
import {createServer, type Server} from 'node:http'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {describeAction} from '../../../schemas/actions/describe.ts'
import {parseAction} from '../../../schemas/actions/parseAction.ts'
import {outcomeOf, scriptOf} from '../../actions/support.ts'
import {sharedBrowsers} from '../../support/browser.ts'
import {listen} from '../../support/network/ports.ts'

/** Where page 1, 2 and so on of a list are, and what leads from one to the next. */
type Paging = {
  readonly at: (page: number) => string
  readonly next: (address: string, page: number) => string
}

const query = (page: number) => (page === 1 ? '/list?q=rope' : `/list?q=rope&page=${page}`)

/** The links of a page as these write them. */
const PAGINGS: Readonly<Record<string, Paging>> = {
  'a link in the head': {at: query, next: (address) => `<link rel="next" href="${address}">`},
  'WooCommerce and WordPress': {
    at: (page) => `/list/${page === 1 ? '' : `page/${page}/`}`,
    next: (address) =>
      `<nav><ul class="page-numbers"><li><a class="page-numbers" href="/list/page/9/">9</a></li><li><a class="next page-numbers" href="${address}">→</a></li></ul></nav>`,
  },
  'Bootstrap 5': {
    at: query,
    next: (address) =>
      `<ul class="pagination"><li class="page-item"><a class="page-link" href="${query(1)}" aria-label="Previous">«</a></li><li class="page-item"><a class="page-link" href="${address}" aria-label="Next"><span aria-hidden="true">»</span></a></li></ul>`,
  },
  Drupal: {
    at: (page) => `/list?q=rope&page=${page - 1}`,
    next: (address) =>
      `<li class="pager__item pager__item--next"><a href="${address}" title="Go to next page" rel="next">Next ›</a></li>`,
  },
  Magento: {
    at: (page) => `/list?p=${page}`,
    next: (address) =>
      `<li class="item pages-item-next"><a class="action next" href="${address}" title="Next"><span class="label">Page</span><span>Next</span></a></li>`,
  },
  'numbers alone': {
    at: query,
    next: (address, page) =>
      `<p class="paginator"><a href="${query(9)}">9</a> <a href="${address}">${page}</a></p>`,
  },
  'a button in German': {at: query, next: (address) => `<a class="btn" href="${address}">Weiter</a>`},
  'a link that loads more': {
    at: query,
    next: (address) => `<a href="${address}#more" class="js-more">Load more</a>`,
  },
}

/** A page with two entries, as a list and as a table. */
function entries(page: number): string {
  const names = [page * 2 - 1, page * 2].map((at) => `Rope ${at}`)
  const rows = names.map((name) => `<tr><td>${name}</td></tr>`)
  const cards = names.map((name) => `<article><h2>${name}</h2><a href="?id=${name}">More</a></article>`)
  return `<h1>Ropes</h1><a href="#slide">Next</a><a href="/cart">Next</a>${cards.join('')}<table><tr><th>Name</th></tr>${rows.join('')}</table>`
}

function toolOf(address: string, pages: number | undefined, limit = 30) {
  const fields = [{name: 'title', selector: 'h2', kind: 'text'}]
  const parts = [
    {name: 'heading', kind: 'text', selector: 'h1'},
    {name: 'ropes', kind: 'items', selector: 'article', fields, limit},
    {name: 'rows', kind: 'table', selector: 'table', limit},
  ]
  return {
    action: 'request',
    request: {address, result: {kind: 'parts', parts, pages}},
    inputSchema: '{"type": "object", "properties": {}}',
  }
}

const ropes = (...numbers: number[]) => numbers.map((at) => ({title: `Rope ${at}`}))

describe('a list of several pages', () => {
  let page: Page
  let website: Server
  let shop = ''
  const more = (address: string) => `The list has more pages; the next one is ${shop}${address}`
  let asked: string[] = []
  /** What the website sends at an address, or another address, or a status. */
  let sent: ReadonlyMap<string, string | URL | number> = new Map()
  before(async () => {
    website = createServer(({url = ''}, response) => {
      const answer = sent.get(url) ?? '<p>'
      if (url !== '/') asked.push(url)
      if (answer instanceof URL) response.writeHead(302, {location: answer.href}).end()
      else if (typeof answer === 'number') response.writeHead(answer).end()
      else response.writeHead(200, {'content-type': 'text/html; charset=utf-8'}).end(answer)
    })
    shop = `http://localhost:${await listen(website)}`
    page = await (await sharedBrowsers.withoutWebMcp()).newPage()
    await page.goto(shop)
  })
  after(async () => {
    await page?.close()
    website.close()
  })

  /** What an agent gets. */
  async function call(pages: typeof sent, tool: object, prepare = ''): Promise<Record<string, unknown>> {
    sent = pages
    asked = []
    const script = scriptOf({...tool})
    return Object(
      await page.evaluate(`(async (args, {signal}) => {${prepare};${script}})({}, new AbortController())`),
    )
  }

  /** A website with four pages. */
  const websiteOf = ({at, next}: Paging) =>
    new Map(
      [1, 2, 3, 4].map((n) => {
        const link = n < 4 ? next(at(n + 1), n + 1) : ''
        return [at(n), link.startsWith('<link') ? link + entries(n) : entries(n) + link]
      }),
    )

  for (const [what, paging] of Object.entries(PAGINGS))
    test(`goes on by ${what}`, async () => {
      const website = websiteOf(paging)
      const {at} = paging
      const some = await call(website, toolOf(at(1), 3))
      assert.deepEqual(some.ropes, [...ropes(1, 2, 3, 4, 5, 6), more(at(4))])
      assert.deepEqual(asked, [at(1), at(2), at(3)])
      assert.equal(some.heading, 'Ropes')
      assert.equal(Object(some.rows).length, 7)
      assert.deepEqual((await call(website, toolOf(at(1), 5))).ropes, ropes(1, 2, 3, 4, 5, 6, 7, 8))
      assert.deepEqual((await call(website, toolOf(at(1), undefined))).ropes, [...ropes(1, 2), more(at(2))])
      assert.deepEqual(asked, [at(1)])
    })

  const [first, second] = [query(1), query(2)]
  const linked = (n: number, address: string) => `${entries(n)}<a rel="next" href="${address}"></a>`

  test('reads no more pages than its entries need, and says how many it left out', async () => {
    const {ropes: found} = await call(
      websiteOf({at: query, next: (to) => `<a rel="next" href="${to}">`}),
      toolOf(first, 5, 3),
    )
    assert.deepEqual(found, [...ropes(1, 2, 3), '1 more not shown', more(query(3))])
    assert.deepEqual(asked, [first, second])
  })

  /** What ends a list: what page 2 is, and what an agent gets of it. */
  const ENDS: Readonly<Record<string, () => readonly [second: string | URL | number, ropes: unknown[]]>> = {
    'leads back to the first': () => [linked(2, first), ropes(1, 2, 3, 4)],
    'is the first again': () => [new URL(shop + first), ropes(1, 2)],
    'has the same entries': () => [linked(1, query(3)), ropes(1, 2)],
    'is on another website': () => [
      new URL(shop.replace('localhost', '127.0.0.1')),
      [...ropes(1, 2), more(second)],
    ],
    'has a link to the first that is written otherwise': () => [
      linked(2, `${first}&page=1`),
      ropes(1, 2, 3, 4),
    ],
    'says that something failed': () => ['<h1>Too many requests</h1>', [...ropes(1, 2), more(second)]],
    'asks for a password': () => ['<form><input type=password></form>', [...ropes(1, 2), more(second)]],
    'is the sign-in page': () => [new URL(`${shop}/users/sign_in`), [...ropes(1, 2), more(second)]],
    fails: () => [500, [...ropes(1, 2), more(second)]],
  }
  for (const [what, ending] of Object.entries(ENDS))
    test(`ends where the next page ${what}`, async () => {
      const [answer, expected] = ending()
      const website = new Map<string, string | URL | number>([
        [first, linked(1, second)],
        [second, answer],
        [`${first}&page=1`, linked(1, second)],
      ])
      assert.deepEqual((await call(website, toolOf(first, 5))).ropes, expected)
    })

  test('takes a page with a password for a sign-in page if it was led there, or if nothing was found', async () => {
    const field = '<form><input type=password></form>'
    const unread = /nothing that this tool reads/
    const outcomes: [body: string, isLed: boolean, reads: RegExp, changes?: RegExp][] = [
      [`<h1>Hello</h1>${field}`, true, /a page to sign in/],
      [`<h1>Hello</h1>${field}${field}`, true, /a page to sign in/],
      [`${entries(1)}${field}`, true, /Rope 1/],
      [`<h1>Hello</h1>${field}`, false, /Hello/],
      [field, false, /a page to sign in/],
      [`<!-- ${field} --><template>${field}</template>`, false, /"Nothing was found/, unread],
      ['<p>Home', true, /The website led to the page “\/konto”. Nothing was found/, unread],
    ]
    for (const [body, isLed, reads, changes = reads] of outcomes)
      for (const method of ['GET', 'POST']) {
        const expected = method === 'GET' ? reads : changes
        const website = new Map([
          [first, isLed ? new URL(`${shop}/konto`) : body],
          ['/konto', body],
        ])
        const tool = toolOf(first, 1)
        const own = {...tool, request: {...tool.request, method}}
        const read = await outcomeOf(() => call(website, own))
        assert.match(read, expected, body)
        assert.equal(
          /It may have happened/.test(read),
          method === 'POST' && /sign in|reads/.test(expected.source),
          read,
        )
      }
  })

  test('returns a list that each page has, and the texts of a page, once', async () => {
    const website = websiteOf({at: query, next: (to) => `<a rel="next" href="${to}">`})
    for (const [at, body] of website) website.set(at, `<ul><li>Hemp<li>Jute</ul>${body}`)
    const tool = toolOf(first, 5)
    const parts = [...tool.request.result.parts, {name: 'kinds', kind: 'list', selector: 'li', limit: 30}]
    const own = {...tool, request: {...tool.request, result: {...tool.request.result, parts}}}
    const found = await call(website, own)
    assert.deepEqual(found.kinds, ['Hemp', 'Jute'])
    assert.deepEqual(found.ropes, ropes(1, 2, 3, 4, 5, 6, 7, 8))
  })

  test('says of a table how many rows it leaves out, however long it is', async () => {
    const rows = (count: number, text: string) =>
      `<table><tr><th>A${Array.from({length: count}, (_, at) => `<tr><td>${at}${text}`).join('')}</table>`
    const found = async (body: string) => (await call(new Map([[first, body]]), toolOf(first, 1, 3))).rows
    assert.deepEqual(await found(rows(5_000, '')), [{A: '0'}, {A: '1'}, {A: '2'}, '4997 more not shown'])
    const [row] = Object(await found(rows(4, 'y'.repeat(600_000))))
    assert.equal(Object(row).A, `0${'y'.repeat(1_999)}… (shortened)`)
  })

  /** Links to what the page should not do, each with what is before and after it. */
  const STRANGE: Readonly<Record<string, readonly [before: string, link: string, after?: string]>> = {
    'to another path': [entries(1), '<a rel="next" href="/account/delete?confirm=1">Next</a>'],
    'in the head to another path': ['<link rel="next" href="/logout">', entries(1)],
    'before the entries': ['<a class="next" href="/list?export=all">Next</a>', entries(1)],
    'in an entry': [entries(1).replace('</h2>', '</h2><a rel="next" href="?delete=5">Next</a>'), ''],
    'in a row': [entries(1).replace('Rope 2</td>', '$&<a href="?delete=5">Next</a>'), ''],
    'that adds to the query': [entries(1), '<a href="?order=9&page=2">next</a>'],
    'of a comment': [entries(1), '<a rel="nofollow" href="?page=2">next</a>'],
    'that the page marks as written by a user': [entries(1), '<a rel="ugc next" href="?delete=5">Next</a>'],
  }
  for (const [what, parts] of Object.entries(STRANGE))
    test(`does not go on by a link ${what}`, async () => {
      assert.deepEqual((await call(new Map([[first, parts.join('')]]), toolOf(first, 5))).ropes, ropes(1, 2))
      assert.deepEqual(asked, [first])
    })

  test('does not take a post of WordPress for the next page', async () => {
    for (const at of ['/', '/?p=1'])
      for (const link of ['<a href="/?p=2">Sails</a>', '<a rel="next" href="/?p=2">Next</a>'])
        assert.deepEqual((await call(new Map([[at, entries(1) + link]]), toolOf(at, 5))).ropes, ropes(1, 2))
  })

  test('ends when its time is over, and follows no link to another website', async () => {
    const website = websiteOf({at: query, next: (to) => `<a rel="next" href="${to}">`})
    const late = `const end = new AbortController()
      const AbortSignal = {timeout: () => end.signal, any: () => end.signal}
      const fetch = async (...call) => {
        const came = await window.fetch(...call)
        const whole = new Response(await came.text(), came)
        end.abort()
        return Object.defineProperty(whole, 'url', {value: came.url})
      }`
    assert.deepEqual((await call(website, toolOf(first, 5), late)).ropes, [...ropes(1, 2), more(second)])
    assert.deepEqual(
      (await call(new Map([[first, linked(1, 'https://other.example/2')]]), toolOf(first, 5))).ropes,
      ropes(1, 2),
    )
  })

  test('is read without running anything also by browsers without the parser for that', async () => {
    const scripts =
      '<script>globalThis.hasRun = true</script><img src="/x" onerror="globalThis.hasRun = true">'
    const found = await call(
      new Map([[first, scripts + entries(1)]]),
      toolOf(first, 1),
      'const Document = {}',
    )
    assert.deepEqual(found.ropes, ropes(1, 2))
    assert.equal(await page.evaluate('globalThis.hasRun'), undefined)
    assert.deepEqual(asked, [first])
  })

  test('grows by a button under it that says so, and no other is pressed', async () => {
    const add =
      "setTimeout(() => document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>More'), 50)"
    await page.setContent(
      `<ul><li>Rope <button aria-label="Show more" onclick="pressed = 2"></button></li></ul><div><button onclick="pressed = 1">Buy more</button><button onclick="${add}">Show more</button></div>`,
    )
    const parts = [{name: 'ropes', kind: 'list', selector: 'ul'}]
    const tool = {...toolOf('/', 1), action: 'reading', reading: {parts, pages: 3}}
    assert.deepEqual(await call(new Map(), tool), {ropes: ['Rope', 'More', 'More']})
    assert.equal(await page.evaluate('globalThis.pressed'), undefined)
  })

  test('is described with its number of pages', () => {
    const action = parseAction(toolOf('/list', 3), undefined)
    assert.match(String(action && describeAction(action)[1]?.text), /of at most 3 pages: heading/)
  })
})
