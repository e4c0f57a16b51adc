import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {after, before, describe, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {isDeepStrictEqual} from 'node:util'
import {buildSync} from 'esbuild'
import type {Page} from 'playwright-core'
import {parse} from 'yaml'
import {type Fields, isRecord} from '../../schemas/record.ts'
import {execute, scriptOf} from '../actions/support.ts'
import {sharedBrowsers} from '../support/browser.ts'

/** A part of a page, as a tool for pages makes it. */
type Shape = {
  readonly what: string
  /** What a person points at. */
  readonly at: string
  /** `HASH` stands for what is another one in each build; what stands in `{{…}}` is there for each of two products. */
  readonly page: string
  /** What an agent gets… */
  readonly read?: unknown
  /** …or of each product, besides its title and its address. */
  readonly each?: object
  /** What agents get of each as well if a person ticks it, because it is always the same. */
  readonly same?: Readonly<Record<string, string>>
}

/** A page that shows what a search found: support/searches.yaml. */
type Search = {
  readonly what: string
  readonly '?': string
  readonly page: string
  readonly properties: object
  readonly required?: readonly string[]
  readonly calls: Readonly<Record<string, string>>
}

/** A page about one thing: support/details.yaml. */
type Detailed = {
  readonly what: string
  readonly path: string
  readonly title?: string
  readonly page: string
  readonly heading?: string
  readonly read?: object
  readonly asks?: string
}

const rowsOf = (name: string) => parse(readFileSync(new URL(`support/${name}.yaml`, import.meta.url), 'utf8'))
const SHAPES: readonly Shape[] = rowsOf('shapes')
const SEARCHES: readonly Search[] = rowsOf('searches')
const DETAILS: readonly Detailed[] = rowsOf('details')

const PRODUCTS = [
  {name: 'Mooring Rope', price: '€48.00', amount: '48.00', id: 'rope', size: '4'},
  {name: 'Anchor', price: '€99.00', amount: '99.00', id: 'anchor', size: '6'},
]

function forEach(text: string): string[] {
  return PRODUCTS.map((product) =>
    Object.entries(product).reduce((one, [name, value]) => one.replaceAll(`$${name}`, value), text),
  )
}

/** Proposes parts of a page, as pointing at an element does, and reads one; or proposes tools for all that the page has. */
const CODE = `
import {pageForms} from './panel/forms/pageForms.ts'
import {proposalsOf} from './panel/making/list/proposals.ts'
import {resultsOf, toldApart} from './panel/making/list/sentPage.ts'
import {partsHere} from './panel/making/list/details.ts'
import {trialOf} from './panel/making/list/trials.ts'
import {findParts, pagesHere} from './panel/making/list/readings.ts'
import {chainOf} from './panel/making/pick/outline.ts'
import {readPage, readPart} from './panel/making/run.ts'
import {ofThing, pageOfQuery, searchedHere} from './panel/making/record/searches.ts'
import {toolOf} from './making/exchange.ts'
import {partOf, waysToRead} from './making/picked.ts'
globalThis.search = () => {
  const found = searchedHere()
  return toolOf(found.exchange, {...found, result: {kind: 'text'}})
}
globalThis.proposeAt = (selector) => {
  const [part] = waysToRead(chainOf(document.querySelector(selector))).map(partOf)
  return {part, read: readPart(part)}
}
globalThis.toldApart = (html) => toldApart(findParts()[0].part, [new DOMParser().parseFromString(html, 'text/html')])
globalThis.tried = async () => trialOf({form: pageForms()[0]}, false)
globalThis.lost = async () => {
  const [whole] = proposalsOf(findParts(), [], undefined, () => undefined, [])
  return trialOf({...whole, fields: whole.fieldsFor({pages: '/**'})}, false, (...call) => fetch(...call), (send) => send())
}
globalThis.partly = (html, as = 'whole', searched = /alone|sent/.test(as) ? searchedHere() : pageOfQuery()) => {
  const other = new DOMParser().parseFromString(html, 'text/html')
  const results = resultsOf(as === 'whole' ? undefined : searched, {sent: document, isHere: as === 'sent', [as]: other})
  return proposalsOf(findParts(), [], undefined, results, []).map(({pages, warning, description, fieldsFor}) => ({pages, warning, description, fields: fieldsFor({})}))
}
globalThis.details = () => {
  const found = partsHere().find(({parts}) => parts)
  const one = !searchedHere() && pageOfQuery()
  Object.defineProperty(globalThis, 'found', {value: found?.parts, configurable: true})
  return {...(found && {heading: found.heading, read: readPage(found.parts)}), ...(one?.one && {asks: ofThing(one).inputs.find(({use}) => use === 'parameter').name})}
}
globalThis.opened = () => proposalsOf(pagesHere(), [], undefined, () => undefined, [], searchedHere()).map(({name, pages, fieldsFor}) => ({name, pages, ...fieldsFor({})}))
globalThis.readings = () => findParts().map(({part}) => readPart(part))
globalThis.proposals = () => {
  const found = proposalsOf(findParts(), pageForms(), {list: []}, ({part}) => searchedHere() && {searched: searchedHere(), part}, ['getTeam'])
  return found.map(({kind, name, pages, description, warning, fieldsFor}) => ({kind, name, pages, description, warning, fields: fieldsFor({})}))
}`

describe('what the panel proposes of a page', () => {
  let page: Page
  before(async () => {
    const {outputFiles} = buildSync({
      stdin: {contents: CODE, resolveDir: fileURLToPath(new URL('../..', import.meta.url)), loader: 'ts'},
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

  /** Shows a page, as the website also sends it, with what one build of it generates. */
  async function show(shape: string, hash: string): Promise<void> {
    const body = shape.replaceAll('HASH', hash).replaceAll('h4sh', hash.toLowerCase())
    await page.route('**/list', (route) => route.fulfill({contentType: 'text/html; charset=utf-8', body}))
    await page.goto('https://shop.example/list')
  }

  /** What an agent gets of the only part. */
  async function call(tool: object): Promise<unknown> {
    const script = scriptOf({...tool, inputSchema: '{"type": "object", "properties": {}}'})
    const result = await page.evaluate(`(async (args, {signal}) => {${script}})({}, new AbortController())`)
    return Object.values(Object(result))[0]
  }

  for (const {what, page: template, at, each, read: given, same = {}} of SHAPES)
    test(`proposes the fields of ${what}, and an agent gets them`, async () => {
      const shape = template.replaceAll(/\{\{(.*?)\}\}/gs, (_, html) => forEach(html).join(''))
      const entry = JSON.stringify({title: '$name', address: 'https://shop.example/p/$id', ...each})
      const read = given ?? forEach(entry).map((one) => JSON.parse(one))
      await show(shape, 'xQzWk')
      const proposed: unknown = await page.evaluate(
        (selector) => Reflect.get(globalThis, 'proposeAt')(selector),
        at,
      )
      assert.ok(isRecord(proposed))
      assert.deepEqual(proposed.read, read)
      const listed: unknown[] = await page.evaluate('readings()')
      assert.ok(
        listed.some((one) => isDeepStrictEqual(one, read)),
        JSON.stringify(listed),
      )
      await show(shape, 'pQ9zB')
      const {same: unticked = [], ...part} = Object(proposed.part)
      const parts = [part]
      assert.deepEqual(await call({action: 'reading', reading: {parts}}), read)
      const withSame = [{...part, fields: unticked}]
      if (unticked.length > 0)
        assert.deepEqual(await call({action: 'reading', reading: {parts: withSame}}), [same, same])
      const request = {address: '/list', result: {kind: 'parts', parts}}
      assert.deepEqual(await call({action: 'request', request}), read)
    })

  for (const {what, '?': query, page: body, properties, required, calls} of SEARCHES)
    test(`reads the form of a search again: ${what}`, async () => {
      const options = Array.from({length: 60}, (_, at) => `<option value="t${at}">Town ${at}</option>`)
      const html = `<!doctype html><body>${body.replace('OPTIONS', options.join(''))}</body>`
      await page.route('**/list?*', (route) => route.fulfill({contentType: 'text/html', body: html}))
      await page.goto(`https://shop.example/list?${query}`)
      const tool = await page.evaluate<Fields>('search()')
      assert.deepEqual(JSON.parse(String(tool.inputSchema)), {
        type: 'object',
        properties,
        ...(required && {required}),
      })
      const sent: string[] = []
      for (const args of Object.keys(calls))
        await execute(scriptOf(tool), JSON.parse(args), async ({pathname, search}) => {
          const pairs = [...new URLSearchParams(search)].toSorted()
          sent.push(`${pathname}?${new URLSearchParams(pairs)}`)
          return new Response('', {headers: {'content-type': 'text/plain'}})
        })
      assert.deepEqual(
        sent,
        Object.values(calls).map((query) => `/list?${query}`),
      )
    })

  for (const {what, path, title = 'Quay shop', page: body, ...expected} of DETAILS)
    test(`proposes the details of ${what}`, async () => {
      const text = 'Each buoy is a circle. '.repeat(12).trim()
      await page.goto(`https://shop.example${path}`)
      await page.evaluate(
        `document.title = ${JSON.stringify(title)}, document.body.innerHTML = ${JSON.stringify(body.replace('TEXT', text))}`,
      )
      const found = await page.evaluate('details()')
      assert.deepEqual(found, JSON.parse(JSON.stringify(expected).replace('TEXT', text)))
    })

  async function proposalsOn(body: string): Promise<Readonly<Record<string, unknown>>[]> {
    // What an earlier test shows there may have scripts.
    await page.unroute('**/list')
    await page.goto('https://shop.example/list')
    await page.evaluate(`document.body.innerHTML = ${JSON.stringify(body)}`)
    return page.evaluate('proposals()')
  }
  const cards = (texts: readonly string[]) =>
    texts.map((text) => `<div class="card"><h3>${text}</h3><p class="when">${text} day</p></div>`).join('')

  test('lists each table and list of a page once, and forms of rows, with names from the headings that are about them', async () => {
    const found =
      await proposalsOn(`<h1>Library</h1><header><nav><ul><li>A</li><li>B</li><li>C</li></ul></nav></header>
      <h2>Events</h2><div class="grid">${cards(['Story time', 'Chess'])}</div>
      <div class="box"><h3>Hours</h3><p>All</p><table><tr><th>Day</th><th>From</th></tr><tr><td>Monday</td><td>9:00</td></tr></table></div><div class="box"><h3>Place</h3><p>Quay</p></div>
      <section><div class="title"><h2>Team</h2></div><ul><li>Ada</li><li>Bo</li><li>Cy</li></ul>
      ${['/1', '/2'].map((action) => `<form method="post" action="${action}"><input name="mark"></form>`).join('')}</section>
      <div id="menu"><div><p>No menu</p></div></div><div id="content"><div><p>All</p></div></div>
      <div class="stars"><i></i></div><div class="stars"><i></i></div><div class="stars"><i></i></div>
      <ul class="pagination"><li>1</li><li>2</li><li>3</li></ul>`)
    assert.deepEqual(
      found.map(({kind, name, description}) => [kind, name, description]),
      [
        ['List', 'getEvents', 'Returns the entries of “Events”: title, when.'],
        ['Table', 'getHours', 'Returns the rows of “Hours”: Day, From.'],
        ['List', 'getTeamEntries', 'Returns the entries of “Team”.'],
        ['Form', 'submitTeam', 'Fills in the form “Team”: mark. The visitor presses “Submit”.'],
      ],
    )
  })

  test('loads the whole list where a script of the page shows a part of it', async () => {
    const list = (titles: readonly string[]) => `<h2>Boats</h2><div class="list">${cards(titles)}</div>`
    await proposalsOn(list(['Anna', 'Bo']))
    const of = (titles: readonly string[]) =>
      page.evaluate<{pages?: string; fields: Fields}[]>(`partly(${JSON.stringify(list(titles))})`)
    const [part] = await of(['Anna', 'Bo', 'Cy'])
    assert.match(JSON.stringify(part), /shows a part of this/)
    assert.equal(part?.pages, '/**')
    const {address, result} = Object(part?.fields.request)
    assert.deepEqual([address, result.parts[0].limit], ['/list', 6])
    const [whole] = await of(['Anna', 'Bo'])
    assert.deepEqual([whole?.pages, whole?.fields.action], [undefined, 'reading'])
  })

  test('says what scripts add to what a tool loads', async () => {
    // What all boats have together, the server writes.
    const rows = ['Anna', 'Bo', 'Cy', 'All'].map(
      (boat) => `<tr><td>${boat}</td><td>${boat === 'All' ? 3 : '?'}</td></tr>`,
    )
    await show(`<table><tr><th>Boat</th><th>Guests</th></tr>${rows.join('')}</table>`, '')
    await page.evaluate('document.querySelectorAll("td + td").forEach((cell, at) => (cell.textContent = at))')
    const {left} = await page.evaluate<Fields>('lost()')
    assert.equal(left, 'Scripts of the page add “Guests”: agents do not get it.')
  })

  test('opens the page of a search that its scripts show, and lists the pages of the website', async () => {
    const links = [1, 2, 3, 4, 5].map((id) => `<li><a href="/docs/${id}">Page ${id}</a></li>`)
    await page.goto('https://shop.example/list?lang=en&q=rope')
    await page.evaluate(
      `document.body.innerHTML = '<h1>Results for “rope”</h1><input name="q" value="rope"><nav><a href="#top">Top</a><ul>${links.join('')}</ul></nav>'`,
    )
    const [opening, listed] = await page.evaluate<Fields[]>('opened()')
    assert.deepEqual(
      [opening?.name, opening?.pages, opening?.link, JSON.parse(String(opening?.inputSchema)).required],
      ['openResults', '/**', {address: '/list?q={query}&lang=en'}, ['query']],
    )
    assert.equal(listed?.name, 'getPages')
    assert.match(JSON.stringify(listed?.reading), /nav a\[href\]/)
  })

  test('takes for found what is the same each time that the page is loaded', async () => {
    const list = (ids: readonly number[]) =>
      `<ul>${ids.map((id) => `<li><a href="/boats/${id}">Boat ${id}</a></li>`).join('')}</ul>`
    await page.goto('https://shop.example/list?q=boat')
    await page.evaluate(`document.body.innerHTML = '<input name="q" value="boat">${list([1, 2])}'`)
    const actionOf = async (html: string) => {
      const [part] = await page.evaluate<{fields: Fields}[]>(`partly('${html}', 'sent')`)
      return part?.fields.action
    }
    assert.equal(await actionOf(list([2, 1])), 'request')
    assert.equal(await actionOf(list([1, 4, 5, 6, 7, 8])), 'request')
    assert.equal(await actionOf(list([3, 4])), 'reading')
  })

  test('asks for what another page has under the same heading', async () => {
    const table = (heading: string) =>
      `<h1>Quay</h1><h2>${heading}</h2><table><tr><th>Day</th></tr><tr><td>${heading}</td></tr></table><a href="?id=b">B</a>`
    const choice =
      '<form><select name="quay"><option>North</option><option selected>South</option></select></form>'
    const asked = async (query: string, as: string, other: string) => {
      await page.goto(`https://shop.example/list?${query}`)
      await page.evaluate(`document.body.innerHTML = ${JSON.stringify(table('Hours') + choice)}`)
      const [part] = await page.evaluate<Fields[]>(`partly(${JSON.stringify(other)}, '${as}')`)
      const {required = []} = JSON.parse(String(Object(part?.fields).inputSchema))
      return [required[0], /on “Quay”/.test(String(part?.description))]
    }
    const none = table('Hours').replace('<tr><td>Hours</td></tr>', '')
    for (const [query, as, other, asks, isOfThis] of [
      ['id=a', 'other', table('Hours').replace('<td>', '<td>!'), 'id', false],
      ['id=a', 'other', table('Prices'), undefined, true],
      ['a_id=a', 'other', '<h1>Not found</h1>', 'aId', false],
      ['a_id=a', 'other', table('Hours'), undefined, true],
      ['quay=South', 'alone', none, 'quay', false],
      ['quay=South', 'alone', table('Hours'), undefined, false],
    ] as const)
      assert.deepEqual(await asked(query, as, other), [asks, isOfThis])
  })

  test('tells labels from values by another page of the list', async () => {
    const hits = (colour: string) =>
      ['Rope', 'Anchor']
        .map(
          (title) =>
            `<div class="hit"><h3><a href="/${title}">${title}</a></h3><i class="hue">${colour}</i><b>New</b></div>`,
        )
        .join('')
    await proposalsOn(hits('Blue'))
    const part = await page.evaluate<{fields: Fields[]; same: Fields[]}>(
      `toldApart(${JSON.stringify(hits('Red'))})`,
    )
    const names = [part.fields, part.same].map((fields) => fields.map(({name}) => name))
    assert.deepEqual(names, [['title', 'address', 'hue'], ['text']])
  })

  test('finds the text of a page by a place that all pages have, whatever somebody wrote into it', async () => {
    await page.goto('https://shop.example/goods/7')
    await page.evaluate(
      `document.body.innerHTML = '<main><h1>Rope</h1><div id="about"><div class="x"><div>It holds boats.</div></div></div></main>'`,
    )
    const selector = await page.evaluate('details() && found.at(-1).selector')
    assert.equal(selector, '#about')
  })

  test('finds and reads what is in open shadow roots', async () => {
    const root = (html: string) => `<template shadowrootmode="open"><style>p {}</style>${html}</template>`
    const card = (title: string, price: string) =>
      `<product-card>${root(`<div class="box"><h3>${title}</h3><p class="price">${price}</p></div>`)}</product-card>`
    const grid = `<h2>Offers</h2><div id="grid">${card('Rope', '€48.00')}${card('Anchor', '€99.00')}</div>`
    await show(`<my-shop>${root(`<main>${grid}</main>`)}</my-shop>`, '')
    const [found] = await page.evaluate<Readonly<Record<string, unknown>>[]>('proposals()')
    assert.equal(found?.name, 'getOffers')
    assert.deepEqual(await call(Object(found?.fields)), [
      {title: 'Rope', price: '€48.00'},
      {title: 'Anchor', price: '€99.00'},
    ])
  })

  test('waits for a list that a script of the page loads', async () => {
    await show(
      '<script>setTimeout(() => document.body.innerHTML = "<ul><li>Rope</li></ul>", 300)</script>',
      '',
    )
    const parts = [{name: 'list', kind: 'list', selector: 'ul'}]
    assert.deepEqual(await call({action: 'reading', reading: {parts}}), ['Rope'])
  })

  test('names tools of one thing after all of them, and finds what all of them have', async () => {
    await page.goto('https://shop.example/boats/anna')
    await page.evaluate(
      `document.body.innerHTML = '<main><h1>Anna</h1><dl id="boat-anna"><dt>Length</dt><dd>9 m</dd></dl><form action="/boats/anna"><input name="day"></form></main>'`,
    )
    const [found, form] = await page.evaluate<Readonly<Record<string, unknown>>[]>('proposals()')
    assert.doesNotMatch(JSON.stringify([found?.fields, form?.fields]), /anna/)
    assert.deepEqual(
      [found?.name, found?.description],
      ['getBoat', 'Returns the facts of the boat on the page.'],
    )
  })

  test('names forms with a verb first, without the entry of the moment, and lists not by what filters them', async () => {
    await page.goto('https://shop.example/admin/pages/2/change?tab=text')
    await page.evaluate(
      `document.title = 'Opening hours | Change page | Quay', document.body.innerHTML = '<h1>Change page</h1><h2>Opening hours</h2><form method="post"><input name="text"><button>Save</button></form><form method="post" hidden><input name="title"><button>Save</button></form>'`,
    )
    const [change, hidden] = await page.evaluate<Readonly<Record<string, unknown>>[]>('proposals()')
    assert.match(String(change?.warning), /each page of \/admin\/pages\/\*\/change that has this form/)
    assert.match(String(hidden?.warning), /does not show this form now/)
    const found =
      await proposalsOn(`<h2>Boats</h2><h3>Refine</h3><ul><li><a href="?kind=sail">Sail (2)</a></li><li><a href="?kind=row">Row (1)</a></li></ul>
      <div class="grid"><div class="left"><div class="filters"><div class="filter__head"><h3>Colour</h3></div><div>${['Red', 'Blue'].map((one) => `<div class="option"><input type="checkbox"><label>${one}</label></div>`).join('')}</div></div></div><div class="right">${cards(['Anna', 'Bo'])}</div></div><h2>Contact form</h2><h3>€9.00</h3><form method="post"><textarea name="text"></textarea><button>Submit</button></form>`)
    await page.goto('https://shop.example/issues/3')
    await page.evaluate(
      `document.title = 'Bug #3: Brake - Quay', document.body.innerHTML = '<h1>Quay</h1><div role="search"><h3>Suche</h3><form><input type="search" name="q" aria-label="⚲"></form></div><h2>Bug #3</h2><div><h3>Brake</h3><h4>29. November 2026</h4><ul><li>One</li><li>Two</li><li>Three</li></ul></div><section><h2>Add news</h2><form method="post"><input name="text"><button>Create</button></form></section>'`,
    )
    const tracked = await page.evaluate<Readonly<Record<string, unknown>>[]>('proposals()')
    const plain = await proposalsOn(
      '<form id="searchform"><input name="p" aria-label="Words"></form><form><table><tr><td><a href="#">Pick</a><input name="kind"></td><td><input type="checkbox" name="shown"></td></tr></table><button>Sort it</button></form>',
    )
    assert.deepEqual(
      [change, ...found, ...tracked, ...plain].map((one) => one?.name),
      [
        'changePage',
        'getBoats',
        'submitContactForm',
        'getIssue',
        'addNews',
        'searchSite',
        'searchSite',
        'sortIt',
      ],
    )
    assert.equal(tracked.at(-1)?.description, 'Searches this website by q, and opens the results.')
  })

  test('names what a page shows of a shop after what its links are about, and not after its headings of the moment', async () => {
    const cards = ['7', '8'].map(
      (id) => `<div class="card"><h3><a href="/list?boat_id=${id}">B${id}</a></h3><i>${id} m</i></div>`,
    )
    const parts = '<ul><li><a href="?kind=1">Sail</a></li><li><a href="?kind=2">Row</a></li></ul>'
    await page.goto('https://shop.example/list?kind=1')
    await page.evaluate(
      `document.body.innerHTML = ${JSON.stringify(`<div role="navigation"><h3>Navigation</h3><form><input name="q"></form></div>${parts}<section><h1>Sail</h1><div>${cards.join('')}</div></section>`)}`,
    )
    const found = await page.evaluate<Readonly<Record<string, unknown>>[]>('proposals()')
    assert.deepEqual(
      found.map(({name}) => name),
      ['findBoats', 'searchSite'],
    )
  })

  test('tries a form by filling in a copy of it, which is not sent', async () => {
    const tried = async (fields: string) => {
      await proposalsOn(`<form method="post">${fields}<button>Send</button></form>`)
      return page.evaluate('tried()')
    }
    const own =
      '<input name="mail" type="email" required><select name="day" required><option value="">–</option><option>1</option></select>'
    assert.deepEqual(await tried(own), {left: undefined})
    assert.equal(await page.evaluate('document.forms[0].mail.value + document.forms[0].day.value'), '')
    assert.match(
      JSON.stringify(await tried(`${own}<label>CV <input type="file" required></label>`)),
      /^{"left":"Agents cannot fill in “CV”/,
    )
    assert.match(
      JSON.stringify(await tried('<input name="a" disabled>')),
      /^{"problem":"Agents can fill in no field/,
    )
  })

  test('names forms and fields as people see them, and lists those of all pages last', async () => {
    const found =
      await proposalsOn(`<header>${'<form role="search" class="quick" action="find"><input type="search" name="s" placeholder="Search our boats"><button>Go</button></form>'.repeat(2)}</header>
      <h2 id="t">Suggest a book</h2><form method="post" aria-labelledby="t">
      Title:<br><input name="f1"><br><label for="two">Author *</label><input id="two" name="f2">
      <table><tr><td>Reason</td><td><textarea name="f3"></textarea></td></tr></table>
      <input type="checkbox" name="f4"> Send me a copy <span id="isbn">ISBN</span><input name="f5" aria-labelledby="isbn">
      <input name="f6"><button>Send</button></form>`)
    assert.deepEqual(
      found.map(({kind, name, pages}) => [kind, name, pages]),
      [
        ['Form', 'suggestABook', undefined],
        ['Search', 'searchBoats', '/**'],
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
    // Pages in other folders have another address for the same, and each of them may have it twice.
    assert.deepEqual(found[1]?.fields, {selector: 'form.quick', autosubmit: true})
  })
})
