import assert from 'node:assert/strict'
import {test} from 'node:test'
import {LakeProcess} from '../../soak/process.ts'
import {token} from '../support/app.ts'
import {temporaryRepository} from '../support/git.ts'
import {documentAt, mutate} from '../support/mutate.ts'

const large = 'x'.repeat(850_000)

test('no patch exhausts the memory of a lake', async (t) => {
  const {directory} = await temporaryRepository(t)
  const memory = '--max-old-space-size=560'
  const lake = new LakeProcess({CONTENT_DIR: directory, NODE_OPTIONS: memory, LAKE_API_TOKEN: token})
  t.after(() => lake.kill(true))
  const address = await lake.address
  const rows = Array.from({length: 10_000}, (_, n) => ({n}))
  const created = await mutate(address, [
    {create: {_id: 'drafts.a', _type: 'page', list: [1, 2, 3], rows}},
    {create: {_id: 'drafts.large', _type: 'page', n: 0, text: large}},
  ])
  assert.equal(created.status, 200, created.text)
  const patch = (operations: object) => mutate(address, [{patch: {id: 'drafts.a', ...operations}}])

  assert.equal((await patch({unset: ['list[1:1000000000]']})).status, 200)
  assert.deepEqual((await documentAt(address, 'drafts.a'))?.list, [1])
  const refused = [
    patch({set: {'rows[0:].text': 'y'.repeat(1_000_000)}}),
    patch({insert: {after: 'list[-1]', items: Array.from({length: 1_000_000}, () => 1)}}),
    patch({set: {['[a,b,c]'.repeat(100)]: 1}}),
    patch({set: Object.fromEntries(Array.from({length: 100_000}, (_, n) => [`a${n}`, 1]))}),
  ]
  for (const [index, answer] of (await Promise.all(refused)).entries()) {
    assert.equal(answer.status, 400, `${index}: ${answer.text}`)
  }

  // Each creates a revision.
  for (let n = 1; n <= 20; n += 1) {
    const mutation = {patch: {id: 'drafts.large', inc: {n: 1}}}
    const answer = await mutate(
      address,
      Array.from({length: 4}, () => mutation),
      {transactionId: `t${n}`},
    )
    assert.equal(answer.status, 200, answer.text)
  }
  const repeated = Array.from({length: 40}, () => ({patch: {id: 'drafts.large', inc: {n: 1}}}))
  const returning = await mutate(address, repeated, {query: '?returnDocuments=true'})
  assert.equal(returning.status, 400)
  assert.match(returning.text, /without \\"returnDocuments\\"/)
  assert.equal((await documentAt(address, 'drafts.large'))?.n, 80)
})
