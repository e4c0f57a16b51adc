import assert from 'node:assert/strict'
import {test} from 'node:test'
import {guarded} from '../../../studio/saving/storage.ts'

/** A storage with the methods that are used. */
function storageOf(items: Map<string, string>, isFull: () => boolean) {
  return {
    length: 0,
    key: () => null,
    clear() {},
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => void items.delete(key),
    setItem(key: string, value: string) {
      if (isFull()) throw new DOMException('full', 'QuotaExceededError')
      items.set(key, value)
    },
  }
}

test('without storage, what is set is kept until the page is left', () => {
  const items = guarded(() => {
    throw new DOMException('forbidden', 'SecurityError')
  })
  assert.equal(items.getItem('a'), null)
  items.setItem('a', '1')
  assert.equal(items.getItem('a'), '1')
  items.removeItem('a')
  assert.equal(items.getItem('a'), null)
})

test('what a full storage does not take is kept in place of what it has', () => {
  let isFull = false
  const stored = new Map<string, string>()
  const items = guarded(() => storageOf(stored, () => isFull))
  items.setItem('a', '1')
  isFull = true
  items.setItem('a', '2')
  assert.deepEqual([items.getItem('a'), stored.get('a')], ['2', '1'])
  isFull = false
  items.setItem('a', '3')
  assert.deepEqual([items.getItem('a'), stored.get('a')], ['3', '3'])
  items.removeItem('a')
  assert.deepEqual([items.getItem('a'), stored.size], [null, 0])
})
