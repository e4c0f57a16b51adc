import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {SiteError} from '../../../service/errors.ts'
import {configOf} from '../../support/answers.ts'
import type {ContentDocument} from '../../support/content.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, runHouse} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {compileSite} from '../support/compile.ts'

async function houseOf(t: TestContext, documents: ContentDocument[]): Promise<House> {
  return runHouse(t, [siteDocument(), ...documents])
}

/** Compiles a site with these tools and form tools, in this order. */
function compiled(documents: readonly ContentDocument[], site: Partial<ContentDocument> = {}) {
  const revised = documents.map((document) => ({...document, _rev: '1'}))
  return compileSite({
    ...siteDocument(site),
    _rev: '1',
    tools: revised.filter(({_type}) => _type === 'tool'),
    formTools: revised.filter(({_type}) => _type === 'formTool'),
  })
}

const leftOut = ({lines}: House) => lines.filter(({msg}) => msg === 'skipping a document that breaks a rule')

test('an invalid document is left out and reported by field, and the site is compiled without it', async () => {
  const broken: [field: string, document: ContentDocument][] = [
    ['name', toolDocument({name: 'search products'})],
    ['name', toolDocument({name: undefined})],
    ['description', toolDocument({description: '   '})],
    ['pathPattern', toolDocument({pathPattern: '/a**b'})],
    ['pathPattern', toolDocument({pathPattern: 7})],
    ['inputSchema', toolDocument({inputSchema: '{"type": "object"'})],
    ['inputSchema', toolDocument({inputSchema: '{"type": "array"}'})],
    ['executeJs', toolDocument({executeJs: 'return {'})],
    ['exposedTo', toolDocument({exposedTo: ['https://ok.example', 'http://a.example']})],
    ['annotations', toolDocument({annotations: {readOnlyHint: 'maybe'}})],
    ['annotations', toolDocument({annotations: {debugging: 'true'}})],
    ['title', toolDocument({title: 'Two\nlines'})],
    ['pagePath', formToolDocument({pagePath: '/(a|b)'})],
    ['selector', formToolDocument({selector: 'form['})],
    ['fields', formToolDocument({fields: [{name: 'email'}]})],
  ]
  const documents = broken.map(([, document], i) => ({
    ...document,
    _id: `broken-${i}`,
    ...(document.name === 'searchProducts' || document.name === 'contactUs' ? {name: `tool${i}`} : {}),
  }))
  const {count, invalid} = await compiled([...documents, toolDocument({_id: 'good'})])
  assert.equal(count, 1)
  assert.deepEqual(
    invalid.map(({documentId, field}) => [documentId, field]),
    broken.map(([field], i) => [`broken-${i}`, field]),
  )
})

test('an invalid document is reported once per revision', async (t) => {
  const house = await houseOf(t, [toolDocument({name: 'a b'})])
  await house.config('shop-public')
  await house.repository.commit([formToolDocument()])
  await eventually(async () => (await configOf(house.config('shop-public'))).formTools.length, 1)
  assert.equal(leftOut(house).length, 1, 'the same revision, compiled twice')
  await house.repository.commit([toolDocument({name: 'c d'})])
  await eventually(async () => {
    await house.config('shop-public')
    return leftOut(house).length
  }, 2)
})

test('of two tools with one name only the first is served: a browser refuses the second', async () => {
  const {texts, toolCount, count, invalid} = await compiled([
    toolDocument({_id: 'a', description: 'First.'}),
    toolDocument({_id: 'b', description: 'Second.'}),
    formToolDocument({name: 'searchProducts'}),
  ])
  assert.deepEqual([toolCount, count, invalid.length], [1, 1, 2])
  assert.match(texts.tools().join(), /First\./)
})

test('an invalid poll interval is reported, and the default is used', async () => {
  const {pollInterval, invalid} = await compiled([], {pollInterval: 5})
  assert.equal(pollInterval, 300)
  assert.deepEqual(
    invalid.map(({field}) => field),
    ['pollInterval'],
  )
})

test('a site that is too large is refused before all its tools are read', async () => {
  const read = new Set<number>()
  const tools = Array.from({length: 100}, (_, number) => ({
    ...toolDocument({name: `tool${number}`}),
    _rev: '1',
    get _id() {
      read.add(number)
      return `tool-${number}`
    },
  }))
  const site = {...siteDocument(), _rev: '1', tools, formTools: []}
  await assert.rejects(compileSite(site, undefined, 10_000), SiteError)
  assert.ok(read.size > 1 && read.size < 50, `${read.size} tools`)
})
