import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Mutex} from '../../common/mutex.ts'

test('work runs one piece at a time in the order of the calls, also after a failure', async () => {
  const mutex = new Mutex()
  const done: string[] = []
  const work = (name: string) =>
    mutex.run(async () => {
      done.push(`${name} begins`)
      await Promise.resolve()
      if (name === 'second') throw new Error('refused')
      done.push(`${name} ends`)
      return name
    })
  const results = await Promise.allSettled([work('first'), work('second'), work('third')])
  assert.deepEqual(done, ['first begins', 'first ends', 'second begins', 'third begins', 'third ends'])
  assert.deepEqual(
    results.map(({status}) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('a mutex is idle when work that other work queued has settled', async () => {
  const mutex = new Mutex()
  const done: string[] = []
  mutex.run(async () => {
    mutex.run(async () => void done.push('queued by other work'))
  })
  await mutex.idle()
  assert.deepEqual(done, ['queued by other work'])
})
