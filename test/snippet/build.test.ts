import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {describe, test} from 'node:test'
import {brotliCompressSync, gzipSync} from 'node:zlib'
import {buildModule, buildSnippet} from '../../snippet/build/build.ts'

/** Maximum size of the whole script after gzip, in bytes, without a built-in token. */
const LIMIT = 3_700

describe('the built snippet', () => {
  test(`has at most ${LIMIT} bytes gzipped`, async (t) => {
    const {text} = await buildSnippet()
    const size = gzipSync(text, {level: 9}).length
    t.diagnostic(`${size} bytes gzipped, ${Buffer.byteLength(text)} as it is`)
    assert.ok(size <= LIMIT, `${size} bytes`)
  })

  test('is the same for the same token, and named by its content', async () => {
    const [once, again] = [await buildSnippet(), await buildSnippet()]
    assert.deepEqual(once, again)
    assert.equal(once.integrity, `sha384-${createHash('sha384').update(once.text).digest('base64')}`)
    assert.equal(once.hash, createHash('sha384').update(once.text).digest('hex').slice(0, 16))
  })

  test('contains a token unchanged, and without one no code that handles tokens', async () => {
    const token = 'A+/token="\u2028'
    const [without, withToken] = [await buildSnippet(), await buildSnippet({originTrialToken: token})]
    assert.ok(!without.text.includes('origin-trial'))
    assert.ok(!without.text.includes('ORIGIN_TRIAL'))
    assert.ok(withToken.text.includes('origin-trial'))
    assert.notEqual(without.hash, withToken.hash)
  })
})

/** Modules that pages load in the background, with their maximum size as browsers load it: compressed with Brotli, in bytes. */
for (const [what, name, limit] of [
  ['calls tools', 'calls', 1_870],
  ['asks visitors', 'ask', 2_048],
  ['watches conditions', 'conditions', 1_450],
  ['counts calls', 'report', 3_640],
] as const) {
  test(`the module that ${what} has at most ${limit} bytes compressed`, async (t) => {
    const {text} = await buildModule(name)
    const size = brotliCompressSync(text).length
    t.diagnostic(`${size} bytes compressed, ${Buffer.byteLength(text)} as it is`)
    assert.ok(size <= limit, `${size} bytes`)
  })
}

/** Maximum size of the panel's module after gzip, in bytes. Only people who edit the site load it. */
const PANEL_LIMIT = 110_500

test(`the module of the panel has at most ${PANEL_LIMIT} bytes gzipped, and is the same for the same sources`, async (t) => {
  const [once, again] = [await buildModule('panel'), await buildModule('panel')]
  assert.deepEqual(once, again)
  const size = gzipSync(once.text, {level: 9}).length
  t.diagnostic(`${size} bytes gzipped, ${Buffer.byteLength(once.text)} as it is`)
  assert.ok(size <= PANEL_LIMIT, `${size} bytes`)
})
