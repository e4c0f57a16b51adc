import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {buildSync} from 'esbuild'
import type {Page} from 'playwright-core'
import {withScript} from '../../../schemas/actions/compile.ts'
import {isRecord} from '../../../schemas/rules/json.ts'
import {sharedBrowsers} from '../../support/browser.ts'

/** Proposes parts of a page, as pointing at an element does, and reads one; or proposes tools for all that the page has. */
const CODE = `
import {all} from './snippet/page.ts'
import * as controls from './snippet/preview/forms/controls.ts'
import {pageForms} from './snippet/preview/forms/pageForms.ts'
import {uniqueSelector} from './snippet/preview/forms/uniqueSelector.ts'
import {borrow} from './snippet/preview/lent/borrowed.ts'
import {proposalsOf} from './snippet/preview/making/list/proposals.ts'
import {findParts} from './snippet/preview/making/list/readings.ts'
import {chainOf} from './snippet/preview/making/pick/outline.ts'
import {readPart} from './snippet/preview/making/pick/readPart.ts'
import {searchedHere} from './snippet/preview/making/pick/readingTool.ts'
import {proposeParts} from './schemas/making/picked.ts'
borrow({all, pageForms, uniqueSelector, ...controls})
globalThis.proposeAt = (selector) => {
  const part = proposeParts(chainOf(document.querySelector(selector))).find(({kind}) => kind === 'items')
  return part && {part, read: readPart(part)}
}
globalThis.proposals = () => {
  const found = proposalsOf(findParts(), pageForms(), {exchanges: {list: []}}, searchedHere(), ['getTeam'])
  return found.map(({kind, name, pages, description, fields}) => ({kind, name, pages, description, fields}))
}`

type Shape = {
  readonly page: string
  /** What a person points at. */
  readonly at: string
  readonly entries: readonly object[]
}

/** Lists as these make them. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'WooCommerce 9 products': {
    at: '.product h2',
    page: `<ul class="products columns-4">${[
      ['Rope', '12,50', 'rope'],
      ['Anchor', '99,00', 'anchor'],
    ]
      .map(
        ([name, price, slug]) =>
          `<li class="product type-product"><a href="/product/${slug}/" class="woocommerce-LoopProduct-link"><img alt="${name}" src="data:,"><h2 class="woocommerce-loop-product__title">${name}</h2><span class="price"><bdi>${price}&nbsp;€</bdi></span></a><a href="?add-to-cart=7" class="button">Add to cart</a></li>`,
      )
      .join('')}</ul>`,
    entries: [
      {title: 'Rope', address: 'https://shop.example/product/rope/', price: '12,50 €', picture: 'Rope'},
      {title: 'Anchor', address: 'https://shop.example/product/anchor/', price: '99,00 €', picture: 'Anchor'},
    ],
  },
  'Bootstrap 5 cards': {
    at: '.card-text',
    page: `<div class="row">${[
      ['Story time', 'For children', '2026-11-27'],
      ['Chess', 'For all', '2026-11-28'],
    ]
      .map(
        ([name, text, date]) =>
          `<div class="col"><div class="card"><div class="card-body"><h5 class="card-title">${name}</h5><p class="card-text">${text}</p><time datetime="${date}">Friday</time><a href="/events/${date}" class="btn btn-primary">Go somewhere</a></div></div></div>`,
      )
      .join('')}</div>`,
    entries: [
      {
        title: 'Story time',
        address: 'https://shop.example/events/2026-11-27',
        date: '2026-11-27',
        cardText: 'For children',
      },
      {
        title: 'Chess',
        address: 'https://shop.example/events/2026-11-28',
        date: '2026-11-28',
        cardText: 'For all',
      },
    ],
  },
  'CSS modules with labels and hashed classes': {
    at: 'article',
    page: `<div>${[
      ['Wing nut', 'HX-4003', '3.000'],
      ['Screw', 'SC-1', '7'],
    ]
      .map(
        ([name, number, stock]) =>
          `<article class="Card_root__x7f3k"><div class="Card_name__aa91b"><a href="/a/${number}">${name}</a></div><div class="Card_row__k2j1h"><span>Artikelnummer</span><span>${number}</span></div><div class="Card_row__k2j1h"><span>Lagernd:</span><span>${stock}</span></div><button>In den Warenkorb</button></article>`,
      )
      .join('')}</div>`,
    entries: [
      {
        title: 'Wing nut',
        address: 'https://shop.example/a/HX-4003',
        artikelnummer: 'HX-4003',
        lagernd: '3.000',
      },
      {title: 'Screw', address: 'https://shop.example/a/SC-1', artikelnummer: 'SC-1', lagernd: '7'},
    ],
  },
  'a grid whose links say what is to do': {
    at: '.grid-item-name',
    page: `<div class="with-product-grid">${[
      ['Shirt', '$170', '1'],
      ['Coat', '$290', '2'],
    ]
      .map(
        ([name, price, id]) =>
          `<div class="grid-item"><img src="data:,"><div class="grid-item-name">${name}</div><a class="grid-item-reviews" href="/r/${id}">Reviews</a><div class="grid-item-price">${price}</div></div>`,
      )
      .join('')}</div>`,
    entries: [
      {address: 'https://shop.example/r/1', gridItemName: 'Shirt', gridItemPrice: '$170'},
      {address: 'https://shop.example/r/2', gridItemName: 'Coat', gridItemPrice: '$290'},
    ],
  },
  'cards that are links, as in Tailwind’s examples': {
    at: 'p.price',
    page: `<main><div class="grid grid-cols-2">${[
      ['Cup', '$9'],
      ['Plate', '$14'],
    ]
      .map(
        ([name, price]) =>
          `<a href="/p/${name}" class="group"><h3 class="mt-4 text-sm">${name}</h3><p class="price mt-1">${price}</p></a>`,
      )
      .join('')}</div></main>`,
    entries: [
      {title: 'Cup', address: 'https://shop.example/p/Cup', price: '$9'},
      {title: 'Plate', address: 'https://shop.example/p/Plate', price: '$14'},
    ],
  },
}

describe('what the panel proposes of a page', () => {
  let page: Page
  before(async () => {
    const {outputFiles} = buildSync({
      stdin: {contents: CODE, resolveDir: fileURLToPath(new URL('../../..', import.meta.url)), loader: 'ts'},
      bundle: true,
      write: false,
      format: 'iife',
    })
    const browser = await sharedBrowsers.withoutWebMcp()
    const context = await browser.newContext()
    await context.route('https://shop.example/**', (route) =>
      route.fulfill({contentType: 'text/html', body: '<!doctype html>'}),
    )
    page = await context.newPage()
    await page.addInitScript({content: outputFiles[0]?.text ?? ''})
  })
  after(() => page?.context().close())

  for (const [what, {page: body, at, entries}] of Object.entries(SHAPES))
    test(`proposes the fields of ${what}, and an agent gets them`, async () => {
      await page.goto('https://shop.example/list')
      await page.evaluate(`document.body.innerHTML = ${JSON.stringify(body)}`)
      const proposed: unknown = await page.evaluate(
        (selector) => Reflect.get(globalThis, 'proposeAt')(selector),
        at,
      )
      assert.ok(isRecord(proposed))
      assert.deepEqual(proposed.read, entries)
      const tool = {
        action: 'reading',
        reading: {parts: [proposed.part]},
        inputSchema: '{"type": "object", "properties": {}}',
      }
      const script = String(withScript(tool).executeJs)
      const [result]: unknown[] = Object.values(Object(await page.evaluate(`(async () => {${script}})()`)))
      assert.deepEqual(result, entries)
    })

  async function proposalsOn(body: string, query = ''): Promise<Readonly<Record<string, unknown>>[]> {
    await page.goto(`https://shop.example/list${query}`)
    await page.evaluate(`document.body.innerHTML = ${JSON.stringify(body)}`)
    return page.evaluate('proposals()')
  }
  const cards = (texts: readonly string[]) =>
    texts.map((text) => `<div class="card"><h3>${text}</h3><p class="when">${text} day</p></div>`).join('')

  test('lists each table and list of a page once, with names from the headings that are about them', async () => {
    const found =
      await proposalsOn(`<h1>Library</h1><header><nav><ul><li>A</li><li>B</li><li>C</li></ul></nav></header>
      <h2>Events</h2><div class="grid">${cards(['Story time', 'Chess'])}</div>
      <div class="box"><table><tr><th>Day</th><th>From</th></tr><tr><td>Monday</td><td>9:00</td></tr></table></div>
      <section><div class="title"><h2>Team</h2></div><ul><li>Ada</li><li>Bo</li><li>Cy</li></ul></section>
      <div class="stars"><i></i></div><div class="stars"><i></i></div><div class="stars"><i></i></div>
      <ul class="pagination"><li>1</li><li>2</li><li>3</li></ul>`)
    assert.deepEqual(
      found.map(({kind, name, description}) => [kind, name, description]),
      [
        ['List', 'getEvents', 'Returns the entries of “Events”: title, when.'],
        ['Table', 'getEvents2', 'Returns the rows of “Events”: Day, From.'],
        ['List', 'getTeam2', 'Returns the entries of “Team”.'],
      ],
    )
  })

  test('makes of results of a search a tool that loads them on every page', async () => {
    const results = `<main><h1>Catalogue</h1><form><input name="q" value="rope"></form>${cards(['Rope', 'Knots'])}</main>`
    const [found] = await proposalsOn(results, '?q=rope&page=1')
    assert.equal(found?.name, 'findCatalogue')
    assert.equal(found?.pages, '/**')
    assert.equal(found?.description, 'Searches “Catalogue” by query, and returns what is found: title, when.')
    const script = String(withScript({...Object(found?.fields)}).executeJs)
    assert.match(script, /responseType = 'document'/)
    assert.match(script, /args\.query/)
  })

  test('names forms and fields as people see them, and lists those of all pages last', async () => {
    const found =
      await proposalsOn(`<header><form role="search"><input type="search" name="s" placeholder="Search"></form></header>
      <h2 id="t">Suggest a book</h2><form method="post" aria-labelledby="t">
      Title:<br><input name="f1"><br><label for="two">Author *</label><input id="two" name="f2">
      <table><tr><td>Reason</td><td><textarea name="f3"></textarea></td></tr></table>
      <input type="checkbox" name="f4"> Send me a copy <span id="isbn">ISBN</span><input name="f5" aria-labelledby="isbn">
      <input name="f6"><button>Send</button></form>`)
    assert.deepEqual(
      found.map(({kind, name, pages}) => [kind, name, pages]),
      [
        ['Form', 'suggestABook', undefined],
        ['Search', 'searchSite', '/**'],
      ],
    )
    assert.equal(
      found[0]?.description,
      'Fills in the form “Suggest a book”: Title, Author, Reason, Send me a copy, ISBN, f6. The visitor presses “Send”.',
    )
    const described = [
      ['f1', 'Title'],
      ['f3', 'Reason'],
      ['f4', 'Send me a copy'],
      ['f5', 'ISBN'],
    ].map(([name, description]) => ({name, description}))
    assert.deepEqual(Object(found[0]?.fields).fields, described)
    assert.equal(Object(found[1]?.fields).autosubmit, true)
  })
})
