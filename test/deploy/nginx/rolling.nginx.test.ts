import assert from 'node:assert/strict'
import {test} from 'node:test'
import {replaceReplicas} from './rolling/rolling.ts'

test('two replicas are replaced behind nginx without a failed request', async () => {
  const requests = await replaceReplicas()
  assert.ok(requests > 100, String(requests))
})
