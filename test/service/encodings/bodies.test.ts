import assert from 'node:assert/strict'
import test from 'node:test'
import {brotliDecompressSync, gunzipSync} from 'node:zlib'
import {Bodies, isCompressed, OBJECTS_BYTES} from '../../../service/encodings/bodies.ts'

function config(text = 'body') {
  let encoded = 0
  return {
    encode: () => {
      encoded++
      return Buffer.from(text)
    },
    get encoded() {
      return encoded
    },
  }
}

const JSON_TEXT = JSON.stringify({tools: Array.from({length: 1_000}, (_, number) => `tool ${number}`)})

/** The bound for bodies of these lengths. */
function roomFor(...lengths: number[]): number {
  return lengths.reduce((sum, length) => sum + length + OBJECTS_BYTES, 0)
}

test('a body is encoded once per entity tag', () => {
  const bodies = new Bodies(1_000)
  const [first, second] = [config(), config()]
  assert.equal(bodies.bodyOf(first, 'identity', '"a"'), bodies.bodyOf(second, 'identity', '"a"'))
  assert.deepEqual([first.encoded, second.encoded], [1, 0])
})

test('the total size of bodies is bounded, and the least recently used is evicted first', () => {
  const bodies = new Bodies(roomFor(4, 4))
  const all = {a: config('aaaa'), b: config('bbbb'), c: config('cccc')}
  for (const used of ['a', 'b', 'a', 'c', 'c', 'a', 'c', 'b'] as const)
    bodies.bodyOf(all[used], 'identity', `"${used}"`)
  assert.deepEqual([all.a.encoded, all.b.encoded, all.c.encoded], [1, 2, 1])
})

test('a body larger than the bound is served but not cached', () => {
  const bodies = new Bodies(roomFor(3))
  const large = config('aaaa')
  for (const _again of [1, 2]) assert.equal(bodies.bodyOf(large, 'identity', '"a"').toString(), 'aaaa')
  assert.equal(large.encoded, 2)
})

for (const [encoding, decompress] of [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)
  test(`${encoding} is made once, and uses no more memory than counts towards the bound`, () => {
    const bodies = new Bodies(100_000)
    const asked = config(JSON_TEXT)
    const body = bodies.bodyOf(asked, encoding, `"a-${encoding}"`)
    assert.equal(bodies.bodyOf(asked, encoding, `"a-${encoding}"`), body)
    assert.deepEqual([decompress(body).toString(), asked.encoded], [JSON_TEXT, 1])
    assert.ok(body.byteLength < JSON_TEXT.length / 2)
    assert.equal(body.buffer.byteLength, body.byteLength)
  })

test('short and very long bodies are not compressed', () => {
  const rows: [bytes: number, expected: boolean][] = [
    [999, false],
    [1_000, true],
    [262_144, true],
    [262_145, false],
  ]
  for (const [bytes, expected] of rows) assert.equal(isCompressed({bytes}), expected, `${bytes}`)
})
