import assert from 'node:assert/strict'
import test from 'node:test'
import {Bodies} from '../../../service/cache/bodies.ts'

function config(entityTag: string, text = 'body') {
  let encoded = 0
  return {
    entityTag,
    encode: () => {
      encoded++
      return Buffer.from(text)
    },
    get encoded() {
      return encoded
    },
  }
}

test('a body is encoded once for its entity tag', () => {
  const bodies = new Bodies(1_000)
  const [first, second] = [config('"a"'), config('"a"')]
  assert.equal(bodies.bodyOf(first), bodies.bodyOf(second))
  assert.deepEqual([first.encoded, second.encoded], [1, 0])
})

test('the bytes of all bodies are bounded: the least recently used goes first', () => {
  const bodies = new Bodies(10)
  const [a, b, c] = [config('"a"', 'aaaa'), config('"b"', 'bbbb'), config('"c"', 'cccc')]
  for (const used of [a, b, a, c, a]) bodies.bodyOf(used)
  bodies.bodyOf(b)
  assert.deepEqual([a.encoded, b.encoded, c.encoded], [1, 2, 1])
})

test('a body larger than the bound is served, and not kept', () => {
  const bodies = new Bodies(3)
  const large = config('"a"', 'aaaa')
  assert.equal(bodies.bodyOf(large).toString(), 'aaaa')
  bodies.bodyOf(large)
  assert.equal(large.encoded, 2)
})
