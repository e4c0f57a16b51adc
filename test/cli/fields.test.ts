import assert from 'node:assert/strict'
import {test} from 'node:test'
import {fieldsOf, TYPES, titleOf} from '../../cli/fields.ts'
import {schemaTypes} from '../../schemas/index.ts'

test('types, fields and titles are those of the schema', () => {
  assert.deepEqual(TYPES.toSorted(), schemaTypes.map(({name}) => name).sort())
  for (const type of schemaTypes) {
    const titles = type.fields.map(({name, title}) => [name, title])
    const known = fieldsOf(type.name).map((name) => [name, titleOf(type.name, name)])
    assert.deepEqual(known.sort(), titles.sort())
  }
})
