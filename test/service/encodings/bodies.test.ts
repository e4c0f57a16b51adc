import assert from 'node:assert/strict'
import {randomBytes} from 'node:crypto'
import test from 'node:test'
import {brotliDecompressSync, gunzipSync} from 'node:zlib'
import {Bodies, OBJECTS_BYTES} from '../../../service/encodings/bodies.ts'
import {eventually} from '../../support/eventually.ts'

function config(entityTag: string, text: string | Buffer = 'body') {
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

const PLAIN = ['identity'] as const
const JSON_TEXT = JSON.stringify({tools: Array.from({length: 1_000}, (_, number) => `tool ${number}`)})

/** The bound for bodies of these lengths. */
function roomFor(...lengths: number[]): number {
  return lengths.reduce((sum, length) => sum + length + OBJECTS_BYTES, 0)
}

test('a body is encoded once per entity tag', () => {
  const bodies = new Bodies(1_000)
  const [first, second] = [config('"a"'), config('"a"')]
  assert.equal(bodies.bodyOf(first, PLAIN).body, bodies.bodyOf(second, PLAIN).body)
  assert.deepEqual([first.encoded, second.encoded], [1, 0])
})

test('the total size of bodies is bounded, and the least recently used is evicted first', () => {
  const bodies = new Bodies(roomFor(4, 4))
  const [a, b, c] = [config('"a"', 'aaaa'), config('"b"', 'bbbb'), config('"c"', 'cccc')]
  for (const used of [a, b, a, c, c, a, c]) bodies.bodyOf(used, PLAIN)
  bodies.bodyOf(b, PLAIN)
  assert.deepEqual([a.encoded, b.encoded, c.encoded], [1, 2, 1])
})

test('a body larger than the bound is served but not cached', () => {
  const bodies = new Bodies(roomFor(3))
  const large = config('"a"', 'aaaa')
  assert.equal(bodies.bodyOf(large, PLAIN).body.toString(), 'aaaa')
  bodies.bodyOf(large, PLAIN)
  assert.equal(large.encoded, 2)
})

for (const [encoding, decompress] of [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const) {
  test(`${encoding} is made once, in the background of the first request that prefers it, with its own tag`, async () => {
    const bodies = new Bodies(100_000)
    const asked = config('"a"', JSON_TEXT)
    const ask = async () => bodies.bodyOf(asked, [encoding, 'identity'])
    assert.deepEqual(await ask(), {encoding: 'identity', entityTag: '"a"', body: Buffer.from(JSON_TEXT)})
    const made = await eventually(ask, (answer) => answer.encoding !== 'identity')
    assert.equal(made.encoding, encoding)
    assert.equal(made.entityTag, `"a-${encoding}"`)
    assert.ok(made.body.byteLength < JSON_TEXT.length / 2)
    assert.equal(decompress(made.body).toString(), JSON_TEXT)
    assert.equal((await ask()).body, made.body)
    assert.equal(asked.encoded, 1)
  })
}

test('a compressed body takes the place of the plain one, which returns with the first client that wants it', async () => {
  const bodies = new Bodies(roomFor(JSON_TEXT.length))
  const [asked, other] = [config('"a"', JSON_TEXT), config('"b"', 'x'.repeat(JSON_TEXT.length / 2))]
  await eventually(() => bodies.bodyOf(asked, ['br', 'identity']).encoding, 'br')
  for (let time = 0; time < 3; time++) bodies.bodyOf(other, PLAIN)
  assert.equal(other.encoded, 1, 'there is room for it')
  assert.equal(bodies.bodyOf(asked, ['br', 'identity']).encoding, 'br')
  assert.equal(asked.encoded, 1)

  const roomy = new Bodies(JSON_TEXT.length * 2)
  const mixed = config('"a"', JSON_TEXT)
  await eventually(() => roomy.bodyOf(mixed, ['br', 'identity']).encoding, 'br')
  for (let time = 0; time < 3; time++) {
    assert.equal(roomy.bodyOf(mixed, PLAIN).encoding, 'identity')
    assert.equal(roomy.bodyOf(mixed, ['br', 'identity']).encoding, 'br')
  }
  assert.equal(mixed.encoded, 2)
})

test('each encoding of a body counts towards the bound', async () => {
  const bodies = new Bodies(roomFor(JSON_TEXT.length))
  const {body} = await eventually(
    async () => bodies.bodyOf(config('"a"', JSON_TEXT), ['br', 'identity']),
    ({encoding}) => encoding === 'br',
  )
  const room = JSON_TEXT.length - roomFor(body.byteLength)
  const [tooLong, fits] = [config('"b"', 'x'.repeat(room + 1)), config('"c"', 'x'.repeat(room))]
  for (const asked of [tooLong, fits, fits]) bodies.bodyOf(asked, PLAIN)
  assert.deepEqual([tooLong.encoded, fits.encoded], [1, 1])
  bodies.bodyOf(config('"d"', 'x'), PLAIN)
  assert.equal(bodies.bodyOf(fits, PLAIN).encoding, 'identity')
  bodies.bodyOf(config('"e"', 'x'.repeat(room)), PLAIN)
  bodies.bodyOf(fits, PLAIN)
  assert.equal(fits.encoded, 2, 'it was evicted')
})

test('a body uses no more memory than the bytes that count towards the bound', async () => {
  const bodies = new Bodies(1_000_000)
  const asked = config('"a"', JSON_TEXT)
  for (const encoding of ['identity', 'br', 'gzip'] as const) {
    const {body} = await eventually(
      async () => bodies.bodyOf(asked, [encoding, 'identity']),
      (answer) => answer.encoding === encoding,
    )
    assert.equal(body.buffer.byteLength, body.byteLength, encoding)
  }
})

test('a body that is short, or no smaller when compressed, is served uncompressed', async () => {
  const bodies = new Bodies(1_000_000)
  const [short, noise, text] = [
    config('"a"', 'a'.repeat(999)),
    config('"b"', randomBytes(2_000)),
    config('"c"', JSON_TEXT),
  ]
  const ask = async (asked: typeof short) => bodies.bodyOf(asked, ['gzip', 'identity'])
  await ask(short)
  await ask(noise)
  // Encodings are made one after the other, so earlier ones are done by then.
  await eventually(
    () => ask(text),
    (answer) => answer.encoding === 'gzip',
  )
  assert.deepEqual([(await ask(short)).encoding, (await ask(noise)).encoding], ['identity', 'identity'])
})
