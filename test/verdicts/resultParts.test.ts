import assert from 'node:assert/strict'
import {test} from 'node:test'
import {plainStepsOf} from '../../schemas/rules/names/memberPath.ts'
import {resultParts} from '../../verdicts/resultParts.ts'

const REQUEST = {method: 'GET', address: '/api/events'}
const members = [{path: 'title'}, {path: 'place.name', name: 'first name'}]

const TOOLS: readonly [what: string, tool: Record<string, unknown>, parts: readonly string[]][] = [
  [
    'an output schema',
    {
      outputSchema: JSON.stringify({
        type: 'object',
        properties: {
          total: {type: 'integer'},
          data: {type: 'array', items: {type: 'object', properties: {title: {}, '2nd': {}, 'a"b': {}}}},
        },
      }),
    },
    ['total', 'data', 'data[0]', 'data[0].title', 'data[0].2nd', 'data[0]["a\\"b"]'],
  ],
  [
    'a list of a request',
    {action: 'request', request: {...REQUEST, result: {kind: 'list', members}}},
    ['[0].title', '[0]["first name"]'],
  ],
  [
    'one thing of a request',
    {action: 'request', request: {...REQUEST, result: {kind: 'object', members}}},
    ['title', '["first name"]'],
  ],
  ['the text of a request', {action: 'request', request: {...REQUEST, result: {kind: 'text'}}}, []],
  [
    'parts of a page',
    {
      action: 'reading',
      reading: {
        parts: [
          {name: 'hours', kind: 'table', selector: 'table', columns: ['Day']},
          {name: 'notes', kind: 'list', selector: 'ul'},
          {name: 'more', kind: 'links', selector: 'nav'},
          {name: 'title', kind: 'text', selector: 'h1'},
        ],
      },
    },
    ['hours', 'hours[0].Day', 'notes', 'notes[0]', 'more', 'more[0].text', 'more[0].address', 'title'],
  ],
  ['an action that is not complete', {action: 'request', request: {}}, []],
  ['an output schema that is not complete', {outputSchema: '{"type":'}, []],
  ['a script', {executeJs: 'return 1'}, []],
]
for (const [what, tool, parts] of TOOLS) {
  test(`${what} has the parts: ${parts.join(', ') || 'none'}`, () => {
    assert.deepEqual(resultParts(tool), parts)
    for (const part of parts) assert.notEqual(plainStepsOf(part), undefined, part)
  })
}

test('a large schema has the first 50 parts', () => {
  const properties = Object.fromEntries(Array.from({length: 80}, (_, at) => [`a${at}`, {}]))
  assert.equal(resultParts({outputSchema: JSON.stringify({type: 'object', properties})}).length, 50)
})
