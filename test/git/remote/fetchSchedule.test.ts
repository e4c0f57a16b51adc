import {deepEqual, equal, ok} from 'node:assert/strict'
import {test} from 'node:test'
import {FetchSchedule} from '../../../git/remote/fetchSchedule.ts'

/** Runs a schedule with a clock of its own: `delays` are those before each fetch. */
async function run(responses: readonly (boolean | Error)[]): Promise<number[]> {
  const delays: number[] = []
  const results = [...responses]
  await new Promise<void>((done) => {
    const schedule = new FetchSchedule({
      every: 180_000,
      pull: async () => {
        const result = results.shift()
        if (result instanceof Error) throw result
        return result ?? false
      },
      wait: async (milliseconds, signal) => {
        delays.push(milliseconds)
        if (results.length > 0) return
        schedule.stop()
        ok(signal.aborted)
        done()
      },
    })
    schedule.start()
  })
  return delays
}

test('the remote is fetched every few minutes, not all at the same moment', async () => {
  const delays = await run(Array.from({length: 20}, () => true))
  equal(delays.length, 21)
  ok(delays.every((delay) => delay >= 90_000 && delay <= 180_000))
  ok(new Set(delays).size > 1)
})

test('a remote that does not respond is fetched less often, up to once an hour', async () => {
  const delays = await run([
    false,
    new Error('content unreadable'),
    ...Array.from({length: 10}, () => false),
    true,
  ])
  ok((delays[2] ?? 0) > 180_000)
  ok(delays.every((delay) => delay <= 3_600_000))
  ok((delays[11] ?? 0) >= 1_800_000)
  ok((delays.at(-1) ?? 0) <= 180_000)
})

test('stopping waits for the running fetch', async () => {
  const steps: string[] = []
  const {promise, resolve} = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const schedule = new FetchSchedule({
    every: 1,
    wait: async () => {},
    pull: async () => {
      started.resolve()
      await promise
      steps.push('fetched')
      return true
    },
  })
  schedule.start()
  await started.promise
  const stopped = schedule.stop().then(() => steps.push('stopped'))
  resolve()
  await stopped
  deepEqual(steps, ['fetched', 'stopped'])
})
