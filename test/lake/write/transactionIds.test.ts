import assert from 'node:assert/strict'
import {randomUUID} from 'node:crypto'
import {test} from 'node:test'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {changeState} from '../../content/state/changeState.ts'
import type {TestRepository} from '../support/git.ts'
import {runLake, runLakeOver} from '../support/lake.ts'
import {act, documentAt, mutate} from '../support/mutate.ts'
import {accountsIn} from '../support/signIn.ts'

const transactionId = 'mine'
const create = (id: string) => ({create: {_id: id, _type: 'post', title: id}})

test('a retried transaction is applied once', async (t) => {
  const {address, repository} = await runLake(t)
  const send = () => mutate(address, [create('a')], {transactionId, query: '?returnDocuments=true'})
  const first = await send()
  assert.equal(first.status, 200, first.text)
  assert.deepEqual(await send(), first)
  const publish = {actionType: 'sanity.action.document.publish', draftId: 'drafts.b', publishedId: 'b'}
  await mutate(address, [create('drafts.b')])
  for (let time = 0; time < 2; time += 1) assert.equal((await act(address, [publish], 'publish')).status, 200)
  assert.equal((await repository.git('rev-list', '--count', 'HEAD')).trim(), '2')
})

test('a change of drafts that is retried after a restart is applied once', async (t) => {
  const {address, close, repository, stateFolder} = await runLake(t)
  const created = 'sanity.action.document.create'
  const edited = 'sanity.action.document.edit'
  const draft = {draftId: 'drafts.a', publishedId: 'a'}
  const type = [
    {actionType: created, publishedId: 'a', attributes: {_id: 'drafts.a', _type: 'post'}, ifExists: 'ignore'},
    {actionType: edited, ...draft, patch: {setIfMissing: {likes: 0}}},
    {actionType: edited, ...draft, patch: {inc: {likes: 1}}},
  ]
  assert.equal((await act(address, type, transactionId)).status, 200)
  assert.equal((await act(address, type, 'next')).status, 200)
  const token = await accountsIn(stateFolder).tokens.add('importer', everywhere('publisher'))
  await close()
  const next = await runLakeOver(t, repository)
  assert.equal((await act(next.address, type, transactionId)).status, 200)
  assert.equal((await act(next.address, type, 'next')).status, 200)
  assert.equal((await documentAt(next.address, 'drafts.a'))?.likes, 2)
  for (const other of [
    await act(next.address, type.slice(1), transactionId),
    await mutate(next.address, [create('drafts.a')], {transactionId, token}),
  ])
    assert.match(other.text, /transactionIdConflictError/)
})

test('a transaction id used for other content or by another client is rejected', async (t) => {
  const {address, stateFolder} = await runLake(t)
  const token = await accountsIn(stateFolder).tokens.add('importer', everywhere('publisher'))
  assert.equal((await mutate(address, [create('a')], {transactionId})).status, 200)
  const unpublish = {actionType: 'sanity.action.document.unpublish', draftId: 'drafts.a', publishedId: 'a'}
  for (const answer of [
    await mutate(address, [create('b')], {transactionId}),
    await mutate(address, [create('a'), create('b')], {transactionId}),
    await mutate(address, [create('a')], {transactionId, token}),
    await act(address, [unpublish], transactionId),
  ]) {
    assert.equal(answer.status, 409)
    assert.match(answer.text, /The transaction ID \\"mine\\" was used for another transaction: use a new one/)
  }
  assert.equal(await documentAt(address, 'b'), undefined)
})

test('a rejected transaction and a dry run do not use up their id', async (t) => {
  const {address} = await runLake(t)
  const missing = {patch: {id: 'missing', set: {title: 'x'}}}
  assert.equal((await mutate(address, [missing], {transactionId})).status, 409)
  assert.equal((await mutate(address, [create('a')], {transactionId, query: '?dryRun=true'})).status, 200)
  assert.equal((await mutate(address, [create('b')], {transactionId})).status, 200)
  assert.equal((await documentAt(address, 'b'))?.title, 'b')
})

/** A transaction that removes a draft and commits, as a lake that was killed in between left it. */
function addPending(repository: TestRepository, {id, attempt}: {id: string; attempt: string}): void {
  const timestamp = '2026-01-01T00:00:00Z'
  const entry = {id, attempt, author: 'ada', timestamp, drafts: {'drafts.b': null}, commits: true}
  changeState(repository, (state) =>
    state.run('INSERT INTO pending_transaction VALUES (?, ?)', attempt, JSON.stringify(entry)),
  )
}

test('a publish interrupted before its commit keeps its draft, though Git has its id', async (t) => {
  const {address, close, repository} = await runLake(t)
  await mutate(address, [create('a')], {transactionId})
  await mutate(address, [create('drafts.b')])
  await close()
  // The state after the next lake is killed between journal and commit: it no longer knows the id.
  addPending(repository, {id: transactionId, attempt: randomUUID()})
  const next = await runLakeOver(t, repository)
  assert.equal((await documentAt(next.address, 'drafts.b'))?.title, 'drafts.b')
})

test('a publish that a crash kept out of the journal is recognized by its commit', async (t) => {
  const {address, close, repository} = await runLake(t)
  await mutate(address, [create('drafts.b')])
  const publish = {actionType: 'sanity.action.document.publish', draftId: 'drafts.b', publishedId: 'b'}
  await act(address, [publish], transactionId)
  await mutate(address, [create('drafts.b')])
  await close()
  const message = await repository.git('log', '-1', '--format=%(trailers:key=Attempt,valueonly)')
  addPending(repository, {id: 'other', attempt: message.trim()})
  const next = await runLakeOver(t, repository)
  assert.equal(await documentAt(next.address, 'drafts.b'), undefined)
})
