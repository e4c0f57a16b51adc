import {deepEqual, equal, ok} from 'node:assert/strict'
import {test} from 'node:test'
import {serve, token} from '../../support/app.ts'
import {storeOf} from '../../support/documents.ts'

const VERSION = 'v2025-02-19'
const known = {authorization: `Bearer ${token}`}

type Line = {_id?: string}

async function linesOf(response: Response): Promise<Line[]> {
  equal(response.headers.get('content-type'), 'application/x-ndjson')
  const text = await response.text()
  equal(text.length === 0 || text.endsWith('\n'), true)
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

const idsOf = (lines: Line[]) => lines.map(({_id}) => _id)

const small = () =>
  storeOf(
    {_id: 'a', _type: 'post', title: 'One\nline'},
    {_id: 'b', _type: 'page'},
    {_id: 'drafts.a', _type: 'post'},
    {_id: 'secret.c', _type: 'post'},
  )

test('every document is a line, drafts included, with all its attributes', async (t) => {
  const store = small()
  const {address} = await serve(t, store)
  const lines = await linesOf(await fetch(`${address}/${VERSION}/data/export/production`, {headers: known}))
  deepEqual(
    lines,
    ['a', 'b', 'drafts.a', 'secret.c'].map((id) => store.get(id)),
  )
})

test('types selects document types', async (t) => {
  const {address} = await serve(t, small())
  const ask = async (types: string) => {
    const url = `${address}/${VERSION}/data/export/production?types=${types}`
    return idsOf(await linesOf(await fetch(url, {headers: known})))
  }
  deepEqual(await ask('page'), ['b'])
  deepEqual(await ask('page,post'), ['a', 'b', 'drafts.a', 'secret.c'])
  deepEqual(await ask('none'), [])
})

test('a client that asks for pages gets one page with everything', async (t) => {
  const {address} = await serve(t, small())
  const url = `${address}/${VERSION}/data/export/production?nextCursor=`
  deepEqual(idsOf(await linesOf(await fetch(url, {headers: known}))), ['a', 'b', 'drafts.a', 'secret.c'])
})

test('an export is one state of the lake, and other requests run in between', async (t) => {
  const documents = Array.from({length: 20_000}, (_, number) => ({
    _id: `id-${number}`,
    _type: 'post',
    text: 'x'.repeat(500),
  }))
  const store = storeOf(...documents)
  const {address} = await serve(t, store)
  const response = await fetch(`${address}/${VERSION}/data/export/production`, {headers: known})
  // The response has begun, and waits for its reader.
  store.apply({id: 't', identity: 'x', timestamp: '', documents: new Map([['id-9999', undefined]])})
  equal((await fetch(`${address}/healthz`)).status, 200)
  const lines = await linesOf(response)
  equal(lines.length, documents.length)
  ok(idsOf(lines).includes('id-9999'))
})

test('the dataset is listed', async (t) => {
  const {address} = await serve(t, small())
  const response = await fetch(`${address}/v2021-06-07/datasets`, {headers: known})
  deepEqual(await response.json(), [{name: 'production', aclMode: 'private'}])
})
