import {deepEqual, equal} from 'node:assert/strict'
import {test} from 'node:test'
import {ask, serve} from '../../support/app.ts'
import {storeOf} from '../../support/documents.ts'

const store = () => storeOf({_id: 'a', _type: 'x'}, {_id: 'b', _type: 'x'}, {_id: 'drafts.a', _type: 'x'})

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
