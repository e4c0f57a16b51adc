import assert from 'node:assert/strict'
import {test} from 'node:test'
import {fuzz} from './run/fuzz.ts'
import {replayOptions, summary} from './run/report.ts'
import {service} from './run/serviceTarget.ts'

// Random requests to a service in its own process, before a lake. See lake.system.test.ts for how to replay a failure.

const SEED = 20_260_102

test('no request crashes, blocks or corrupts the service, and known sites get their configs', async (t) => {
  const report = await fuzz(service, {
    ...replayOptions(SEED, {batches: 400, seconds: 6}),
    shrinkSeconds: 15,
  })
  t.diagnostic(summary(report))
  if (report.failure !== undefined) assert.fail(report.failure.message)
})
