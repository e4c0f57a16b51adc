import assert from 'node:assert/strict'
import {test} from 'node:test'
import {fieldsOf, titleOf} from '../../cli/fields.ts'

test('a field has its title in Studio, also with the path to a part of it, and a hint its name', () => {
  assert.equal(titleOf('tool', 'executeJs'), 'Script')
  assert.equal(titleOf('tool', 'tests.0.page'), 'Tests')
  assert.equal(titleOf('tool', 'annotations.readOnlyHint'), 'readOnlyHint')
  assert.equal(titleOf('constructor', 'name'), 'name')
})

test('only types of Handrail have known fields', () => {
  assert.ok(fieldsOf('site').includes('publicId'))
  assert.deepEqual(fieldsOf('constructor'), [])
})
