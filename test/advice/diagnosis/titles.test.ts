import assert from 'node:assert/strict'
import {test} from 'node:test'
import {fieldsOf, fieldTitle} from '../../../advice/diagnosis/titles.ts'

test('a field has its title in Studio, also with the path to a part of it, and a hint its name', () => {
  assert.equal(fieldTitle('tool', 'executeJs'), 'Script')
  assert.equal(fieldTitle('tool', 'tests.0.page'), 'Tests')
  assert.equal(fieldTitle('tool', 'annotations.readOnlyHint'), 'readOnlyHint')
  assert.equal(fieldTitle('constructor', 'name'), 'name')
})

test('only types of Handrail have known fields', () => {
  assert.ok(fieldsOf('site').includes('publicId'))
  assert.deepEqual(fieldsOf('constructor'), [])
})
