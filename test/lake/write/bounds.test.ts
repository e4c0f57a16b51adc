import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isJsonObject} from '../../../common/json.ts'
import {ask, queryPath} from '../support/app.ts'
import {runLake} from '../support/lake.ts'
import {documentAt, mutate} from '../support/mutate.ts'

const large = 'x'.repeat(850_000)

test('a text patch for a different text is rejected immediately', async (t) => {
  const {address} = await runLake(t)
  await mutate(address, [{create: {_id: 'drafts.a', _type: 'page', text: large}}])
  const hunk = `@@ -1,800000 +1,800000 @@\n ${'q'.repeat(800_000)}\n+z\n`
  const answer = await mutate(address, [{patch: {id: 'drafts.a', diffMatchPatch: {text: hunk}}}])
  assert.equal(answer.status, 400)
  assert.match(answer.text, /the text has changed/)
})

test('a document can be nested as deeply as its file', async (t) => {
  const {address} = await runLake(t)
  const nested = (levels: number): unknown => (levels === 0 ? 1 : {a: nested(levels - 1)})
  const create = (levels: number) => mutate(address, [{create: {_type: 'page', a: nested(levels)}}])
  assert.equal((await create(63)).status, 200)
  assert.equal((await create(64)).status, 400)
  await mutate(address, [{create: {_id: 'drafts.a', _type: 'page'}}])
  const patch = (levels: number) => mutate(address, [{patch: {id: 'drafts.a', set: {a: nested(levels)}}}])
  assert.equal((await patch(63)).status, 200)
  assert.equal((await patch(64)).status, 400)
})

test('other requests are served during a long transaction and see it only once it is complete', async (t) => {
  const {address} = await runLake(t)
  await mutate(address, [
    {create: {_id: 'drafts.a', _type: 'page', n: 0}},
    {create: {_id: 'drafts.b', _type: 'page', n: 0, text: large}},
  ])
  const mutations = Array.from({length: 120}, () =>
    ['drafts.a', 'drafts.b'].map((id) => ({patch: {id, inc: {n: 1}}})),
  ).flat()
  let isDone = false
  const transaction = mutate(address, mutations).finally(() => {
    isDone = true
  })
  const seen: unknown[] = []
  while (!isDone) {
    const {body} = await ask(address, queryPath('*[_type == "page"].n', {}, {perspective: 'raw'}))
    // One request may come before the transaction, and one after.
    if (!isDone && isJsonObject(body) && Array.isArray(body.result)) seen.push(...body.result)
  }
  assert.equal((await transaction).status, 200)
  // If the transaction did not yield, no other request would get a response.
  assert.ok(seen.length >= 8, `${seen.length} answers`)
  assert.deepEqual(
    seen.filter((n) => n !== 0 && n !== 120),
    [],
  )
})

test('a transaction that changes too much text is rejected as a whole', async (t) => {
  const {address} = await runLake(t)
  for (let n = 0; n < 20; n += 1) {
    await mutate(address, [{create: {_id: `drafts.a${n}`, _type: 'page', text: large}}])
  }
  const {status, text} = await mutate(address, [{patch: {query: '*', set: {title: 'x'}}}])
  assert.equal(status, 413)
  assert.match(text, /more than 16 MB/)
  assert.equal((await documentAt(address, 'drafts.a0'))?.title, undefined)
})
