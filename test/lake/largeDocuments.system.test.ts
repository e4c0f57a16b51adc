import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import type {ListenEvent} from '@sanity/client'
import {fileTextOf} from '../../content/canonical.ts'
import {MAX_DOCUMENT_BYTES} from '../../content/parseDocument.ts'
import {transfer} from '../cli/transfer/run.ts'
import {openSocket} from './studio/socket.ts'
import {token} from './support/app.ts'
import {collect} from './support/collect.ts'
import {temporaryFolder, testRepository} from './support/git.ts'
import {runLake, runLakeOver} from './support/lake.ts'

const pair = {draftId: 'drafts.big', publishedId: 'big'}
const authorization = `Bearer ${token}`

/** A draft of exactly this many bytes as a file. */
function draftOf(bytes: number) {
  const draft = {_id: pair.draftId, _type: 'page', n: 0, text: ''}
  return {...draft, text: 'x'.repeat(bytes - Buffer.byteLength(fileTextOf(draft)))}
}

test('the largest document passes through the client, Studio’s socket, history, export and import', async (t) => {
  const folder = await temporaryFolder(t)
  const lake = await runLake(t, {}, {studioDir: join(folder, 'studio')})
  const {client, address, repository} = lake
  const listened = collect<ListenEvent>(
    t,
    client.listen('*[_type == "page"]', {}, {events: ['welcome', 'mutation'], includePreviousRevision: true}),
  )
  await listened.until(({type}) => type === 'welcome')
  const socket = await openSocket(t, `${address.replace('http', 'ws')}/_streams`, {
    origin: address,
    authorization,
  })
  const query = encodeURIComponent('*[_type == "page"]')
  socket.say({
    id: 1,
    open: `/v1/data/listen/production?query=${query}&includeResult=true`,
    headers: {authorization},
  })
  await socket.hear(({data}) => String(data).includes('welcome'))

  const draft = draftOf(MAX_DOCUMENT_BYTES)
  await client.create(draft)
  const change = await listened.until(({type}) => type === 'mutation')
  assert.ok(change.type === 'mutation' && change.result?.text === draft.text)
  await socket.hear(({data}) => String(data).includes(draft.text))

  await client.patch(pair.draftId).inc({n: 1}).commit()
  const diff = '@@ -1,5 +1,5 @@\n-x\n+y\n xxxx\n'
  await client.patch(pair.draftId).diffMatchPatch({text: diff}).commit()
  const edited = await client.getDocument(pair.draftId)
  const text = String(edited?.text)
  assert.deepEqual([text.length, text.at(0), edited?.n], [draft.text.length, 'y', 1])
  await client.action({actionType: 'sanity.action.document.publish', ...pair})
  assert.equal(await client.fetch('*[_id == "big"][0].text', {}, {perspective: 'published'}), text)
  assert.equal(listened.all.length >= 4, true)

  const ask = async (path: string) => {
    const response = await fetch(`${address}/v2025-02-19/data/${path}`, {headers: {authorization}})
    assert.equal(response.status, 200)
    return response.text()
  }
  const past = JSON.parse(await ask(`history/production/documents/${pair.draftId}?revision=${edited?._rev}`))
  assert.equal(past.documents[0].text, text)
  const transactions = await ask(`history/production/transactions/big,drafts.big?effectFormat=mendoza`)
  assert.equal(transactions.trim().split('\n').length, 4)
  const exported = await ask('export/production')
  assert.equal(JSON.parse(exported).text, text)

  await assert.rejects(client.create(draftOf(MAX_DOCUMENT_BYTES + 1)), {statusCode: 400})
  const huge = {...draft, text: 'x'.repeat(MAX_DOCUMENT_BYTES + 1024 * 1024)}
  await assert.rejects(client.create(huge), {statusCode: 413})
  await lake.close()

  const archive = join(folder, 'x.tar.gz')
  const lines = join(folder, 'x.ndjson')
  const copy = join(folder, 'copy')
  assert.equal((await transfer('export', [repository.directory, archive])).code, 0)
  assert.equal((await transfer('import', [archive, copy])).code, 0)
  assert.equal((await transfer('export', [copy, lines])).code, 0)
  assert.equal(await readFile(lines, 'utf8'), exported)
  const again = await runLakeOver(t, testRepository(copy))
  assert.deepEqual(await again.client.getDocument('big'), JSON.parse(exported))
  const edit = {actionType: 'sanity.action.document.edit' as const, ...pair, patch: {inc: {n: 1}}}
  await again.client.action([edit, {actionType: 'sanity.action.document.publish', ...pair}])
  assert.equal((await again.client.getDocument('big'))?.n, 2)
})
