import assert from 'node:assert/strict'
import {test} from 'node:test'
import {fieldTitle} from '../../../schemas/diagnosis/titles.ts'

test('a field is called by its title, and by its name if it has none', () => {
  assert.equal(fieldTitle('tool', 'executeJs'), 'Script')
  assert.equal(fieldTitle('tool', 'unheardOf'), 'unheardOf')
})
