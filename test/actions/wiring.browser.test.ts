import assert from 'node:assert/strict'
import {after, before, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {buildSync} from 'esbuild'
import fc from 'fast-check'
import type {Page} from 'playwright-core'
import {sharedBrowsers} from '../support/browser.ts'
import {ORIGIN, outcomeOf, parameters, requestTool, run, SEARCH, scriptOf} from './support.ts'

/** What the panel runs: the functions themselves, not their texts. */
const PANEL = `
import {callOf, plannedOf} from './actions/onPage.ts'
import {runRequest} from './actions/run/request.ts'
import {readPage} from './panel/making/run.ts'
globalThis.readInPanel = readPage
globalThis.runInPanel = (tool, args, fetch) => runRequest(callOf(plannedOf(tool), args, fetch))`

/** In the page: an answer as a server sends it, and what came of a call. */
const PAGE = `
globalThis.respond = ({status, type, text, url, redirected, cut, slow}) => async () => {
  if (slow) await new Promise((resolve) => setTimeout(resolve, 5))
  if (cut === 'before') throw new TypeError('Failed to fetch')
  const body = cut ? new ReadableStream({pull: (stream) => stream.error(new TypeError('cut'))}) : text
  const response = new Response(status === 204 ? null : body, {status, headers: {'content-type': type}})
  return Object.defineProperties(response, {url: {value: url}, redirected: {value: redirected}})
}
globalThis.outcomeOf = (call) => Promise.resolve().then(call).then(
  (value) => JSON.stringify(value) ?? 'undefined',
  (error) => '!' + error.message)`

const member = fc.constantFrom('title', 'items', 'error', 'message', 'id')
const path = fc.constantFrom('', 'items', 'data.items', 'items[].title', 'items[0]', '[]')
const members = fc.uniqueArray(fc.record({name: member, path}), {maxLength: 2, selector: ({name}) => name})
const part = fc.record({
  name: fc.constant('part'),
  kind: fc.constantFrom('text', 'table', 'list', 'links', 'definitions'),
  selector: fc.constantFrom('h1', 'table', 'li', 'main', 'dl'),
})
const result = fc.oneof(
  fc.record({
    kind: fc.constantFrom('list', 'object'),
    path: path.filter((one) => one !== '[]'),
    members,
    limit: fc.constant(2),
  }),
  fc.record({kind: fc.constantFrom('text', 'message'), message: fc.constant('Sent')}),
  fc.record({
    kind: fc.constant('parts'),
    parts: fc.array(part, {minLength: 1, maxLength: 1}),
    pages: fc.constantFrom(1, 2),
  }),
)
const tool = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  address: fc.constantFrom('/api', '/books/{query}', 'https://api.example.com/x?a=b'),
  query: fc.constantFrom(
    [],
    [
      {name: 'q', parameter: 'query'},
      {name: 'tag', parameter: 'tags'},
    ],
  ),
  result,
})
const item = fc.record({title: fc.string(), id: fc.oneof(fc.integer(), fc.constant(null))})
const refusal = fc.constantFrom(
  {success: false, message: 'Sold out'},
  {error: 'Sold out.', items: [1]},
  {errors: [{message: 'Sold out', path: ['count']}], data: null},
)
const json = fc.oneof(
  fc.jsonValue(),
  refusal,
  fc
    .array(item, {maxLength: 3})
    .chain((items) => fc.constantFrom<unknown>(items, {items}, {data: {items}, total: 0}, {errors: items})),
)
const html = fc.constantFrom(
  '<h1>Books</h1><table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4<tr><td>5<td>6</table>',
  '<main><ul><li>One<li><a href="/2">Two</a><li>Three</ul><a rel="next" href="?page=2">Next</a></main>',
  '<form><input type="password"></form>',
  '<dl><dt>A<dd>1</dl><p>',
  '',
)
const answer = fc.record({
  status: fc.constantFrom(200, 200, 200, 201, 204, 302, 401, 404, 408, 422, 429, 500, 503),
  type: fc.constantFrom('application/json', 'text/html; charset=utf-8', 'text/plain'),
  text: fc.oneof(
    {weight: 3, arbitrary: json.map((value) => JSON.stringify(value))},
    html,
    fc.constant('{"items":[{"id":653247040368672768}]}'),
  ),
  url: fc.constantFrom(`${ORIGIN}/list`, `${ORIGIN}/login`, `${ORIGIN}/thanks`),
  redirected: fc.boolean(),
  cut: fc.constantFrom(undefined, undefined, undefined, 'before', 'within'),
  slow: fc.boolean(),
})

let page: Page
before(async () => {
  const {outputFiles} = buildSync({
    stdin: {contents: PANEL, resolveDir: fileURLToPath(new URL('../..', import.meta.url)), loader: 'ts'},
    bundle: true,
    write: false,
    format: 'iife',
  })
  page = await (await sharedBrowsers.withoutWebMcp()).newPage()
  await page.route('**', (route) => route.fulfill({contentType: 'text/html', body: '<!doctype html>'}))
  await page.goto(ORIGIN)
  await page.evaluate(`${PAGE};${outputFiles[0]?.text}`)
})
after(() => page?.close())

test('the panel, a page and Node give the same of any action and any answer', async () => {
  const cases = fc
    .sample(fc.record({tool, answer}), {numRuns: 600, seed: 20_261_129})
    .map(({tool, answer}) => {
      const made = {...requestTool(tool, SEARCH)}
      return {made, answer, script: scriptOf(made)}
    })
  const args = {query: 'rope & sail', tags: ['a', 'b']}
  const outcomes = await page.evaluate<
    readonly (readonly [panel: string, page: string])[]
  >(`(async (cases, args) => {
    const outcomes = []
    for (const {made, answer, script} of cases) {
      const inPage = new Function('args', 'signal', 'fetch', 'return (async () => {' + script + '})()')
      outcomes.push([
        await outcomeOf(() => runInPanel(made, args, respond(answer))),
        await outcomeOf(() => inPage(args, new AbortController().signal, respond(answer))),
      ])
    }
    return outcomes
  })(${JSON.stringify(cases)}, ${JSON.stringify(args)})`)
  assert.equal(outcomes.length, cases.length)
  const kinds = new Set<string>()
  for (const [at, {made, answer, script}] of cases.entries()) {
    const [inPanel = '', inPage = ''] = outcomes[at] ?? []
    const what = JSON.stringify([made.request, answer])
    assert.equal(inPanel, inPage, what)
    kinds.add(inPage.slice(0, 40))
    // Node has no parser of pages.
    if (script.includes('parts:[')) continue
    const {status, type, text, url, redirected, cut} = answer
    const respond = () => {
      if (cut === 'before') return Promise.reject(new TypeError('Failed to fetch'))
      const broken = () => new ReadableStream({pull: (stream) => stream.error(new TypeError('cut'))})
      const response = new Response(status === 204 ? null : cut ? broken() : text, {
        status,
        headers: {'content-type': type},
      })
      return Object.defineProperties(response, {url: {value: url}, redirected: {value: redirected}})
    }
    assert.equal(await outcomeOf(async () => (await run(script, args, respond)).result), inPage, what)
  }
  assert.ok(kinds.size > 20, `only ${kinds.size} kinds of outcomes`)
})

test('the panel reads of an open page what a tool does', async () => {
  const parts = fc.uniqueArray(part, {minLength: 1, maxLength: 1, selector: ({name}) => name})
  const cases = fc.sample(fc.record({parts, html}), {numRuns: 100, seed: 20_261_129}).map((one) => {
    const tool = {action: 'reading', reading: {parts: one.parts}, inputSchema: parameters({})}
    return {...one, script: scriptOf(tool)}
  })
  const outcomes = await page.evaluate<readonly (readonly [string, string])[]>(`(async (cases) => {
    const outcomes = []
    for (const {parts, html, script} of cases) {
      document.body.innerHTML = html
      const inPage = new Function('args', 'signal', 'return (async () => {' + script + '})()')
      outcomes.push([
        await outcomeOf(() => readInPanel(parts)),
        await outcomeOf(() => inPage({}, new AbortController().signal)),
      ])
    }
    return outcomes
  })(${JSON.stringify(cases)})`)
  for (const [at, [inPanel, inPage]] of outcomes.entries())
    assert.equal(inPanel, inPage, JSON.stringify(cases[at]))
  assert.ok(new Set(outcomes.map(([, inPage]) => inPage)).size > 8)
})
