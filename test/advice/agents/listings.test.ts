import assert from 'node:assert/strict'
import {test} from 'node:test'
import {CONSUMERS} from '../../../advice/agents/consumers.ts'
import {listForConsumers, type OfferedTool} from '../../../advice/agents/listings.ts'
import {inShort, READS, TABLE, tool} from './table.ts'

test('the table has 30 tools', () => assert.equal(TABLE.length, 30))

for (const {consumer, listings} of listForConsumers(TABLE.map(([offered]) => offered))) {
  test(`${consumer.title} lists the tools as the table says`, () => {
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

test('a page with more tools than a consumer was seen to list or announce says so for each tool', () => {
  const many = Array.from({length: 31}, (_, index) => tool(`tool${index}`, READS))
  const expected: Record<string, string> = {chatgpt: 'PAGE_TOO_FULL', 'agent-browser': 'ANNOUNCEMENT_CUT'}
  for (const {consumer, listings} of listForConsumers(many))
    for (const {remarks} of listings) assert.equal(remarks[0]?.code, expected[consumer.id])
})

test('tools that a page has only at times are counted apart, and are a problem only with the others', () => {
  const page = (always: number, atTimes: number) =>
    listForConsumers([
      ...Array.from({length: always}, (_, index) => tool(`tool${index}`, READS)),
      ...Array.from({length: atTimes}, (_, index) => ({...tool(`late${index}`, READS), isConditional: true})),
    ]).find(({consumer}) => consumer.id === 'chatgpt')
  const [remark] = page(20, 11)?.listings[0]?.remarks ?? []
  assert.equal(remark?.severity, 'note')
  assert.match(remark?.message ?? '', /^This page has up to 31 tools, 20 of them always\. About 30 /)
  assert.equal(page(31, 1)?.listings[0]?.remarks[0]?.severity, 'problem')
  assert.deepEqual(page(20, 10)?.listings[0]?.remarks, [])
})

test('a question to the visitor is a problem for agents that end the call before it is answered', () => {
  const cut = listForConsumers([tool('order', {...READS, asksVisitor: true})]).flatMap(
    ({consumer, listings}) =>
      listings[0]?.remarks.some(({code}) => code === 'QUESTION_CUT') ? [consumer.id] : [],
  )
  assert.deepEqual(cut, ['agent-browser'])
})

test('“Submit without asking” is no help for a form whose site asks visitors', () => {
  const helpFor = (asksVisitor: boolean) =>
    listForConsumers([{type: 'formTool', name: 'contact', annotations: {}, autosubmit: false, asksVisitor}])
      .flatMap(({listings}) => listings[0]?.remarks ?? [])
      .find(({code}) => code === 'FORM_WAITS')?.help
  assert.match(helpFor(true) ?? '', /has no effect/)
  assert.match(helpFor(false) ?? '', /switch “Submit without asking” on/)
})
