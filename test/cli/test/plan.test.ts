import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import type {Snapshot} from '../../../advice/changes/compare.ts'
import {checkSite} from '../../../advice/diagnosis/site.ts'
import {evalsOf} from '../../../cli/test/evals.ts'
import {changedSince, planTests, type TestPlan} from '../../../cli/test/plan.ts'
import {serveOffline} from '../../../service/offline.ts'
import type {ContentDocument} from '../../support/content.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'

const TEST = {_key: 'a', _type: 'test', title: 'Finds ropes', page: '/products?sort=price'}
const ROPE = {arguments: [{name: 'query', value: 'rope'}]}

function snapshotOf(documents: readonly ContentDocument[]): Snapshot {
  return new Map(documents.map((one) => [one._id, {...one, _rev: JSON.stringify(one).length.toString()}]))
}

async function plan(
  tools: readonly ContentDocument[],
  derived: 'none' | 'reading' | 'all' = 'none',
  readsOnly = false,
): Promise<TestPlan> {
  const documents = snapshotOf([siteDocument(), ...tools])
  const offline = await serveOffline('shop-public', [...documents.values()])
  assert.ok(offline)
  return planTests({
    site: checkSite('shop', [...documents.values()]),
    documents,
    configOn: offline.configOn,
    placeOf: (id, index) => ({path: `${id}.json`, line: 10 + (index ?? 0)}),
    isWanted: () => true,
    readsOnly,
    askBefore: 'never',
    derived,
  })
}

test('a test has the tool as the page gets it, with arguments of the kinds of its parameters', async () => {
  const schema = {type: 'object', properties: {query: {type: 'string'}, limit: {type: 'integer'}}}
  const typed = [...ROPE.arguments, {name: 'limit', value: '3'}]
  const executeJs = "return document.querySelector('#a')"
  const tests = [{...TEST, arguments: typed}]
  const [planned] = (await plan([toolDocument({tests, executeJs, inputSchema: JSON.stringify(schema)})]))
    .tests
  assert.ok(planned?.tool)
  const {readsOnly, selectors, script} = planned.tool
  assert.deepEqual([readsOnly, selectors, script], [true, ['#a'], executeJs])
  assert.deepEqual(planned.argumentsFor(planned.schema), {query: 'rope', limit: 3})
  assert.deepEqual(planned.place, {path: 'search.json', line: 10})
})

test('tests of a tool that is off, or that says nowhere that it is on, are left out with a note', async () => {
  for (const enabled of [false, undefined])
    assert.deepEqual(await plan([toolDocument({tests: [TEST], enabled})]), {
      tests: [],
      notes: ['searchProducts is switched off: 1 test left out.'],
    })
})

test('a test that cannot run says why', async () => {
  const problemOf = async (tool: ContentDocument) => (await plan([tool])).tests.map(({problem}) => problem)
  assert.match(
    String(await problemOf(toolDocument({tests: [{...TEST, page: '/about'}], pathPattern: '/products/**'}))),
    /^\/about does not offer the tool\. Its pattern is \/products\/\*\*\./,
  )
  assert.match(
    String(await problemOf(toolDocument({tests: [TEST], executeJs: 'return ('}))),
    /does not offer the tool\. Its field “Script” breaks a rule: /,
  )
  assert.deepEqual(await problemOf(toolDocument({tests: [{page: '/'}]})), ['The title of test 1 is missing.'])
  assert.match(
    String(await problemOf(formToolDocument({tests: [{...TEST, page: '/contact'}]}))),
    /^The form waits for a person\./,
  )
  assert.deepEqual(await problemOf(toolDocument({tests: [TEST], enabled: false})), [], 'it is off')
})

describe('derived tests', () => {
  const order = toolDocument({_id: 'order', name: 'placeOrder'})

  test('call tools that only read, on a page of a test or of the pattern', async () => {
    const {tests} = await plan([toolDocument({tests: [{...TEST, ...ROPE}]}), order], 'reading')
    const derived = tests.filter(({title}) => title.startsWith('derived: '))
    assert.deepEqual(
      [...new Set(derived.map(({toolName, page}) => `${toolName} ${page}`))],
      ['searchProducts /products?sort=price'],
    )
    assert.deepEqual(
      derived.map(({argumentsFor}) => argumentsFor({})),
      [{}, {query: 'rope'}, {query: 12}],
    )
  })

  test('call others only if that is asked for', async () => {
    const toolsOf = ({tests}: TestPlan) => new Set(tests.map(({toolName}) => toolName))
    assert.deepEqual(toolsOf(await plan([order], 'reading')), new Set())
    assert.deepEqual(toolsOf(await plan([order], 'all')), new Set(['placeOrder']))
  })

  test('say what is not known', async () => {
    const inputSchema = '{"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}'
    const {notes} = await plan([toolDocument({inputSchema, pathPattern: '/*/x'})], 'reading')
    assert.deepEqual(notes, ['searchProducts: its pattern names no page. Write a test, which does.'])
    assert.match(
      String((await plan([toolDocument({inputSchema})], 'reading')).notes),
      /no value is known for “id”/,
    )
  })
})

test('tests of tools that may change something can be left out, however they came about', async () => {
  const order = toolDocument({_id: 'order', name: 'placeOrder', tests: [{...TEST, page: '/'}]})
  const {tests, notes} = await plan([toolDocument({tests: [TEST]}), order], 'reading', true)
  assert.deepEqual(new Set(tests.map(({toolName}) => toolName)), new Set(['searchProducts']))
  assert.deepEqual(notes, ['placeOrder: 1 test left out, because it may change something.'])
})

test('tools that the page decides about are tested as the others', async () => {
  const offeredWhile = {has: ['.account']}
  const [search] = (await plan([toolDocument({tests: [TEST], offeredWhile})], 'reading', true)).tests
  assert.deepEqual([search?.tool?.name, search?.tool?.readsOnly], ['searchProducts', true])
  const form = formToolDocument({tests: [{...TEST, page: '/contact'}], offeredWhile})
  const [contact] = (await plan([form])).tests
  assert.match(String(contact?.problem), /^The form waits for a person\./)
  const {tests} = await plan([toolDocument({offeredWhile})], 'reading')
  assert.ok(tests.length > 0 && tests.every(({tool}) => tool?.name === 'searchProducts'))
})

test('changed tools are those of the site whose revision differs', () => {
  const [search, contact] = [toolDocument(), formToolDocument()]
  const base = snapshotOf([siteDocument(), search, contact])
  const added = toolDocument({_id: 'new', name: 'getNew'})
  const elsewhere = toolDocument({_id: 'other', site: {_ref: 'b', _type: 'reference'}})
  const now = snapshotOf([siteDocument(), {...search, description: 'Searches.'}, contact, added, elsewhere])
  assert.deepEqual([...changedSince(base, now, 'shop')].sort(), ['new', 'search'])
})

test('evals have one file for each page, with the calls that should succeed', async () => {
  const tests = [
    {...TEST, ...ROPE, prompt: 'Do you have ropes?'},
    {...TEST, title: 'Works', page: '/'},
    {...TEST, title: 'Refuses', expect: [{kind: 'fails'}], prompt: 'Nothing.'},
  ]
  const planned = (await plan([toolDocument({tests})])).tests
  assert.deepEqual(evalsOf(planned, 'out/evals.json'), [
    {
      path: 'out/evals.products-sort-price.json',
      page: '/products?sort=price',
      cases: [
        {
          name: 'searchProducts: Finds ropes',
          messages: [{role: 'user', type: 'message', content: 'Do you have ropes?'}],
          expectedCall: [{functionName: 'searchProducts', arguments: {query: 'rope'}}],
        },
      ],
    },
  ])
})
