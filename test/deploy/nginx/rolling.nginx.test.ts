import assert from 'node:assert/strict'
import {test} from 'node:test'
import {replaceReplicas} from '../../soak/rolling/rolling.ts'

// `npm run soak -- rolling` does the same for minutes.
test('two replicas are replaced behind nginx without a failed request', async () => {
  const {requests} = await replaceReplicas({times: 1})
  assert.ok(requests > 100, String(requests))
})
