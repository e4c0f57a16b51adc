import assert from 'node:assert/strict'
import {test} from 'node:test'
import {fuzz} from './run/fuzz.ts'
import {lake, lakeOfStrangers} from './run/lakeTarget.ts'
import {replayOptions, summary} from './run/report.ts'

// Random requests to a lake in its own process, as strangers, viewers and editors. The seed is fixed, so that every
// run sends the same requests. What must hold is in run/judge.ts.
//
// A failure prints the smallest batch of requests that shows it, a seed and a path. To send that batch again, and
// nothing else:
//   FUZZ_SEED=<seed> FUZZ_PATH=<path> node --import tsx --test --test-name-pattern='<test>' test/fuzz/lake.system.test.ts
// Without FUZZ_PATH, all batches of the seed are sent. Another seed, for longer: FUZZ_SEED=7 FUZZ_SECONDS=600 CI_DEEP=1

/** Changes when the generators should look elsewhere. */
const SEED = 20_260_101

test('no request of a stranger, viewer or editor crashes, blocks or corrupts a lake', async (t) => {
  const report = await fuzz(lake, {
    ...replayOptions(SEED, {batches: 200, seconds: 11}),
    shrinkSeconds: 20,
  })
  t.diagnostic(summary(report))
  if (report.failure !== undefined) assert.fail(report.failure.message)
})

test('a lake returns no data to strangers, for any request', async (t) => {
  const report = await fuzz(lakeOfStrangers, {
    ...replayOptions(SEED, {batches: 100, seconds: 3}),
    shrinkSeconds: 5,
  })
  t.diagnostic(summary(report))
  if (report.failure !== undefined) assert.fail(report.failure.message)
})
