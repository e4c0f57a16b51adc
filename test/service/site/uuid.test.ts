import assert from 'node:assert/strict'
import {test} from 'node:test'
import {uuidOf} from '../../../service/site/uuid.ts'

/** Computed by `uuid.uuid5` of Python. Pages store them, so they never change. */
const UUIDS = {
  'tool-1': '299875cf-b6c5-5e6c-8b04-98a7854e318f',
  'tool.1-für-alle-🛒': 'da7e0344-b95b-5bdd-9513-9d94a87302db',
}

for (const [id, uuid] of Object.entries(UUIDS)) {
  test(`the ID ${id}, which is not a UUID, gets the version 5 UUID ${uuid}`, () => {
    assert.equal(uuidOf(id), uuid)
  })
}

test('an ID that is a UUID stays as it is', () => {
  for (const id of ['00000000-0000-0000-0000-000000000000', 'F47AC10B-58CC-4372-A567-0E02B2C3D479'])
    assert.equal(uuidOf(id), id)
})
