import {deepEqual, doesNotMatch, equal, match, ok} from 'node:assert/strict'
import {afterEach, beforeEach, describe, mock, test} from 'node:test'
import {createHandrail, type HandrailOptions} from '../../../../deploy/packages/server/handrail.ts'

const CONFIG = JSON.stringify({siteId: 'a', tools: [], formTools: [], pollInterval: 300})

type Answer = () => Response | Promise<Response>

/** A service whose responses the test chooses, and what was asked of it. */
function service(options: Partial<HandrailOptions> = {}) {
  const asked: string[] = []
  const state: {answer: Answer | undefined} = {
    answer: () => new Response(CONFIG, {headers: {etag: 'W/"1"', age: '10'}}),
  }
  const {toolsFor} = createHandrail({
    service: 'https://tools.example/',
    site: 'shop',
    async fetch(url, {headers}) {
      asked.push(
        `${url.replace('https://tools.example/api/sites/shop/config?path=', '')} ${JSON.stringify(headers)}`,
      )
      if (!state.answer) throw new TypeError('fetch failed')
      return state.answer()
    },
    ...options,
  })
  return {toolsFor, state, asked}
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const element = (time: string, tag = 'W/&quot;1&quot;', path = '/a') =>
  `<script type="application/json" data-handrail="shop" data-path="${path}" data-tag="${tag}" data-at="${time}">${CONFIG}</script>`

describe('toolsFor', () => {
  beforeEach(() => mock.timers.enable({apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 0, 1)}))
  afterEach(() => mock.timers.reset())

  test('writes the element, and counts its time from the age of the response', async () => {
    const {toolsFor, asked} = service()
    const first = await toolsFor('/a?b#c')
    equal(first, element('2025-12-31T23:59:50.000Z'))
    equal(await toolsFor({url: 'https://shop.example/a'}), first)
    equal(await toolsFor({url: '/a?c'}), first)
    deepEqual(asked, ['%2Fa {}'])
    match(await toolsFor('/é "<'), /data-path="\/%C3%A9%20%22%3C"/)
    match(await toolsFor('/a', {nonce: '"x'}), /nonce="&quot;x"/)
  })

  test('revalidates in the background by the tag', async () => {
    const {toolsFor, state, asked} = service()
    await toolsFor('/a')
    mock.timers.tick(25_000)
    state.answer = () => new Response(null, {status: 304})
    const waits: Promise<unknown>[] = []
    const waitUntil = (promise: Promise<unknown>) => waits.push(promise)
    const pages = await Promise.all([1, 2, 3].map(() => toolsFor('/a', {waitUntil})))
    deepEqual(new Set(pages), new Set([element('2025-12-31T23:59:50.000Z')]))
    await Promise.all(waits)
    deepEqual(asked, ['%2Fa {}', '%2Fa {"if-none-match":"W/\\"1\\""}'])
    equal(await toolsFor('/a'), element('2026-01-01T00:00:25.000Z'))
    equal(asked.length, 2)
  })

  test('lets no text of a tool end the element', async () => {
    const {toolsFor, state} = service()
    const text = '</script><!--<script>$&'
    state.answer = () => Response.json({tools: [{description: text}], formTools: []})
    const html = await toolsFor('/a')
    equal(html.match(/</g)?.length, 2)
    const json = html.slice(html.indexOf('>') + 1, html.lastIndexOf('<'))
    deepEqual(JSON.parse(json).tools, [{description: text}])
  })

  test('loads what decides about tools while the page is parsed, and what counts forms before one can leave it', async () => {
    const {toolsFor, state} = service()
    const url = (name: string) => `="https://tools.example/snippet.${name}.js" crossorigin="" nonce="n">`
    const decides = `<script type="module" src${url('conditions')}</script>`
    const counts = ['calls', 'report'].map((name) => `<link rel="modulepreload" href${url(name)}`).join('')
    for (const [path, config, tags] of [
      ['/a', {formTools: [{name: 'a'}]}, ''],
      ['/b', {formTools: [{name: 'a'}, {name: 'b', reportCalls: 'on'}]}, counts],
      ['/c', {formTools: [{reportCalls: 'on'}], conditional: {tools: [], formTools: []}}, decides + counts],
      ['/d', {formTools: [null], conditional: {tools: [], formTools: []}}, decides],
    ] as const) {
      state.answer = () => Response.json({tools: [], ...config})
      const html = await toolsFor(path, {nonce: 'n'})
      equal(html.slice(html.indexOf('</script>') + 9), tags, path)
    }
  })

  test('waits for its limit only, sends one request for each path, and has the config later', async () => {
    const {toolsFor, state, asked} = service()
    let respond = (_: Response) => {}
    state.answer = () => new Promise((resolve) => (respond = resolve))
    const pages = Promise.all(Array.from({length: 100}, () => toolsFor('/a')))
    await settled()
    mock.timers.tick(50)
    deepEqual(new Set(await pages), new Set(['']))
    equal(asked.length, 1)
    respond(new Response(CONFIG))
    await settled()
    match(await toolsFor('/a'), /^<script/)
    equal(asked.length, 1)
  })

  test('serves what it has for an hour while the service is gone, asks ever less often, and recovers', async () => {
    const {toolsFor, state, asked} = service()
    await toolsFor('/a')
    state.answer = undefined
    const counts: number[] = []
    for (let minute = 0; minute < 59; minute++) {
      for (let second = 0; second < 60; second++) {
        mock.timers.tick(1_000)
        match(await toolsFor('/a'), /^<script/)
        await settled()
      }
      counts.push(asked.length)
    }
    ok(counts[0] !== undefined && counts[0] <= 8 && (counts[58] ?? 0) <= 125, String(counts))
    mock.timers.tick(60_000)
    equal(await toolsFor('/a'), '')
    equal(await toolsFor('/new'), '', 'no request while it backs off')
    state.answer = () => new Response(CONFIG)
    mock.timers.tick(31_000)
    match(await toolsFor('/a'), /^<script/)
    match(await toolsFor('/new'), /^<script/)
  })

  for (const [what, answer] of [
    ['an error', () => new Response('{}', {status: 500})],
    ['HTML', () => new Response('<!doctype html>')],
    ['other JSON', () => new Response('{"tools": {}}')],
    ['more than 1 MB', () => new Response(CONFIG + ' '.repeat(1e6))],
    [
      'a body that breaks off',
      () => new Response(new ReadableStream({start: (body) => body.error(new Error())})),
    ],
    ['304 to an unconditional request', () => new Response(null, {status: 304})],
  ] as const)
    test(`is empty, or what it was, if the service responds with ${what}`, async () => {
      const {toolsFor, state} = service()
      state.answer = answer
      equal(await toolsFor('/a'), '')
      state.answer = () => new Response(CONFIG)
      mock.timers.tick(2_000)
      const before = await toolsFor('/a')
      state.answer = answer
      mock.timers.tick(31_000)
      await toolsFor('/a')
      await settled()
      const {length} = before
      equal((await toolsFor('/a')).length, length)
    })

  test('is empty for a site that does not exist, which it remembers, and for what is no page', async () => {
    const {toolsFor, state, asked} = service()
    state.answer = () => new Response('{"error": {}}', {status: 404})
    deepEqual([await toolsFor('/a'), await toolsFor('/a'), asked.length], ['', '', 1])
    deepEqual([await toolsFor('http://['), await toolsFor(`/${'x'.repeat(3_000)}`)], ['', ''])
    equal(asked.length, 1)
  })

  test('keeps as many paths and bytes as it may, and those that were used last', async () => {
    for (const limit of [{maxEntries: 3}, {maxBytes: 3 * 2 * (CONFIG.length + 3)}]) {
      const {toolsFor, asked} = service(limit)
      for (const path of ['/1', '/2', '/3', '/1', '/4']) await toolsFor(path)
      const {length} = asked
      for (const path of ['/4', '/1', '/3']) await toolsFor(path)
      equal(asked.length, length)
      await toolsFor('/2')
      equal(asked.length, length + 1)
    }
  })

  test('sends no more than 64 requests at a time, which count as one failure', async () => {
    const {toolsFor, state, asked} = service()
    const {promise, reject} = Promise.withResolvers<Response>()
    state.answer = () => promise
    const pages = Promise.all(Array.from({length: 500}, (_, at) => toolsFor(`/${at}`)))
    await settled()
    mock.timers.tick(50)
    doesNotMatch((await pages).join(''), /./)
    equal(asked.length, 64)
    reject(new TypeError('fetch failed'))
    await settled()
    state.answer = () => new Response(CONFIG)
    mock.timers.tick(1_000)
    match(await toolsFor('/back'), /^<script/)
  })
})
