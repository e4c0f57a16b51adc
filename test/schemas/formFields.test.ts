import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseFormFields} from '../../schemas/fields/formFields.ts'
import {accepted, problemOf} from './rules/problem.ts'

test('a field has a name, and a title or a description', () => {
  const fields = [
    {name: 'email', title: 'Email', description: 'Where we reply.'},
    {name: 'items[]', description: 'What to send.'},
    {name: 'date', title: 'Day'},
  ]
  assert.deepEqual(accepted(parseFormFields(fields)), fields)
  const stored = {_key: 'a', _type: 'field', name: 'email', title: null, description: 'Where we reply.'}
  assert.deepEqual(accepted(parseFormFields([stored])), [{name: 'email', description: 'Where we reply.'}])
  for (const none of [undefined, null, []]) assert.deepEqual(accepted(parseFormFields(none)), [])
})

const REFUSED: [fields: unknown, problem: RegExp][] = [
  ['email', /must be a list/],
  [['email'], /object with a name/],
  [[{title: 'Email'}], /name of a field is missing/],
  [[{name: 'email'}], /"email" has neither a title nor a description/],
  [[{name: 'email', title: 'E\u200bmail'}], /title of the field "email" contains the invisible/],
  [[{name: 'email', description: ' '}], /description of the field "email" is empty/],
  [[{name: 'email', description: 'x'.repeat(1_001)}], /shorten it to 1,000/],
  [Array.from({length: 2}, () => ({name: 'email', title: 'Email'})), /fields have “email” twice/],
  [Array.from({length: 101}, (_, i) => ({name: `f${i}`, title: 'A'})), /at most 100 entries, and it has 101/],
]
for (const [fields, problem] of REFUSED) {
  test(`fields are refused: ${problem.source}`, () => {
    assert.match(problemOf(parseFormFields(fields)) ?? '', problem)
  })
}
