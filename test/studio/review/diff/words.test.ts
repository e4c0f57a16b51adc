import assert from 'node:assert/strict'
import {test} from 'node:test'
import {wordRows} from '../../../../studio/review/diff/words.ts'

const SITES = new Map([
  ['shop', 'Harbour Supply'],
  ['library', 'Town Library'],
])
const schema = (properties: object, others: object = {}) =>
  JSON.stringify({type: 'object', properties, ...others})
const query = {type: 'string', description: 'What to look for'}

type Row = [label: string, before: string | undefined, after: string | undefined]

const ROWS: [what: string, field: string, before: unknown, after: unknown, rows: Row[] | undefined][] = [
  ['a switch', 'enabled', true, false, [['', 'Yes', 'No']]],
  ['a switch of a new tool', 'enabled', undefined, true, [['', undefined, 'Yes']]],
  [
    'a reference',
    'site',
    {_type: 'reference', _ref: 'shop'},
    {_type: 'reference', _ref: 'library', _weak: true},
    [['', 'Harbour Supply', 'Town Library']],
  ],
  ['a reference to an unknown site', 'site', undefined, {_ref: 'x'}, [['', undefined, 'x']]],
  [
    'a reference that names the same site in another way',
    'site',
    {_ref: 'shop'},
    {_ref: 'shop', _weak: true},
    [['As JSON', '{"_ref":"shop"}', '{"_ref":"shop","_weak":true}']],
  ],
  [
    'hints, only those that change',
    'annotations',
    {readOnlyHint: 'auto', consequentialHint: 'auto'},
    {readOnlyHint: 'auto', consequentialHint: 'false', debugging: true},
    [
      ['Consequential', 'Auto: the name of the tool decides', 'No'],
      ['For developers only', undefined, 'Yes'],
    ],
  ],
  [
    'parameters',
    'inputSchema',
    schema({query, page: {type: 'integer', minimum: 1}}),
    schema({query, sort: {type: 'string', enum: ['price', 'name']}}, {required: ['query']}),
    [
      ['Parameter “query”', 'Text\nWhat to look for', 'Text, required\nWhat to look for'],
      ['Parameter “page”', 'Whole number\nminimum: 1', undefined],
      ['Parameter “sort”', undefined, 'One of a list\nOne of: price, name'],
    ],
  ],
  [
    'a keyword of the schema as a whole',
    'inputSchema',
    schema({}),
    schema({}, {additionalProperties: false}),
    [['Parameters “additionalProperties”', undefined, 'false']],
  ],
  ['parameters that are no table', 'inputSchema', schema({}), '{"type": "array"', undefined],
  [
    'addresses',
    'addresses',
    ['https://a.example'],
    ['https://a.example', 'https://b.example'],
    [['', 'https://a.example', 'https://a.example\nhttps://b.example']],
  ],
  [
    'fields of a form',
    'fields',
    [{_key: '1', name: 'card', title: 'Card'}],
    [{_key: '1', name: 'card', title: 'Library card', description: 'Its number'}],
    [['Field “card”', 'Card', 'Library card\nIts number']],
  ],
  ['what a tool does', 'action', undefined, 'link', [['', undefined, 'Opens a page']]],
  [
    'a request',
    'request',
    {address: '/api/events', result: {kind: 'list', path: 'data.items', members: [{path: 'title'}]}},
    {
      address: '/api/events',
      query: [{_key: '1', name: 'q', parameter: 'query'}],
      result: {
        kind: 'list',
        path: 'data.items',
        members: [{path: 'title'}, {name: 'when', path: 'date'}],
        limit: 5,
      },
    },
    [
      ['Returns', 'title (of data.items, at most 10)', 'title, when from date (of data.items, at most 5)'],
      ['Sends in the address', undefined, 'q = {query}'],
    ],
  ],
  [
    'a reading',
    'reading',
    undefined,
    {parts: [{_key: '1', name: 'hours', selector: 'table.hours', kind: 'table', columns: ['Day', 'Open']}]},
    [['Reads “hours”', undefined, 'the table table.hours (columns Day, Open; at most 30)']],
  ],
  ['a page that breaks a rule', 'link', undefined, {address: 'x'}, [['', undefined, '{"address":"x"}']]],
  ['a poll interval', 'pollInterval', 300, 86_400, [['', '300 seconds', '86,400 seconds']]],
  [
    'which calls visitors are asked about',
    'askBefore',
    'never',
    'changes',
    [['', 'Never', 'Before everything that is not read-only']],
  ],
  ['the review', 'review', 'all', 'none', [['', 'Every change', 'No review']]],
  ['a text', 'description', 'Old', 'New', undefined],
  ['a script', 'executeJs', 'return 1', 'return 2', undefined],
  ['a value of another kind', 'enabled', true, {on: 1}, [['', 'Yes', '{"on":1}']]],
]

for (const [what, field, before, after, expected] of ROWS) {
  test(`a review shows ${what} ${expected === undefined ? 'line by line' : 'in words'}`, () => {
    const rows = wordRows({field, before, after}, SITES)
    assert.deepEqual(
      rows?.map((row) => [row.label, row.before, row.after]),
      expected,
    )
  })
}
