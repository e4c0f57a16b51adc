import assert from 'node:assert/strict'
import {test} from 'node:test'
import {applyPatch} from 'mendoza'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {serve, token} from '../support/app.ts'
import {change, storeOf} from '../support/documents.ts'
import {readEvents} from '../support/events.ts'

/** The last line of Studio's own code for following a document by events. */
function follow(document: unknown, event: JsonObject): unknown {
  const {effects, resultRev} = event
  assert.ok(isJsonObject(effects) && Array.isArray(effects.apply))
  const {_rev, ...content} = isJsonObject(document) ? document : {}
  const next: unknown = applyPatch(document === undefined ? null : content, effects.apply)
  return isJsonObject(next) ? {...next, _rev: resultRev} : undefined
}

test('a listener that requests effects can follow a document by them alone', async (t) => {
  const store = storeOf({_id: 'a', _type: 'x', title: 'one', list: [1, 2]})
  const {address, publish} = await serve(t, store)
  const query = 'query=*&effectFormat=mendoza&includeMutations=false'
  const headers = {authorization: `Bearer ${token}`}
  const {next} = await readEvents(t, `${address}/v1/data/listen/production?${query}`, headers)
  await next()
  let document: unknown = store.get('a')
  for (const given of [{title: 'two'}, {list: [2]}, {title: 'three', list: [2], extra: {deep: true}}]) {
    publish(change(store, {_id: 'a', _type: 'x', ...given}))
    const {data} = await next()
    assert.ok(isJsonObject(data))
    document = follow(document, data)
    assert.deepEqual(document, store.get('a'))
  }
  publish(change(store, 'a'))
  const {data} = await next()
  assert.ok(isJsonObject(data))
  assert.equal(follow(document, data), undefined)
})
