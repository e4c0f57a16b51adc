import assert from 'node:assert/strict'
import {createServer, type Server, type ServerResponse} from 'node:http'
import {after, before, describe, test} from 'node:test'
import {listForConsumers, type OfferedTool} from '../../../advice/agents/listings.ts'
import {isConfig, type Stage, startStage} from '../../snippet/support/stage.ts'
import type {ContentDocument} from '../../support/content.ts'
import {eventually} from '../../support/eventually.ts'
import {listen} from '../../support/network/ports.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {type PlaywrightMcp, startPlaywrightMcp} from './playwrightMcp.ts'
import {lettersOf, TABLE} from './table.ts'

/** The document of which consumers get a tool, on the page of the table. */
function documentOf({type, name, annotations, ...more}: OfferedTool, index: number): ContentDocument {
  const _id = `tool${String(index).padStart(2, '0')}`
  if (type === 'formTool')
    return formToolDocument({_id, name, pagePath: '/table', selector: `form#${_id}`, ...more})
  const {readOnlyHint, consequentialHint, untrustedContentHint, debugging = false} = annotations
  const hints = {readOnlyHint, consequentialHint, untrustedContentHint}
  const settings = Object.entries(hints).map(([hint, value]) => [hint, String(value ?? false)])
  return toolDocument({
    _id,
    name,
    pathPattern: '/table',
    annotations: {...Object.fromEntries(settings), debugging},
    inputSchema: JSON.stringify(more.inputSchema),
    ...(more.outputSchema && {outputSchema: JSON.stringify(more.outputSchema)}),
  })
}

const FAILED = 'Tool was executed but the invocation failed'
/** What Playwright MCP says of a result that is undefined, and `page.webmcp` does not. */
const NOTHING = 'undefined'
const error = (text: string) => ({isError: true, content: [{type: 'text', text}]})

/** What a script does, and what an agent gets: a result, or `FAILED` without the reason. */
const RESULTS: readonly (readonly [script: string, result: unknown])[] = [
  ['return "text"', 'text'],
  ['return {total: 2, none: null}', {total: 2, none: null}],
  ['return [1, null]', [1, null]],
  ['return null', null],
  ['return 7', 7],
  ['return ""', 'Operation succeeded'],
  ['return', NOTHING],
  ['return () => 1', NOTHING],
  ['return document.body', {}],
  ['return new Map([[1, 2]])', {}],
  ['return {price: 10n}', FAILED],
  ['const a = {}; a.a = a; return a', FAILED],
  ['throw new Error("Sold out.")', error('Sold out.')],
  ['throw "Sold out."', error('Sold out.')],
  ['throw undefined', error('undefined')],
]

/** What a website does with a request that changes something, and what an agent has to read: whether it may call again.
 * All of it is in test/schemas/actions/request.test.ts: these are what only a browser makes of an answer. */
const CHANGES: readonly (readonly [
  came: string,
  respond: (answer: ServerResponse) => void,
  reads: RegExp,
])[] = [
  ['nothing', (answer) => answer.writeHead(204).end(), /Done\. The website sent nothing back\./],
  [
    'no answer',
    // A connection that is cut before the status, Chromium tries again by itself.
    (answer) => answer.writeHead(200, {'content-length': 9}).write('{', () => answer.destroy()),
    /It may have happened: look at the page before you call this again\./,
  ],
  [
    'a sign-in page',
    (answer) => answer.writeHead(302, {location: '/login'}).end(),
    /sign-in page.*It may have happened/,
  ],
  [
    'a page of thanks',
    (answer) => answer.writeHead(303, {location: '/thanks'}).end(),
    /the page “\/thanks”.*It may have happened/,
  ],
]

/** What Playwright MCP says, without its own words around it. */
function resultOf(said: string): unknown {
  if (said.includes(FAILED)) return FAILED
  const [, text = said] = /untrusted:\n([\s\S]*?)(?:\n### |$)/.exec(said) ?? []
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const byName = (a: {name: string}, b: {name: string}) => (a.name < b.name ? -1 : 1)

/** What a consumer lists of the table by `advice/agents`: names, and letters of hints. */
function expectedOf(id: string): {name: string; hints: string; inputSchema: unknown}[] {
  const listing = listForConsumers(TABLE.map(([offered]) => offered)).find(({consumer}) => consumer.id === id)
  assert.ok(listing)
  return listing.listings
    .map(({tool, name = '', hints}) => ({name, hints: lettersOf(hints), inputSchema: tool.inputSchema}))
    .sort(byName)
}

describe('clients that people use', () => {
  let mcp: PlaywrightMcp
  let stage: Stage
  /** A website on whose pages tools change something, and what it received. */
  let shop: Server
  let shopAddress: string
  const received: string[] = []
  before(async () => {
    // In the opposite order, which must not matter.
    const documents = TABLE.map(([offered], index) => documentOf(offered, TABLE.length - index))
    const results = RESULTS.map(([executeJs], index) =>
      toolDocument({
        _id: `result${index}`,
        name: `result${index}`,
        pathPattern: '/results{,/held}',
        executeJs,
      }),
    )
    const changes = CHANGES.map((_, index) =>
      toolDocument({
        _id: `place${index}`,
        name: `place${index}`,
        pathPattern: '/changes',
        inputSchema: '{"type": "object", "properties": {}}',
        action: 'request',
        request: {method: 'POST', address: `/api/${index}`, result: {kind: 'object'}},
      }),
    )
    const site = [siteDocument(), ...documents, ...results, ...changes]
    ;[mcp, stage] = await Promise.all([startPlaywrightMcp(), startStage(site)])
    shop = createServer(({method, url = ''}, answer) => {
      const [, index] = /^\/api\/(\d+)$/.exec(url) ?? []
      if (index === undefined) {
        const body = url === '/login' ? '<form><input type="password"></form>' : ''
        answer.setHeader('content-type', 'text/html').end(`<head>${stage.tag()}</head>${body}`)
        return
      }
      received.push(`${method} ${index}`)
      CHANGES[Number(index)]?.[1](answer)
    })
    shopAddress = `http://localhost:${await listen(shop)}`
    stage.website.pages.set('/table', {
      body: documents.map(({_id}) => `<form id="${_id}"><input name="q"></form>`).join(''),
    })
  })
  after(async () => {
    await mcp?.close()
    shop?.closeAllConnections()
    await new Promise((resolve) => shop?.close(resolve))
    await stage?.close()
  })

  async function open(url: string) {
    const {isError, text} = await mcp.call('browser_navigate', {url})
    assert.equal(isError, false, text)
  }

  /** The tools of a page, once Playwright MCP lists so many: it looks again at each snapshot only. */
  async function toolsAt(url: string, count: number) {
    await open(url)
    return eventually(
      async () => {
        await mcp.call('browser_snapshot')
        return mcp.pageTools()
      },
      ({length}) => length === count,
    )
  }

  test('Playwright MCP lists 30 tools as Studio says', async () => {
    const tools = await toolsAt(`${stage.website.address}/table`, TABLE.length)
    const expected = expectedOf('playwright')
    const listed = tools.sort(byName).map(({name, description = '', annotations, inputSchema}, index) => {
      const letters = [
        annotations?.readOnlyHint === true && 'r',
        description.includes('[CONSEQUENTIAL') && 'c',
        description.includes('third-party content') && 'u',
        annotations?.destructiveHint === true && 'd',
      ]
      // Browsers make the schema of a form.
      const schema = expected[index]?.inputSchema && inputSchema
      return {name, hints: letters.filter(Boolean).join(''), inputSchema: schema}
    })
    assert.deepEqual(listed, expected)
  })

  test('the first list of Playwright MCP is complete where the HTML has the config', async () => {
    const config = await (await stage.house.config('shop-public', '/results/held')).text()
    const attributes = `data-handrail="shop-public" data-path="/results/held" data-at="${new Date().toISOString()}"`
    const text = config.replaceAll('<', '\\u003c')
    const element = `<script type="application/json" ${attributes}>${text}</script>`
    stage.website.pages.set('/results/held', {head: element + stage.tag()})
    stage.network.fault = (url) => (isConfig(url) ? {kind: 'hang'} : {kind: 'none'})
    try {
      await open(`${stage.website.address}/results/held`)
      assert.equal((await mcp.pageTools()).length, RESULTS.length)
    } finally {
      stage.network.fault = {kind: 'none'}
    }
  })

  test('page.webmcp lists 30 tools as Studio says', async () => {
    await stage.visit('/table', async ({page}) => {
      const tools = await eventually(
        () => page.webmcp.tools(),
        ({length}) => length === TABLE.length,
      )
      const expected = expectedOf('browsers')
      const listed = tools.sort(byName).map(({name, annotations = {}, inputSchema}, index) => {
        const {readOnly, consequential, untrustedContent} = annotations
        const letters = [readOnly && 'r', consequential && 'c', untrustedContent && 'u']
        const schema = expected[index]?.inputSchema && inputSchema
        return {name, hints: letters.filter(Boolean).join(''), inputSchema: schema}
      })
      assert.deepEqual(listed, expected)
    })
  })

  test('both return what a script returns, and say that a call failed', async () => {
    await toolsAt(`${stage.website.address}/results`, RESULTS.length)
    await stage.visit('/results', async ({page}) => {
      for (const [index, [script, expected]] of RESULTS.entries()) {
        const {isError, text} = await mcp.call(`webmcp_result${index}`)
        assert.deepEqual(resultOf(text), expected, script)
        assert.equal(isError, script.startsWith('throw') || expected === FAILED, script)
        const result: unknown = await page.webmcp.callTool(`result${index}`, {}).catch((thrown) => {
          assert.match(String(thrown), new RegExp(FAILED))
          return FAILED
        })
        assert.deepEqual(result, expected === NOTHING ? undefined : expected, script)
      }
    })
  })

  test('an agent reads once whether something happened, and does not read that nothing was found', async () => {
    await toolsAt(`${shopAddress}/changes`, CHANGES.length)
    for (const [index, [came, , reads]] of CHANGES.entries()) {
      received.length = 0
      const {text} = await mcp.call(`webmcp_place${index}`)
      assert.match(text.replaceAll('\\', ''), reads, came)
      assert.doesNotMatch(text, /Nothing was found/)
      assert.deepEqual(received, [`POST ${index}`], came)
    }
  })
})
