import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {PushState} from '../../../git/remote/status.ts'
import {Pulls} from '../../../lake/webhooks/pulls.ts'

const ok: PushState = {state: 'ok', since: ''}

/** Pulls that the test ends. */
function controlled() {
  const waiting: {resolve(state: PushState): void; reject(error: Error): void}[] = []
  let head = 0
  const pulls = new Pulls({
    pull: () => new Promise((resolve, reject) => waiting.push({resolve, reject})),
    refresh: async () => {
      head += 1
    },
    head: () => `commit-${head}`,
  })
  const started = async (count: number) => {
    while (waiting.length < count) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(waiting.length, count)
  }
  return {pulls, waiting, started}
}

test('requests during a pull share the next pull, and one pull runs at a time', async () => {
  const {pulls, waiting, started} = controlled()
  const first = pulls.request()
  await started(1)
  const later = Array.from({length: 20}, () => pulls.request())
  waiting[0]?.resolve(ok)
  assert.deepEqual(await first, {result: 'pulled', commit: 'commit-1'})
  await started(2)
  waiting[1]?.resolve(ok)
  for (const answer of await Promise.all(later))
    assert.deepEqual(answer, {result: 'pulled', commit: 'commit-2'})
  await pulls.settled()
  const last = pulls.request()
  await started(3)
  waiting[2]?.resolve({state: 'conflict', since: '', lastError: 'a changed'})
  assert.deepEqual(await last, {result: 'conflict', commit: 'commit-3', reason: 'a changed'})
})

test('a failed pull does not block the next one', async () => {
  const {pulls, waiting, started} = controlled()
  const first = pulls.request()
  await started(1)
  const second = pulls.request()
  waiting[0]?.reject(new Error('no disk'))
  await assert.rejects(first, /no disk/)
  await started(2)
  waiting[1]?.resolve({state: 'failing', since: '', lastError: 'not reached'})
  assert.deepEqual(await second, {result: 'failing', commit: 'commit-1', reason: 'not reached'})
})
