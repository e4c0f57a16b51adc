import assert from 'node:assert/strict'
import {after, before, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {buildSync} from 'esbuild'
import fc from 'fast-check'
import type {Page} from 'playwright-core'
import {sharedBrowsers} from '../support/browser.ts'
import {args, parsed, request, schema} from './generated.ts'
import {execute, ORIGIN, outcomeOf, pageWith, parameters, scriptOf} from './support.ts'

const SEED = Number(process.env.SEED ?? 20_261_129)

/** What the panel runs: the functions themselves, not their texts. */
const PANEL = `
import {callOf, plannedOf, returnedOf} from './actions/onPage.ts'
import {runRequest} from './actions/run/request.ts'
import {Exchanges} from './panel/making/record/exchanges.ts'
import {record} from './panel/making/record/recorder.ts'
import {readPage} from './panel/making/run.ts'
globalThis.recordInPanel = (send) => new Promise((resolve) => {
  const recording = new Exchanges(() => recording.list[0]?.came && resolve(recording.list[0].came))
  const end = record(recording, () => false)
  send()
  end()
})
globalThis.returnedInPanel = (tool, came) => returnedOf(plannedOf(tool), {}, came)
globalThis.readInPanel = readPage
globalThis.runInPanel = (tool, args, fetch) => runRequest(callOf(plannedOf(tool), args, fetch))
globalThis.recordedInPanel = (tool, args, {status, type, text, url, redirected}) =>
  returnedOf(plannedOf(tool), args, {status, contentType: type, text: status === 204 ? '' : text, led: redirected ? url : undefined})`

/** What is sent, as a text. */
function requestOf(address: URL, {method, mode, headers, body}: RequestInit = {}): string {
  const text = body instanceof FormData ? [...body] : body && String(body)
  return `\n${JSON.stringify([address.href, method, mode, headers, text])}`
}

/** In the page: an answer as a server sends it, and what came of a call. */
const PAGE = `
globalThis.sent = []
globalThis.requestOf = ${requestOf}
globalThis.respond = ({status, type, text, url, redirected, cut, slow}) => async (address, init) => {
  sent.push(requestOf(address, init))
  // The next page of a list.
  if (address.search === '?page=2') [text, url, redirected] = ['<ul><li>Four<li>Five</ul>', address.href, false]
  if (slow) await new Promise((resolve) => setTimeout(resolve, 5))
  if (cut === 'before') throw new TypeError('Failed to fetch')
  const body = cut ? new ReadableStream({pull: (stream) => stream.error(new TypeError('cut'))}) : text
  const response = new Response(status === 204 ? null : body, {status, headers: {'content-type': type}})
  return Object.defineProperties(response, {url: {value: url}, redirected: {value: redirected}})
}
globalThis.outcomeOf = (call) => Promise.resolve().then(call).then(
  (value) => JSON.stringify(value) ?? 'undefined',
  (error) => '!' + error.message)`

const part = fc.record({
  name: fc.constantFrom('part', 'say'),
  kind: fc.constantFrom('text', 'attribute', 'table', 'items', 'list', 'definitions', 'links'),
  selector: fc.constantFrom('h1', 'table', 'li', 'main', 'dl', 'a', 'tr, dt'),
  attribute: fc.constantFrom('href', 'type'),
  fields: fc.constant([
    {name: 'a', selector: 'a, td', kind: 'text'},
    {name: 'to', selector: '', kind: 'address'},
  ]),
})
const item = fc.record({title: fc.string(), id: fc.oneof(fc.integer(), fc.constant(null))})
const refusal = fc
  .constantFrom(
    {success: false, message: 'Sold out'},
    {error: 'Sold out.', items: [1]},
    {errors: [{message: 'Sold out', path: ['count']}], data: null},
  )
  .map((one) => ({...one, fault: {reason: 'Gone'}}))
const json = fc.oneof(
  fc.jsonValue(),
  refusal,
  fc
    .array(item, {maxLength: 8})
    .chain((items) => fc.constantFrom<unknown>(items, {items}, {data: {items}, total: 0}, {errors: items})),
)
/** What the rules accept, in the place of what breaks texts. */
const plain = fc.constantFrom(
  {},
  ...['GET', 'POST'].flatMap((method) =>
    ['/x?a={query}', '/x/{count}', 'https://api.example.com/x'].map((address) => {
      const rows = [{name: 'q', parameter: 'query'}]
      return {method, address, headers: [], query: rows, body: method === 'GET' ? [] : rows}
    }),
  ),
)
const LIST =
  '<main><ul><li>One<li><a href="/2">Two</a><li>Three</ul><a rel="next" href="?page=2">Next</a></main>'
/** A list that comes as the tool reads it. */
const listed = fc.option(
  fc.array(item, {minLength: 2, maxLength: 8}).map((items) => {
    const whole = {status: 200, url: `${ORIGIN}/list`, redirected: false, cut: undefined}
    return {
      ofJson: {found: {path: 'items'}, answer: {...whole, text: JSON.stringify({items})}},
      ofPage: {
        found: {parts: [{name: 'part', kind: 'list', selector: 'li'}]},
        answer: {...whole, type: 'text/html', text: LIST},
      },
    }
  }),
  {freq: 2},
)
const html = fc.constantFrom(
  '<h1>Books</h1><table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4<tr><td>5<td>6</table>',
  LIST,
  '<form><input type="password"></form>',
  '<dl><dt>A<dd>1</dl><p>',
  '',
)
const came = fc.record({
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

/** What stands on the page. */
const META = {'meta[name=a]': 'META'}
const COOKIES = 'a=1'

test('the panel, a page and Node give the same of any action and any answer', async () => {
  const cases = fc
    .sample(fc.record({request, plain, part, came, listed, given: args}), {numRuns: 900, seed: SEED})
    .flatMap(({request, plain, part, came, listed, given}) => {
      const isPage = request.result.kind === 'parts'
      const {found, answer} = (isPage ? listed?.ofPage : listed?.ofJson) ?? {found: {}, answer: {}}
      const result = {...request.result, ...(isPage && {parts: [part]}), ...found}
      const own = {...request, ...plain, result}
      const made = {action: 'request', request: own, inputSchema: JSON.stringify(schema)}
      return parsed(made) ? [{made, answer: {...came, ...answer}, given, script: scriptOf(made)}] : []
    })
  const outcomes = await page.evaluate<
    readonly (readonly [panel: string, page: string, sent: string, recorded: string])[]
  >(`(async (cases) => {
    document.head.innerHTML = '<meta name="a" content="META">'
    document.querySelector('meta').value = 'META'
    document.cookie = '${COOKIES}'
    const outcomes = []
    for (const {made, answer, given, script} of cases) {
      const inPage = new Function('args', 'signal', 'fetch', 'return (async () => {' + script + '})()')
      outcomes.push([
        await outcomeOf(() => runInPanel(made, given, respond(answer))) + sent.splice(0),
        await outcomeOf(() => inPage(given, new AbortController().signal, respond(answer))) + sent.join(),
        sent.splice(0).join(),
        await outcomeOf(() => recordedInPanel(made, given, answer)),
      ])
    }
    return outcomes
  })(${JSON.stringify(cases)})`)
  assert.ok(cases.length > 250 && outcomes.length === cases.length, `${cases.length} cases`)
  const kinds = new Set<string>()
  for (const [at, {made, answer, given, script}] of cases.entries()) {
    const [inPanel = '', inPage = '', requests = '', ofRecorded] = outcomes[at] ?? []
    const what = JSON.stringify([made.request, answer, given])
    assert.equal(inPanel, inPage, what)
    // What the page got is one answer, and whole.
    if (!answer.cut && !answer.text.includes('next')) assert.equal(ofRecorded + requests, inPage, what)
    kinds.add(inPage.slice(0, 40))
    // Node has no parser of pages.
    if (script.includes('parts:[')) continue
    const {status, type, text, url, redirected, cut} = answer
    const sent: string[] = []
    const respond = async (address: URL, init?: RequestInit) => {
      sent.push(requestOf(address, init))
      if (cut === 'before') return Promise.reject(new TypeError('Failed to fetch'))
      const broken = () => new ReadableStream({pull: (stream) => stream.error(new TypeError('cut'))})
      const response = new Response(status === 204 ? null : cut ? broken() : text, {
        status,
        headers: {'content-type': type},
      })
      return Object.defineProperties(response, {url: {value: url}, redirected: {value: redirected}})
    }
    const call = () => execute(script, given, respond, undefined, pageWith(META, COOKIES))
    assert.equal((await outcomeOf(call)) + sent.join(), inPage, what)
  }
  assert.ok(kinds.size > 20, `only ${kinds.size} kinds of outcomes`)
})

test('the panel reads of an open page what a tool does', async () => {
  const cases = fc.sample(fc.record({part, html}), {numRuns: 600, seed: SEED}).flatMap(({part, html}) => {
    const tool = {action: 'reading', reading: {parts: [part]}, inputSchema: parameters({})}
    return parsed(tool) ? [{parts: [part], html, script: scriptOf(tool)}] : []
  })
  const outcomes = await page.evaluate<readonly (readonly [string, string])[]>(`(async (cases) => {
    const outcomes = []
    // Nothing loads more, so that a tool need not wait for it.
    for (const {parts, html, script} of cases) {
      document.body.innerHTML = html
      const inPage = new Function('args', 'signal', 'setTimeout', 'return (async () => {' + script + '})()')
      outcomes.push([
        await outcomeOf(() => readInPanel(parts)),
        await outcomeOf(() => inPage({}, new AbortController().signal, (look) => look())),
      ])
    }
    return outcomes
  })(${JSON.stringify(cases)})`)
  for (const [at, [inPanel, inPage]] of outcomes.entries())
    assert.equal(inPanel, inPage, JSON.stringify(cases[at]))
  assert.ok(new Set(outcomes.map(([, inPage]) => inPage)).size > 8)
})

test('the panel reads a recorded page in the encoding of the page', async () => {
  const result = {kind: 'parts', parts: [{name: 'title', kind: 'text', selector: 'h1'}]}
  const tool = {
    action: 'request',
    request: {method: 'POST', address: '/latin', encoding: 'form', result},
    inputSchema: parameters({}),
  }
  await page.route('**/latin', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=iso-8859-1',
      body: Buffer.from('<h1>Café</h1>', 'latin1'),
    }),
  )
  const read = await page.evaluate(`(async () => {
    const sends = [
      () => fetch('/latin', {method: 'POST'}),
      () => {
        const request = new XMLHttpRequest()
        request.open('POST', '/latin')
        request.send()
      },
    ]
    const outcomes = []
    for (const send of sends) outcomes.push(await returnedInPanel(${JSON.stringify(tool)}, await recordInPanel(send)))
    return outcomes
  })()`)
  assert.deepEqual(read, [{title: 'Café'}, {title: 'Café'}])
})
