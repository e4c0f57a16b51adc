import {deepEqual, equal} from 'node:assert/strict'
import {test} from 'node:test'
import {isJsonObject} from '../../../../common/json.ts'
import {ask, serve} from '../../support/app.ts'
import {storeOf} from '../../support/documents.ts'

const store = () => storeOf({_id: 'a', _type: 'x'}, {_id: 'b', _type: 'x'}, {_id: 'drafts.a', _type: 'x'})

const idsOf = (body: unknown) => {
  const documents = isJsonObject(body) && Array.isArray(body.documents) ? body.documents : []
  return documents.map((document: unknown) => isJsonObject(document) && document._id)
}

test('documents are returned in the requested order, and missing ones are listed', async (t) => {
  const {address} = await serve(t, store())
  const {body} = await ask(address, '/data/doc/production/b,none,drafts.a,a')
  deepEqual(idsOf(body), ['b', 'drafts.a', 'a'])
  deepEqual(isJsonObject(body) && body.omitted, [{id: 'none', reason: 'existence'}])
})

test('excludeContent returns only the missing ids', async (t) => {
  const {address} = await serve(t, store())
  const {body} = await ask(address, '/data/doc/production/a,none?excludeContent=true')
  deepEqual(body, {documents: [], omitted: [{id: 'none', reason: 'existence'}]})
})

test('the longest id list of the client is accepted, an unbounded one is not', async (t) => {
  const {address} = await serve(t, store())
  const ids = (count: number) =>
    Array.from({length: count}, (_, number) => `${'x'.repeat(100)}${number}`).join(',')
  equal((await ask(address, `/data/doc/production/${ids(100)}`)).status, 200)
  equal((await ask(address, `/data/doc/production/${'a,'.repeat(300)}a`)).status, 400)
})

test('another dataset is not found', async (t) => {
  const {address} = await serve(t, store())
  equal((await ask(address, '/data/doc/other/a')).status, 404)
})
