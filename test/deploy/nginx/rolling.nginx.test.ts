import assert from 'node:assert/strict'
import {test} from 'node:test'
import {replaceReplicas} from './rolling/rolling.ts'

test('behind nginx, the lake is restored, its token replaced and two replicas upgraded without a failed request, also for the earlier build of the snippet', async () => {
  const requests = await replaceReplicas()
  assert.ok(requests > 100, String(requests))
})
