import assert from 'node:assert/strict'
import {test} from 'node:test'
import {replaceReplicas} from './rolling/rolling.ts'

test('two replicas are upgraded behind nginx without a failed request, also for the earlier build of the snippet', async () => {
  const requests = await replaceReplicas()
  assert.ok(requests > 100, String(requests))
})
