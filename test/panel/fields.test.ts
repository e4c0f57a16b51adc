import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {fieldsOf, readFields} from '../../panel/fields.ts'

const schema = {
  type: 'object',
  properties: {
    query: {type: 'string', description: 'Words', examples: ['rope', 'lamp']},
    price: {type: 'number', default: 100},
    isOpen: {type: 'boolean'},
    size: {enum: [38, 39, 'other']},
    tags: {type: 'array', items: {type: 'string'}},
    since: {type: 'string', format: 'date'},
    address: {
      type: 'object',
      properties: {city: {type: 'string'}, zip: {type: 'integer'}},
      required: ['city'],
    },
    raw: {anyOf: [{type: 'string'}, {type: 'null'}]},
  },
  required: ['query'],
}
const fields = fieldsOf(schema)

describe('the fields of a tool', () => {
  test('have the kinds, examples and defaults of the input schema', () => {
    assert.deepEqual(
      fields.map(({name, kind}) => [name, kind]),
      [
        ['query', 'text'],
        ['price', 'number'],
        ['isOpen', 'boolean'],
        ['size', 'choice'],
        ['tags', 'texts'],
        ['since', 'date'],
        ['address', 'group'],
        ['raw', 'other'],
      ],
    )
    assert.deepEqual(fields[0]?.examples, ['rope', 'lamp'])
    assert.equal(fields[1]?.initial, '100')
    assert.deepEqual(fieldsOf(undefined), [])
  })

  test('are read as arguments, without those that are empty', () => {
    assert.deepEqual(readFields(fields, {query: 'rope'}), {ok: true, args: {query: 'rope', price: 100}})
    const typed = {
      query: 'rope',
      price: '4.5',
      isOpen: 'false',
      size: '39',
      tags: 'one\n\ntwo, three',
      since: '2026-03-31',
      'address.city': 'Kiel',
      'address.zip': '24103',
      raw: '{"deep": [null]}',
    }
    assert.deepEqual(readFields(fields, typed), {
      ok: true,
      args: {
        query: 'rope',
        price: 4.5,
        isOpen: false,
        size: 39,
        tags: ['one', 'two, three'],
        since: '2026-03-31',
        address: {city: 'Kiel', zip: 24103},
        raw: {deep: [null]},
      },
    })
  })

  test('name the first field that cannot be read', () => {
    const problems: [typed: Record<string, string>, at: string, problem: RegExp][] = [
      [{}, 'query', /required/],
      [{query: ' '}, 'query', /required/],
      [{query: 'a', price: 'cheap'}, 'price', /not a number/],
      [{query: 'a', raw: '{'}, 'raw', /not valid JSON/],
      [{query: 'a', 'address.zip': '24103'}, 'address.city', /required/],
    ]
    for (const [typed, at, problem] of problems) {
      const read = readFields(fields, typed)
      assert.ok(!read.ok)
      assert.equal(read.at, at)
      assert.match(read.problem, problem)
    }
  })
})
