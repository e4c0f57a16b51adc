import assert from 'node:assert/strict'
import {test} from 'node:test'
import {CONSUMERS} from '../../../advice/agents/consumers.ts'
import {listForConsumers} from '../../../advice/agents/listings.ts'
import {offeredTool} from '../../../advice/agents/offered.ts'
import {countListed, groupRemarks, hintsInWords} from '../../../advice/agents/words.ts'

const TOOLS = [
  offeredTool('tool', {
    name: 'findShoes',
    inputSchema: '{"type": "object", "properties": {"size": {"type": "string", "format": "size"}}}',
    annotations: {debugging: true},
  }),
  offeredTool('tool', {
    name: 'cart.add',
    inputSchema: '{"type": "object", "properties": {}}',
    outputSchema: '{',
  }),
  offeredTool('tool', {name: 'cart.remove', inputSchema: '{"type": "object", "properties": {}}'}),
  offeredTool('formTool', {name: 'contactUs', autosubmit: true}),
]

function listed(id: string) {
  const [found] = listForConsumers(
    TOOLS,
    CONSUMERS.filter((one) => one.id === id),
  )
  assert.ok(found)
  return found
}

test('remarks that are equal for several tools are one, and problems come first', () => {
  const remarks = groupRemarks(listed('playwright'))
  const destructive = remarks.find(({code, help}) => code === 'SEEN_AS_DESTRUCTIVE' && help !== undefined)
  assert.deepEqual(destructive?.tools, ['cart.add', 'cart.remove'])
  const waiting = groupRemarks(
    listForConsumers([...TOOLS, offeredTool('formTool', {name: 'askUs'})], CONSUMERS)[2] ??
      listed('playwright'),
  )
  assert.deepEqual([waiting[0]?.code, waiting[0]?.tools], ['FORM_WAITS', ['askUs']])
})

test('the count, the hints and the reason of a refusal are in words', () => {
  const draft = listed('draft')
  assert.equal(countListed(draft), '3 of 4 tools')
  const signedIn = offeredTool('tool', {name: 'listOrders', offeredWhile: {has: ['.account']}})
  const timed = offeredTool('formTool', {name: 'askUs', offeredWhile: {until: '2026-12-24T18:00:00Z'}})
  const [browsers] = listForConsumers([...TOOLS, signedIn, timed])
  assert.ok(browsers)
  assert.equal(countListed(browsers), '6 of 6 tools, 1 of them only at times')
  assert.match(groupRemarks(draft)[0]?.message ?? '', /Refused, because its parameters use "format"\./)
  assert.deepEqual(listed('playwright').listings.map(hintsInWords), [
    'read-only',
    'destructive',
    'destructive',
    'destructive',
  ])
})

test('a broken output schema, a missing hint and an unknown member are left out', () => {
  assert.deepEqual(TOOLS[1], {
    type: 'tool',
    name: 'cart.add',
    annotations: {},
    inputSchema: {type: 'object', properties: {}},
  })
  assert.deepEqual(TOOLS[0]?.annotations, {readOnlyHint: true, debugging: true})
})
