import assert from 'node:assert/strict'
import {test} from 'node:test'
import {MAX_HOURS} from '../../../studio/preview/recentEntries.ts'
import {startedPreviews} from '../../../studio/preview/started.ts'

const HOUR = 3_600_000

test('previews are renewed for 12 hours, and not for longer if the clock was ahead', () => {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
  const now = Date.now()
  const idsAt = (time: number) => startedPreviews.list(storage, time).map(({id}) => id)
  startedPreviews.add({id: 'a'}, storage, now)
  assert.deepEqual(idsAt(now + (MAX_HOURS - 1) * HOUR), ['a'])
  assert.deepEqual(idsAt(now + (MAX_HOURS + 1) * HOUR), [])
  startedPreviews.add({id: 'b'}, storage, now + 1_000 * HOUR)
  assert.deepEqual(idsAt(now), [])
})
