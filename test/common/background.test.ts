import assert from 'node:assert/strict'
import {glob, readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {inBackground} from '../../common/background.ts'

test('a failure in the background is told, thrown or rejected, and rejects nothing', async () => {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  await inBackground(() => Promise.reject('rejected'), {onFailure})
  await inBackground(
    () => {
      throw 'thrown'
    },
    {onFailure},
  )
  assert.deepEqual(failures, ['rejected', 'thrown'])
})

test('work in the background is tried again until it succeeds, or until its owner closes', async () => {
  const closing = new AbortController()
  const pauses: number[] = []
  const pause = async (milliseconds: number) => void pauses.push(milliseconds)
  const retry = {first: 1_000, longest: 2_000, signal: closing.signal, pause}
  let left = 3
  const failing = () => {
    left -= 1
    if (left === 0) closing.abort()
    if (left > -3) throw new Error('not yet')
  }
  await inBackground(failing, {onFailure() {}, retry})
  assert.equal(left, 0)
  assert.ok(pauses.length === 3 && pauses.every((one) => one >= 500 && one <= 2_000), `${pauses}`)
  const open = new AbortController()
  await inBackground(failing, {onFailure() {}, retry: {...retry, signal: open.signal}})
  assert.equal(left, -3)
})

/** Promises that nothing waits for, and that cannot reject: their work catches everything itself. */
const NEVER_REJECT = [
  'lake/http/app.ts: parse',
  'lake/http/limits/fairQueue.ts: this.#run',
  'service/counts/counts.ts: this.#write',
]

test('work that nothing waits for goes through the one helper', async () => {
  const found: string[] = []
  for (const module of ['common', 'content', 'git', 'lake', 'service'])
    for await (const path of glob(`${module}/**/*.ts`))
      for (const [, work] of (await readFile(path, 'utf8')).matchAll(/\bvoid ([\w.#]+)\(/g))
        if (work !== 'inBackground') found.push(`${path}: ${work}`)
  assert.deepEqual(found.sort(), NEVER_REJECT)
})
