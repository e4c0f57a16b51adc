import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import {KeyIndex} from '../../../service/cache/keyIndex.ts'

test('a key finds every entry that depends on it, whatever was added and removed before', () => {
  const some = fc.constantFrom('a', 'b', 'c', 'd')
  const step = fc.record({adds: fc.boolean(), publicId: some, keys: fc.array(some, {maxLength: 3})})
  fc.assert(
    fc.property(fc.array(step, {maxLength: 40}), (steps) => {
      const index = new KeyIndex()
      const expected = new Set<string>()
      for (const {adds, publicId, keys} of steps) {
        if (adds) index.add(publicId, keys)
        else index.remove(publicId, keys)
        for (const key of keys) {
          if (adds) expected.add(`${key} ${publicId}`)
          else expected.delete(`${key} ${publicId}`)
        }
        for (const key of ['a', 'b', 'c', 'd']) {
          const found = [...index.touchedBy([key])].map((found) => `${key} ${found}`).sort()
          assert.deepEqual(found, [...expected].filter((pair) => pair.startsWith(key)).sort())
        }
      }
      assert.equal(
        index.touchedBy(['a', 'b', 'c', 'd', 'none']).size,
        new Set([...expected].map((pair) => pair[2])).size,
      )
    }),
  )
})

test('a key that many entries depend on finds exactly those, while they come and go', () => {
  const index = new KeyIndex()
  const ids = Array.from({length: 1_000}, (_, number) => `public-${number}`)
  const found = () => [...index.touchedBy(['s1:all'])].sort()
  for (const id of ids) index.add(id, ['s1:all', `s1:${id}`])
  for (const id of ids.slice(0, 400)) index.remove(id, ['s1:all', `s1:${id}`])
  assert.deepEqual(found(), ids.slice(400).sort())
  for (const id of ids) index.remove(id, ['s1:all', `s1:${id}`])
  assert.deepEqual(found(), [])
  for (const id of ids.slice(0, 5)) index.add(id, ['s1:all'])
  assert.deepEqual(found(), ids.slice(0, 5).sort())
})
