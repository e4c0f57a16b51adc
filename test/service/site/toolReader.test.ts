import assert from 'node:assert/strict'
import {test} from 'node:test'
import {SiteCompiler} from '../../../service/site/compile.ts'
import type {SiteDocument} from '../../../service/upstream/siteDocument.ts'
import {configOf} from '../../support/answers.ts'
import {startHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

/** A list of as many texts as fit into this many characters. */
function listOf(characters: number, separator: string, textOf: (number: number) => string): string {
  const texts: string[] = []
  for (let length = 0, number = 0; length < characters; number++) {
    const text = textOf(number)
    texts.push(text)
    length += text.length + separator.length
  }
  return texts.join(separator)
}

/** Each takes the parser a few hundred milliseconds: its time grows with the square of the length. */
const COSTLY = {
  'a regular expression with duplicate groups': {executeJs: `/${listOf(45_000, '|', () => '(?<a>x)')}|y/`},
  'a declaration of many names': {
    executeJs: `let ${listOf(90_000, ',', (number) => `n${number}`)}`,
  },
  'a long enumeration in a draft-07 schema': {
    inputSchema: `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"enum": [${listOf(45_000, ',', (number) => `"${number}"`)}]}}}`,
  },
  'a costly script with a mistake at its end': {
    executeJs: `/${listOf(30_000, '|', () => '(?<a>x)')}|y/; return {`,
  },
}

test('while a site with expensive tools is loaded, requests for other sites are served', async (t) => {
  const costly = Object.values(COSTLY).map((fields, number) =>
    toolDocument({
      _id: `costly-${number}`,
      name: `costly${number}`,
      site: {_ref: 'costly', _type: 'reference'},
      ...fields,
    }),
  )
  const house = await startHouse(
    [siteDocument(), toolDocument(), siteDocument({_id: 'costly', publicId: 'costly-site'}), ...costly],
    {RATE_LIMIT_MAX: '1000000'},
  )
  t.after(() => house.close())
  await house.config('shop-public')

  let isLoaded = false
  const loading = configOf(house.config('costly-site')).finally(() => {
    isLoaded = true
  })
  let served = 0
  for (; !isLoaded; served++) assert.equal((await house.config('shop-public')).status, 200)
  assert.equal((await loading).tools.length, costly.length - 1, 'the one with a mistake is left out')
  // Parsed on the event loop, each of the four would let only one or two requests through.
  assert.ok(served > 30, `${served} requests were served meanwhile`)
})

function documentOf(tools: Partial<SiteDocument['tools'][number]>[]): SiteDocument {
  return {
    _id: 'site',
    _rev: 'first',
    publicId: 'shop-public',
    enabled: null,
    pollInterval: 300,
    formTools: [],
    tools: tools.map((fields, number) => ({
      _id: `tool-${number}`,
      _rev: 'first',
      name: `tool${number}`,
      description: 'Does it.',
      pathPattern: '/**',
      inputSchema: '{"type": "object", "properties": {}}',
      executeJs: 'return 1',
      exposedTo: [],
      annotations: null,
      title: null,
      outputSchema: null,
      ...fields,
    })),
  }
}

test('a long tool is parsed like a short one: same members, same problems', async (t) => {
  const compiler = new SiteCompiler()
  t.after(() => compiler.close())
  const comment = `\n// ${'long '.repeat(2_000)}`
  const short = documentOf([{executeJs: 'return "ä"'}, {executeJs: 'return {'}, {name: 'a b'}])
  const long = documentOf([
    {executeJs: `return "ä"${comment}`},
    {executeJs: `return {${comment}`},
    {name: 'a b', executeJs: `return 1${comment}`},
  ])
  const [one, other] = [await compiler.compile(short), await compiler.compile(long)]
  assert.deepEqual(
    one.invalid.map(({field, documentId}) => [field, documentId]),
    other.invalid.map(({field, documentId}) => [field, documentId]),
  )
  assert.equal(
    one.texts.tools()[0],
    other.texts.tools()[0]?.replace(JSON.stringify(comment).slice(1, -1), ''),
  )
})

test('long lists of origins are parsed in the worker too, and a tool that cannot be sent there still works', async (t) => {
  const compiler = new SiteCompiler()
  t.after(() => compiler.close())
  const exposedTo = Array.from({length: 2_000}, (_, number) => `https://a${number}.example`)
  const site = await compiler.compile(documentOf([{exposedTo}, {}]))
  assert.equal(site.count, 2)
})
