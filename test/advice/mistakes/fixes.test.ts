import assert from 'node:assert/strict'
import {test} from 'node:test'
import {fixed} from '../../../advice/fix.ts'
import {documentOf, judge} from './row.ts'
import {ROWS} from './rows.ts'

test('a fix puts right what its advice is about, and breaks no rule', async () => {
  const codes = new Set<string>()
  for (const [what, change] of ROWS) {
    const {refusals, advice} = await judge(change)
    for (const one of refusals.length > 0 ? [] : advice) {
      const document = documentOf(change)
      const result = fixed(one, document)
      assert.equal(result === undefined, one.fix === undefined, what)
      if (result === undefined) continue
      codes.add(one.code)
      const after = await judge({...change, [result.field]: result.value})
      assert.deepEqual(after.refusals, [], `${what}: ${result.value}`)
      const same = (list: typeof advice) => list.filter(({code}) => code === one.code).length
      assert.equal(same(after.advice), same(advice) - 1, `${what}: ${result.value}`)
    }
  }
  assert.ok(codes.size >= 9, [...codes].join())
})

test('a fix keeps the rest of its field', async () => {
  const {advice} = await judge({executeJs: '// Reads them.\nreturn args.town\n'})
  const unknown = advice.find(({code}) => code === 'ARGUMENT_UNKNOWN')
  assert.ok(unknown)
  const text = '{"title": "Where",\n  "properties": {"city": {"type": "string"}}}'
  const {field, value} = fixed(unknown, {inputSchema: text}) ?? {}
  assert.equal(field, 'inputSchema')
  assert.ok(String(value).startsWith('{"title": "Where",\n'))
  assert.deepEqual(Object.keys(JSON.parse(String(value)).properties), ['city', 'town'])
})

test('a parameter that a fix removes is no longer required', async () => {
  const schema = {type: 'object', properties: {city: {type: 'string'}}, required: ['city']}
  const {advice} = await judge({inputSchema: JSON.stringify(schema), executeJs: 'return 1'})
  const unread = advice.find(({code}) => code === 'PARAMETER_UNREAD')
  assert.ok(unread)
  const {value} = fixed(unread, {inputSchema: JSON.stringify(schema)}) ?? {}
  assert.deepEqual(JSON.parse(String(value)), {type: 'object', properties: {}, required: []})
})
