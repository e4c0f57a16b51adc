import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'node:test'
import {splitDocument} from '../../../content/layout/splitDocument.ts'
import {parseLayout} from '../../../content/parseDocument.ts'
import {parseDescription} from '../../../schemas/rules/description.ts'
import {annotationsOf, parseHintSettings} from '../../../schemas/rules/hints/annotations.ts'
import {parseInputSchema} from '../../../schemas/rules/inputSchema.ts'
import {parseToolName} from '../../../schemas/rules/names/toolName.ts'
import {parseOrigins} from '../../../schemas/rules/origin.ts'
import type {Parsed} from '../../../schemas/rules/parsed.ts'
import {parsePathPattern} from '../../../schemas/rules/paths/pathPattern.ts'
import {parsePollInterval} from '../../../schemas/rules/pollInterval.ts'
import {parsePublicId} from '../../../schemas/rules/publicId.ts'
import {parseScript} from '../../../schemas/rules/script.ts'
import {parseSelector} from '../../../schemas/rules/selector.ts'
import {accepted} from '../../schemas/rules/problem.ts'
import {SHOP_CONTENT, shopDocuments} from '../../support/shop.ts'

const DOCUMENTS = shopDocuments()
const TOOLS = DOCUMENTS.filter(({_type}) => _type === 'tool')
const FORM_TOOLS = DOCUMENTS.filter(({_type}) => _type === 'formTool')

const SHARED = {name: parseToolName, description: parseDescription}
const RULES: Record<string, Record<string, (value: unknown) => Parsed<unknown>>> = {
  site: {publicId: parsePublicId, pollInterval: parsePollInterval},
  tool: {
    ...SHARED,
    pathPattern: parsePathPattern,
    exposedTo: parseOrigins,
    inputSchema: parseInputSchema,
    executeJs: parseScript,
    annotations: parseHintSettings,
  },
  formTool: {...SHARED, pagePath: parsePathPattern, selector: parseSelector},
}

for (const document of DOCUMENTS) {
  test(`${document._type}/${document._id} follows every rule and is in the files that the lake would write`, () => {
    const layout = parseLayout(readFileSync(join(SHOP_CONTENT, 'lake.json')))
    const files = splitDocument(layout, {type: document._type, id: document._id}, document)
    for (const [path, text] of files) assert.equal(readFileSync(join(SHOP_CONTENT, path), 'utf8'), text)
    assert.deepEqual(
      Object.keys(document).filter((key) => /^_(rev|createdAt|updatedAt)$/.test(key)),
      [],
    )
    for (const [field, rule] of Object.entries(RULES[document._type] ?? {})) {
      assert.ok(field in document, field)
      accepted(rule(document[field]))
    }
    if (document._type !== 'site') {
      assert.deepEqual(document.site, {_ref: 'shop', _type: 'reference'})
      assert.equal(document.enabled, true)
    }
  })
}

test('the shop is one site with tools of every kind, all with different names', () => {
  assert.equal(DOCUMENTS.filter(({_type}) => _type === 'site').length, 1)
  assert.ok(TOOLS.length >= 5 && FORM_TOOLS.length >= 2)
  const names = [...TOOLS, ...FORM_TOOLS].map(({name}) => name)
  assert.equal(new Set(names).size, names.length)
  const hints = TOOLS.map(({name, annotations}) =>
    annotationsOf(String(name), accepted(parseHintSettings(annotations))),
  )
  for (const hint of ['readOnlyHint', 'consequentialHint', 'untrustedContentHint'] as const) {
    assert.ok(
      hints.some((annotations) => annotations[hint]),
      hint,
    )
  }
})

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor

/** Calls a tool as its page would, with a shop that gives one response. Returns what the tool requested. */
async function call(name: string, args: object, answer: Response) {
  const asked: {url: string; method: string; body: unknown; signal: unknown}[] = []
  const told: {type: string; detail: unknown}[] = []
  const fetch = async (
    url: string,
    {method = 'GET', body = 'null', signal}: {method?: string; body?: string; signal?: unknown},
  ) => {
    asked.push({url, method, body: JSON.parse(body), signal})
    return answer
  }
  const script = TOOLS.find((tool) => tool.name === name)?.executeJs
  const page = {
    fetch,
    location: {pathname: '/products/rope'},
    document: {dispatchEvent: ({type, detail}: CustomEvent) => told.push({type, detail})},
  }
  const execute = new AsyncFunction('args', '{signal}', ...Object.keys(page), script)
  const {signal} = new AbortController()
  const result: unknown = await execute(args, {signal}, ...Object.values(page))
  for (const request of asked) assert.equal(request.signal, signal)
  return {result, asked: asked.map(({url, method, body}) => ({url, method, body})), told}
}

const CALLS: [name: string, args: object, method: string, url: string, body: unknown][] = [
  ['searchProducts', {query: 'rope & sail'}, 'GET', '/api/products?q=rope+%26+sail&limit=10', null],
  [
    'searchProducts',
    {query: 'x', maxPrice: 0, limit: 3},
    'GET',
    '/api/products?q=x&limit=3&maxPrice=0',
    null,
  ],
  ['getProduct', {productId: 'a/b'}, 'GET', '/api/products/a%2Fb', null],
  ['listReviews', {}, 'GET', '/api/products/rope/reviews?limit=10', null],
  ['listReviews', {productId: 'sail', limit: 2}, 'GET', '/api/products/sail/reviews?limit=2', null],
  ['addToCart', {productId: 'rope'}, 'POST', '/api/cart', {productId: 'rope', quantity: 1}],
  ['viewCart', {}, 'GET', '/api/cart', null],
  [
    'placeOrder',
    {name: 'Ada', address: 'Quay 1', email: 'ada@example.com'},
    'POST',
    '/api/orders',
    {name: 'Ada', address: 'Quay 1', email: 'ada@example.com'},
  ],
]
for (const [name, args, method, url, body] of CALLS) {
  test(`${name}(${JSON.stringify(args)}) requests ${method} ${url} and returns the shop’s response`, async () => {
    const {result, asked} = await call(name, args, Response.json({from: 'the shop'}))
    assert.deepEqual(result, {from: 'the shop'})
    assert.deepEqual(asked, [{url, method, body}])
  })

  test(`${name}(${JSON.stringify(args)}) throws a clear error if the shop fails`, async () => {
    await assert.rejects(
      call(name, args, new Response('down', {status: 503})),
      /the shop returned status 503\.$/,
    )
  })
}

test('addToCart and placeOrder notify the page of their changes, the other tools do not', async () => {
  const events = CALLS.map(async ([name, args]) => {
    const {told} = await call(name, args, Response.json({from: 'the shop'}))
    for (const {detail} of told) assert.deepEqual(detail, {from: 'the shop'})
    return [name, ...told.map(({type}) => type)]
  })
  const speaking = (await Promise.all(events)).filter((event) => event.length > 1)
  assert.deepEqual(speaking, [
    ['addToCart', 'cart:changed'],
    ['placeOrder', 'order:placed'],
  ])
})

test('a tool that the shop refuses returns the shop’s reason', async () => {
  const refusal = Response.json(
    {error: {code: 'OUT_OF_STOCK', message: 'Binoculars is sold out.'}},
    {status: 409},
  )
  await assert.rejects(
    call('addToCart', {productId: 'binoculars'}, refusal),
    /^Error: Binoculars is sold out\.$/,
  )
})
