import assert from 'node:assert/strict'
import {test} from 'node:test'
import {v5} from 'uuid'
import {uuidOf} from '../../../service/site/uuid.ts'

const NAMESPACE = '6f0dd51c-9f0b-5d38-a2b4-3c6f4c5f9a10'

test('an ID that is no UUID gets its version 5 UUID, as the package "uuid" computes it', () => {
  for (let number = 0; number < 1_000; number++)
    for (const id of [`tool-${number}`, `tool.${number}-für-alle-🛒`])
      assert.equal(uuidOf(id), v5(id, NAMESPACE))
})

test('an ID that is a UUID stays as it is', () => {
  for (const id of ['00000000-0000-0000-0000-000000000000', 'F47AC10B-58CC-4372-A567-0E02B2C3D479'])
    assert.equal(uuidOf(id), id)
})
