import assert from 'node:assert/strict'
import {test} from 'node:test'
import {FIELD_TITLES, fieldTitle} from '../../../schemas/diagnosis/titles.ts'
import {schemaTypes} from '../../../schemas/index.ts'

test('the titles of fields are those of the schema types', () => {
  const titles = schemaTypes.map(({name, fields}) => [
    name,
    Object.fromEntries(fields.map((field) => [field.name, field.title])),
  ])
  assert.deepEqual(FIELD_TITLES, Object.fromEntries(titles))
})

test('a field without a title is called by its name', () => {
  assert.equal(fieldTitle('tool', 'executeJs'), 'Script')
  assert.equal(fieldTitle('tool', 'unheardOf'), 'unheardOf')
})
