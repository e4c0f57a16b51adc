import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {syncBuiltinESMExports} from 'node:module'
import {type TestContext, test} from 'node:test'
import zlib from 'node:zlib'
import {MAX_RECENT} from '../../../service/site/siteTexts.ts'
import {configOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {runHouse} from '../../support/house.ts'
import {metricsOf} from '../../support/metrics.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const TOOLS = 50

/** Counts the decompressions and JSON serialisations of this process from now on. */
function countCalls(t: TestContext): {decompressions: number; stringified: number} {
  const counts = {decompressions: 0, stringified: 0}
  const {inflateRawSync} = zlib
  const {stringify} = JSON
  t.mock.method(zlib, 'inflateRawSync', (...args: Parameters<typeof inflateRawSync>) => {
    counts.decompressions++
    return inflateRawSync(...args)
  })
  t.mock.method(JSON, 'stringify', (...args: Parameters<typeof stringify>) => {
    counts.stringified++
    return stringify(...args)
  })
  // Named imports of a built-in module keep the old function until then.
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return counts
}

test('a request for a script module costs one decompression, also if it is missing', async (t) => {
  const tools = Array.from({length: TOOLS}, (_, number) =>
    toolDocument({_id: `tool-${number}`, name: `tool${number}`, executeJs: `return ${number}`}),
  )
  const others = Array.from({length: MAX_RECENT}, (_, number) => `other-${number}`)
  const house = await runHouse(t, [
    siteDocument(),
    ...others.map((publicId) => siteDocument({_id: publicId, publicId})),
    ...tools,
  ])
  const {tools: served} = await configOf(house.config('shop-public'))
  // Snapshots are written in the background, and decompress texts too: that makes these recent again.
  const snapshots = (count: number) =>
    eventually(
      () => metricsOf(house.serviceAddress),
      ({samples}) => samples.get('handrail_snapshots') === count,
    )
  await snapshots(1)
  // The texts of the site are not among the recent ones any more.
  for (const publicId of others) assert.equal((await house.config(publicId)).status, 200)
  await snapshots(others.length + 1)
  const [first, last] = [served[0], served.at(-1)]
  const digest = (script: unknown) => createHash('sha256').update(String(script)).digest('hex')
  const get = async (id: unknown, revision: string, headers = {}) => {
    const url = `${house.serviceAddress}/api/sites/shop-public/tools/${id}/${revision}.js`
    const response = await fetch(url, {headers})
    return {status: response.status, text: await response.text()}
  }
  const revision = digest(last?.executeJs)

  const calls = countCalls(t)
  const found = await get(last?.id, revision)
  assert.equal(found.status, 200)
  assert.ok(found.text.includes(String(last?.executeJs)))
  assert.equal(calls.decompressions, 1)
  assert.ok(calls.stringified < TOOLS, `${calls.stringified} calls of JSON.stringify`)

  for (const [id, digested, status, decompressions, headers] of [
    [last?.id, revision, 304, 1, {'if-none-match': `"${revision}"`}],
    [last?.id, digest('another script'), 404, 1],
    [first?.id, revision, 404, 1],
    ['00000000-0000-4000-8000-000000000000', revision, 404, 1],
    ['x', 'y', 404, 0],
  ] as const) {
    calls.decompressions = 0
    assert.equal((await get(id, digested, headers)).status, status)
    assert.equal(calls.decompressions, decompressions, `${id}, ${digested}`)
  }
})
