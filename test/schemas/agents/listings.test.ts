import assert from 'node:assert/strict'
import {test} from 'node:test'
import {CONSUMERS} from '../../../schemas/agents/consumers.ts'
import {listForConsumers, type OfferedTool} from '../../../schemas/agents/listings.ts'
import {inShort, READS, TABLE, tool} from './table.ts'

test('the table has 30 tools', () => assert.equal(TABLE.length, 30))

for (const {consumer, listings} of listForConsumers(TABLE.map(([offered]) => offered))) {
  test(`${consumer.title} lists 30 tools as the table says`, () => {
    assert.deepEqual(
      listings.map(inShort),
      TABLE.map(([, expected]) => expected[consumer.id] ?? expected.others),
    )
  })
}

test('which of two equal names gets a number does not depend on the order of the documents', () => {
  const namesOf = (tools: OfferedTool[]) =>
    listForConsumers(tools)
      .find(({consumer}) => consumer.id === 'playwright')
      ?.listings.map(({name}) => name)
  assert.deepEqual(namesOf([tool('cart_view'), tool('cart.view')]), [
    'webmcp_cart_view_2',
    'webmcp_cart_view',
  ])
})

test('the table names only consumers that are known, and each has a source and a date', () => {
  const ids = new Set(CONSUMERS.map(({id}) => id))
  assert.equal(ids.size, CONSUMERS.length)
  const named = TABLE.flatMap(([, expected]) => Object.keys(expected)).filter((id) => id !== 'others')
  assert.deepEqual(
    named.filter((id) => !ids.has(id)),
    [],
  )
  for (const {source, date} of CONSUMERS) {
    assert.ok(source.length > 5)
    assert.match(date, /^2026-\d\d-\d\d$/)
  }
})

test('a page with more tools than ChatGPT’s browser was seen to list says so for each tool', () => {
  const many = Array.from({length: 31}, (_, index) => tool(`tool${index}`, READS))
  for (const {consumer, listings} of listForConsumers(many))
    for (const {remarks} of listings)
      assert.equal(
        remarks.some(({code}) => code === 'PAGE_TOO_FULL'),
        consumer.id === 'chatgpt',
      )
})
