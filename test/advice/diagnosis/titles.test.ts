import assert from 'node:assert/strict'
import {test} from 'node:test'
import {fieldTitle} from '../../../advice/diagnosis/titles.ts'

test('a field has its title in Studio, also with the path to a part of it, and a hint its name', () => {
  assert.equal(fieldTitle('tool', 'executeJs'), 'Script')
  assert.equal(fieldTitle('tool', 'tests.0.page'), 'Tests')
  assert.equal(fieldTitle('tool', 'annotations.readOnlyHint'), 'readOnlyHint')
  assert.equal(fieldTitle('constructor', 'name'), 'name')
})
