import assert from 'node:assert/strict'
import {test} from 'node:test'
import {operateUnderLoad} from './rolling/rolling.ts'

test('no request fails behind nginx, also not for the earlier build of the snippet, while everything else does', async () => {
  const requests = await operateUnderLoad()
  assert.ok(requests > 100, String(requests))
})
