import assert from 'node:assert/strict'
import {test} from 'node:test'
import {beforeTimeout, withDeadline, withTimeout} from '../../common/timeout.ts'

const never = () => new Promise<never>(() => {})

test('a deadline aborts the signal of a call after its time, and the call rejects with a TimeoutError', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  let aborted = 0
  const call = withDeadline(1_000, async (signal) => {
    const {promise, reject} = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => {
      aborted += 1
      reject(new Error('the socket was closed'))
    })
    return promise
  })
  t.mock.timers.tick(999)
  assert.equal(aborted, 0)
  t.mock.timers.tick(1)
  assert.equal(aborted, 1)
  await assert.rejects(call, {name: 'TimeoutError', message: 'No result after 1000 ms.'})
})

test('a call that fails before its deadline rejects with its own error', async () => {
  const call = withDeadline(1_000, async () => {
    throw new RangeError('too many')
  })
  await assert.rejects(call, RangeError)
})

test('a promise that takes longer than its timeout is undefined, and its late failure is reported', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const {promise, reject} = Promise.withResolvers<string>()
  const late: unknown[] = []
  const result = beforeTimeout(10, promise, (error) => late.push(error))
  const unsettled = withTimeout(10, never())
  t.mock.timers.tick(10)
  assert.equal(await result, undefined)
  assert.equal(await unsettled, undefined)
  reject('lost')
  await promise.catch(() => {})
  assert.deepEqual(late, ['lost'])
  assert.equal(await withTimeout(10, Promise.resolve('kept')), 'kept')
  assert.equal(await withTimeout(0, Promise.resolve('kept')), undefined)
})
