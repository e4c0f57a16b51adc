import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {scriptOf} from '../../actions/support.ts'
import {sharedBrowsers} from '../../support/browser.ts'

const LIMIT = 30

describe('a table of a stranger', () => {
  let page: Page
  before(async () => {
    page = await (await sharedBrowsers.withoutWebMcp()).newPage()
  })
  after(() => page?.close())

  /** What an agent gets of this element. */
  async function read(kind: string, element: string) {
    await page.setContent(element)
    const parts = [{name: 'part', kind, selector: 'body > *', limit: LIMIT}]
    const tool = {action: 'reading', reading: {parts}, inputSchema: '{"type": "object", "properties": {}}'}
    return Object(
      await page.evaluate(`(async (args, {signal}) => {${scriptOf(tool)}})({}, new AbortController())`),
    ).part
  }
  const rowsOf = (rows: readonly string[]): Promise<readonly unknown[]> =>
    read('table', `<table>${rows.join('')}</table>`)

  /** Rows with this cell. */
  const rows = (count: number, cell: string) => Array.from({length: count}, () => `<tr>${cell}`)

  test('has cells that span no more than its widest row, and as many rows as there are', async () => {
    const wide = '<td rowspan="65534" colspan="1000">x'
    const found = await rowsOf([...rows(20, wide), '<tr><td>1<td>2<td>3<td>4'])
    const widths = found.map((row) => Object(row).length)
    assert.deepEqual(widths, [4, ...Array.from({length: 19}, (_, at) => at + 5), 27])
  })

  test('is read up to 100 columns, and 1,000 rows', async () => {
    const [first] = await rowsOf([`<tr>${'<td>1'.repeat(150)}`])
    assert.equal(Object(first).length, 100)
    assert.equal((await rowsOf(rows(1_100, '<td>1'))).at(-1), '1070 more not shown')
  })

  test('is read up to 200,000 characters, however often one of its texts is repeated', async () => {
    const cells = (tag: string) => Array.from({length: 20}, (_, at) => `<${tag}>${at}${'x'.repeat(9_000)}`)
    for (const first of [cells('td rowspan="30"'), cells('th')]) {
      const found = await rowsOf([`<tr>${first.join('')}`, ...rows(29, '<td>1'.repeat(20))])
      assert.equal(Math.floor(JSON.stringify(found).length / 40_000), 5)
    }
  })

  const part = {kind: 'links', selector: 'main', limit: LIMIT}
  const parts = ['one', 'other'].map((name) => ({...part, name}))
  const request = {address: 'https://shop.example/', result: {kind: 'parts', parts}}
  for (const [method, tool] of [
    ['setAttribute', {action: 'request', request}],
    ['checkVisibility', {action: 'reading', reading: {parts}}],
  ] as const)
    test(`that is large is read in slices, between which its call can end: ${tool.action}`, async () => {
      await page.setContent(`<main>${'<a href="https://shop.example/1">One</a>'.repeat(40_000)}</main>`)
      const script = scriptOf({...tool, inputSchema: '{"type": "object", "properties": {}}'})
      const [message, read] = await page.evaluate<readonly [string, number]>(`(async (args, call, read) => {
        const response = new Response(document.body.innerHTML, {headers: {'content-type': 'text/html'}})
        const fetch = async () => Object.defineProperty(response, 'url', {value: 'https://shop.example/'})
        const {${method}: own} = Element.prototype
        Element.prototype.${method} = function (...given) {
          if ((read += 1) === 1) setTimeout(() => call.abort(new Error('Ended')))
          return own.apply(this, given)
        }
        return (async ({signal}) => {${script}})(call).catch(({message}) => [message, read])
      })({}, new AbortController(), 0)`)
      assert.equal(message, 'Ended')
      assert.ok(read < 40_000)
    })

  test('of any number of entries is read up to what a tool can return, and the others are counted', async () => {
    const entries = (tag: string) =>
      `<div><${tag} href="https://shop.example/x">1</${tag}></div>`.repeat(5_000)
    await page.addInitScript(`globalThis.reads = 0
      const {get} = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'innerText')
      Object.defineProperty(HTMLElement.prototype, 'innerText', {get() { reads += 1; return get.call(this) }})`)
    await page.goto('about:blank')
    for (const [kind, tag] of [
      ['list', 'p'],
      ['links', 'a'],
    ] as const) {
      assert.equal((await read(kind, entries(tag))).at(-1), `${5_000 - LIMIT} more not shown`)
      assert.ok(Number(await page.evaluate('reads')) < 1_000)
    }
    assert.deepEqual(await read('list', `${'<p hidden>0</p>'.repeat(6_000)}<p>1</p>`), ['1'])
  })

  test('of boxes has each text once, however deep its cells are in cells', async () => {
    const depth = 100
    const boxes = '<div role="row"><div role="cell">'.repeat(depth)
    const found = await read('table', `<div role="grid">${boxes}deep${'</div></div>'.repeat(depth)}</div>`)
    assert.deepEqual(found, [['deep']])
  })

  test('has headings of ten rows at most, and ten terms for a description', async () => {
    const [row] = await rowsOf([...rows(20, '<th>a<th>b'), '<tr><td>1<td>2'])
    const heading = (name: string) => Array.from({length: 10}, () => name).join(' ')
    assert.deepEqual(row, {[heading('a')]: 'a', [heading('b')]: 'b'})
    const terms = Array.from({length: 12}, (_, at) => `Term ${at}`)
    const found = await read('definitions', `<dl><dt>${terms.join('<dt>')}<dd>1</dl>`)
    assert.deepEqual(Object.keys(found), terms.slice(2))
  })
})
