import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {applyPatch} from 'mendoza'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {changeState} from '../../content/state/changeState.ts'
import {eventually} from '../../support/eventually.ts'
import {temporaryRepository} from '../support/git.ts'
import {type RunningLake, runLakeOver} from '../support/lake.ts'
import {pastOf} from './support.ts'

const page = (title: string, extra = {}) => ({_id: 'a', _type: 'page', title, ...extra})
const [publishedId, draftId] = ['a', 'drafts.a']

/** An editor's actions in Studio; each returns the transaction id. */
function editor({client}: RunningLake) {
  const act = async (action: Parameters<typeof client.action>[0]) =>
    (await client.action(action)).transactionId
  return {
    create: (title: string) =>
      act({
        actionType: 'sanity.action.document.create',
        publishedId,
        attributes: {...page(title), _id: draftId},
        ifExists: 'fail',
      }),
    edit: (set: Record<string, unknown>, unset: string[] = []) =>
      act({actionType: 'sanity.action.document.edit', draftId, publishedId, patch: {set, unset}}),
    publish: () => act({actionType: 'sanity.action.document.publish', draftId, publishedId}),
    unpublish: () => act({actionType: 'sanity.action.document.unpublish', draftId, publishedId}),
    discard: () => act({actionType: 'sanity.action.document.discard', draftId}),
    delete: (includeDrafts: string[]) =>
      act({actionType: 'sanity.action.document.delete', publishedId, includeDrafts}),
  }
}

/** The id that Studio uses for an event: a revision, unless the event is a deletion. */
function revisionOf(event: JsonObject, id: string): unknown {
  const {type, revisionId, versionRevisionId} = event
  if (type === 'deleteDocumentGroup' || type === 'unpublishDocument') return undefined
  return id === publishedId ? revisionId : (versionRevisionId ?? revisionId)
}

const without = (document: unknown) => {
  if (!isJsonObject(document)) return null
  const {_rev, ...content} = document
  return content
}

const patchOf = ({effects}: JsonObject, id: string, way: 'apply' | 'revert'): unknown[] => {
  const own = isJsonObject(effects) ? effects[id] : undefined
  const patch = isJsonObject(own) ? own[way] : undefined
  assert.ok(Array.isArray(patch))
  return patch
}

/** Events, transactions and documents are consistent, however they are requested. */
async function assertAgree(lake: RunningLake): Promise<void> {
  const past = pastOf(lake)
  for (const id of [publishedId, draftId]) {
    const transactions = await past.transactions(id)
    let state: unknown = null
    for (const transaction of transactions) {
      const next: unknown = applyPatch(state, patchOf(transaction, id, 'apply'))
      const [document] = await past.documents(id, `revision=${transaction.id}`)
      assert.deepEqual(next, without(document))
      const back: unknown = applyPatch(next, patchOf(transaction, id, 'revert'))
      // A new draft replaces what was visible before.
      if (back !== null) assert.deepEqual(back, state)
      state = next
    }
    assert.deepEqual(
      (await past.transactions(id, 'reverse=true')).map((transaction) => transaction.id),
      transactions.map((transaction) => transaction.id).reverse(),
    )

    const order = transactions.map((transaction) => transaction.id)

    const events = await past.events(id)
    assert.deepEqual(await past.events(id, 2), events)
    const revisions = events
      .map((event) => revisionOf(event, id))
      .filter((revision) => revision !== undefined)
    const documents = new Map<unknown, JsonObject>()
    for (const revision of revisions) {
      const [document] = await past.documents(id, `revision=${revision}`)
      assert.equal(document?._rev, revision)
      assert.ok(order.includes(revision))
      documents.set(revision, document)
    }
    // Like Studio's diff of two events: the older document, and every transaction since.
    for (const [index, to] of revisions.entries()) {
      for (const from of revisions.slice(index + 1)) {
        // The end of a draft names its last revision; a commit by others may be newer.
        if (order.indexOf(from) >= order.indexOf(to)) continue
        const between = await past.transactions(id, `fromTransaction=${from}&toTransaction=${to}`)
        const since = between.filter((transaction) => transaction.id !== from)
        const found = since.reduce<unknown>(
          (document, transaction) => applyPatch(document, patchOf(transaction, id, 'apply')),
          without(documents.get(from)),
        )
        assert.deepEqual(found, without(documents.get(to)))
      }
    }
  }
}

const types = (events: readonly JsonObject[]) => events.map(({type}) => type)

async function startWith(t: TestContext, ...commits: Record<string, unknown>[]) {
  const repository = await temporaryRepository(t)
  let seconds = 1_000
  const shas: string[] = []
  for (const files of commits) {
    shas.push(await repository.commit(files, seconds))
    seconds += 1_000
  }
  const lake = await runLakeOver(t, repository)
  return {repository, shas, lake, past: pastOf(lake), ...editor(lake)}
}

test('commits made without the lake are in the history, under the draft’s id too', async (t) => {
  const {lake, past, shas} = await startWith(
    t,
    {'page/a.json': page('one', {gone: true}), 'page/b.json': {_id: 'b', _type: 'page'}},
    {'page/b.json': {_id: 'b', _type: 'page', title: 'another document'}},
    {'page/a.json': page('two')},
    {'page/a.json': undefined},
    {'page/a.json': page('one', {gone: true})},
  )
  const [first, , second, gone, again] = shas
  const events = await past.events(publishedId)
  assert.deepEqual(types(events), [
    'publishDocumentVersion',
    'deleteDocumentGroup',
    'publishDocumentVersion',
    'publishDocumentVersion',
  ])
  assert.deepEqual(
    events.map(({timestamp, author, revisionId}) => [timestamp, author, revisionId]),
    [
      ['1970-01-01T01:23:20Z', 'ada@example.com', again],
      ['1970-01-01T01:06:40Z', 'ada@example.com', undefined],
      ['1970-01-01T00:50:00Z', 'ada@example.com', second],
      ['1970-01-01T00:16:40Z', 'ada@example.com', first],
    ],
  )
  const [now] = await lake.client.fetch<JsonObject[]>('*[_id == "a"]')
  const [newest, ...others] = await past.documents(publishedId, `revision=${now?._rev}`)
  assert.deepEqual([newest, others], [now, []])
  assert.deepEqual(await past.documents(publishedId, `revision=${first}`), [
    {...now, _rev: first, _createdAt: '1970-01-01T00:16:40Z', _updatedAt: '1970-01-01T00:16:40Z'},
  ])
  assert.deepEqual(await past.documents(publishedId, `revision=${gone}`), [])
  assert.deepEqual(types(await past.events(draftId)), types(events))
  await assertAgree(lake)
})

test('the history of a document from its first draft to its deletion', async (t) => {
  const {lake, past, ...by} = await startWith(t, {'page/b.json': {_id: 'b', _type: 'page'}})
  const created = await by.create('one')
  const edited = await by.edit({title: 'two', list: [1, 2]})
  const published = await by.publish()
  await by.edit({title: 'three'}, ['list'])
  const discarded = await by.discard()
  const reopened = await by.edit({title: 'four'})
  const republished = await by.publish()
  const unpublished = await by.unpublish()
  await by.delete([draftId])

  const events = await past.events(draftId)
  assert.deepEqual(types(events).reverse(), [
    'createDocumentVersion',
    'publishDocumentVersion',
    'createDocumentVersion',
    'deleteDocumentVersion',
    'createDocumentVersion',
    'publishDocumentVersion',
    'unpublishDocument',
    'createDocumentVersion',
    'deleteDocumentVersion',
  ])
  const publications = events.filter(({type}) => type === 'publishDocumentVersion')
  assert.deepEqual(
    publications.map(({revisionId, versionRevisionId, author}) => [revisionId, versionRevisionId, author]),
    [
      [republished, reopened, 'api-token'],
      [published, edited, 'api-token'],
    ],
  )
  assert.equal(events.at(-1)?.versionRevisionId, created)
  const titles = await Promise.all(
    [created, edited, reopened, unpublished].map(
      async (revision) => (await past.documents(draftId, `revision=${revision}`))[0]?.title,
    ),
  )
  assert.deepEqual(titles, ['one', 'two', 'four', 'four'])
  assert.deepEqual(await past.documents(draftId, `revision=${discarded}`), [])
  // Like the restore command: requests both ids and takes the one with this revision.
  const both = await past.documents(`${publishedId},${draftId}`, `revision=${published}`)
  assert.deepEqual(
    both.map(({_id, _rev, title}) => [_id, _rev, title]),
    [['a', published, 'two']],
  )
  const [last] = await past.documents(publishedId, 'lastRevision=true')
  assert.equal(last?.title, 'four')
  await assertAgree(lake)
})

test('commits by others between drafts and below a draft', async (t) => {
  const {lake, past, repository, edit, publish, discard} = await startWith(t, {
    'page/a.json': page('one', {z: 1}),
  })
  const foreign = async (title: string, extra = {}) => {
    // The lake may briefly hold the index.
    const commit = () => repository.commit({'page/a.json': page(title, extra)}).catch(() => undefined)
    await eventually(commit, (sha) => sha !== undefined)
    await eventually(async () => (await lake.client.getDocument('a'))?.title, title)
  }
  await edit({title: 'two'})
  await publish()
  await foreign('three', {extra: true})
  await edit({title: 'four'}, ['extra'])
  await foreign('five', {b: 1, c: 2})
  await edit({title: 'six'})
  await assertAgree(lake)
  const last = async () =>
    (await past.documents(`${draftId},${publishedId}`, 'lastRevision=true')).map(({_id, title}) => [
      _id,
      title,
    ])
  assert.deepEqual(await last(), [
    ['drafts.a', 'six'],
    ['a', 'five'],
  ])
  await discard()
  await foreign('seven')
  await foreign('eight')
  assert.deepEqual(await last(), [['a', 'eight']])
  await assertAgree(lake)
})

test('the history of drafts survives a restart', async (t) => {
  const {lake, repository, ...by} = await startWith(t, {'page/a.json': page('one')})
  await by.edit({title: 'two'})
  await by.publish()
  await by.edit({title: 'three'})
  const before = await Promise.all([pastOf(lake).events(draftId), pastOf(lake).transactions(draftId)])
  await lake.close()
  const again = await runLakeOver(t, repository)
  const after = await Promise.all([pastOf(again).events(draftId), pastOf(again).transactions(draftId)])
  assert.deepEqual(after, before)
  await assertAgree(again)
})

test('a draft whose history is lost starts at its current state', async (t) => {
  const {lake, repository, edit} = await startWith(t, {'page/a.json': page('one')})
  const edited = await edit({title: 'two'})
  await lake.close()
  changeState(repository, (state) => state.run('DELETE FROM draft_step'))
  const again = await runLakeOver(t, repository)
  const [newest] = await pastOf(again).events(draftId)
  assert.deepEqual([newest?.type, newest?.versionRevisionId], ['createDocumentVersion', edited])
  await assertAgree(again)
  await editor(again).edit({title: 'three'})
  await editor(again).publish()
  await assertAgree(again)
})
