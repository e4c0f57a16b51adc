import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Verdicts} from '../../../advice/diagnosis/verdicts.ts'
import {brokenFields} from '../../../cli/check/rules.ts'
import {GOOD_FILES} from '../../support/brokenRepositories/documents.ts'

const TOOL = {
  ...JSON.parse(GOOD_FILES['tool/menu.json'] ?? ''),
  executeJs: 'return 1',
  inputSchema: '{"type": "object", "properties": {}}',
}
const REQUEST = {address: '/api/menu', query: [{name: 'a', value: '1'}], result: {kind: 'text'}}
const ACTIONS = [
  {...TOOL, executeJs: undefined, action: 'request', request: REQUEST},
  {...TOOL, executeJs: undefined, action: 'link', link: {address: '/menu'}},
]
const FORM = JSON.parse(GOOD_FILES['formTool/table.json'] ?? '')

/** Values that the rules of some fields accept and those of others refuse. */
const VALUES: readonly unknown[] = [
  undefined,
  null,
  '',
  'x',
  '/x',
  'a b',
  '{',
  5,
  true,
  [],
  {},
  ['x'],
  [{}],
  'x'.repeat(2e5),
]

test('a document breaks a rule exactly if the service leaves it out', () => {
  for (const [type, document] of [
    ['tool', TOOL],
    ...ACTIONS.map((tool) => ['tool', tool] as const),
    ['formTool', FORM],
  ] as const) {
    for (const field of [
      ...Object.keys(document),
      'title',
      'outputSchema',
      'exposedTo',
      'annotations',
      'fields',
    ]) {
      // The service reads any value of these as false, while Studio refuses anything but a switch.
      if (/^_|^(?:enabled|autosubmit|site)$/.test(field)) continue
      for (const value of VALUES) {
        const changed = {...document, [field]: value, _rev: '1'}
        const {broken} = new Verdicts().of(type, changed)
        const [first] = brokenFields(type, changed)
        assert.deepEqual(first, broken, `${type}.${field} = ${JSON.stringify(value)?.slice(0, 40)}`)
      }
    }
  }
})
