import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {SiteCompiler} from '../../../service/site/compile.ts'
import {ToolReader} from '../../../service/site/toolReader.ts'
import type {SiteDocument} from '../../../service/upstream/siteDocument.ts'
import {documentOf, type ToolDocument, toolOf} from '../support/entries.ts'

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

/** Seconds do not matter here: on a busy machine, a tool takes many times as long. */
const PATIENT = 600_000

test('while a site with expensive tools is compiled, the event loop has turns for others', async (t) => {
  const compiler = new SiteCompiler(new ToolReader(PATIENT))
  t.after(() => compiler.close())
  let isCompiled = false
  const compiling = compiler.compile(siteOf(Object.values(COSTLY))).finally(() => {
    isCompiled = true
  })
  let turns = 0
  for (; !isCompiled; turns++) await setTimeout(1) // a request of another site
  const {count, invalid} = await compiling
  assert.deepEqual([count, invalid.length], [3, 1], 'the one with a mistake is left out')
  // Parsed on the event loop, each of the four would let only one or two turns through.
  assert.ok(turns > 30, `${turns} turns`)
})

test('a tool that takes too long is invalid, and the next one is read', async (t) => {
  const reader = new ToolReader(1)
  const compiler = new SiteCompiler(reader)
  t.after(() => compiler.close())
  const {invalid} = await compiler.compile(siteOf([COSTLY['a declaration of many names'], {}]))
  assert.deepEqual(
    invalid.map(({field, problem}) => [field, /takes more than 0.001 seconds/.test(problem)]),
    [['executeJs', true]],
  )
})

test('after it is closed, a service starts no thread', async () => {
  const compiler = new SiteCompiler()
  const executeJs = `return 1 // ${'long '.repeat(2_000)}`
  const compiling = compiler.compile(siteOf([{executeJs}]))
  await compiler.close()
  await assert.rejects(compiling)
  await assert.rejects(compiler.compile(siteOf([{executeJs}])), /stopping/)
})

function siteOf(tools: Partial<ToolDocument>[]): SiteDocument {
  return {...documentOf('shop-public'), tools: tools.map((fields, number) => toolOf(number, fields))}
}

test('a long tool is parsed like a short one: same members, same problems', async (t) => {
  const compiler = new SiteCompiler(new ToolReader(PATIENT))
  t.after(() => compiler.close())
  const comment = `\n// ${'long '.repeat(2_000)}`
  const short = siteOf([{executeJs: 'return "ä"'}, {executeJs: 'return {'}, {name: 'a b'}])
  const long = siteOf([
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
  const compiler = new SiteCompiler(new ToolReader(PATIENT))
  t.after(() => compiler.close())
  const exposedTo = Array.from({length: 2_000}, (_, number) => `https://a${number}.example`)
  const site = await compiler.compile(siteOf([{exposedTo}, {}]))
  assert.equal(site.count, 2)
})
