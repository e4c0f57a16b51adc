import assert from 'node:assert/strict'
import {test} from 'node:test'
import {groupVersions, inRelease} from '../../../schemas/documents.ts'
import {type DraftAuthor, DraftAuthors} from '../../../service/preview/drafts/draftAuthors.ts'

const draft = (id: string, _rev = '1') => ({_id: `drafts.${id}`, _type: 'tool', _rev})
const versions = (id = 'a', _rev = '1') => ({id, type: 'tool', draft: draft(id, _rev)})

/** A content lake that returns a history and users by path. */
function clientWith(responses: Readonly<Record<string, unknown>>) {
  const requests: string[] = []
  const request = async ({url}: {url: string}) => {
    requests.push(url)
    if (!(url in responses)) throw new Error('not found')
    return responses[url]
  }
  return {requests, client: {config: () => ({dataset: 'production'}), request}}
}

const HISTORY = '/data/history/production/transactions/drafts.a'
const roles = (name: string, sites: unknown) => ({displayName: name, roles: [{name, sites}]})
const line = (author: string, hour = 12) =>
  `${JSON.stringify({author, timestamp: `2026-11-26T${hour}:00:00Z`})}\n`

test('the name of who changed a draft last is read from its history, once for each revision', async () => {
  const {client, requests} = clientWith({[HISTORY]: line('eve'), '/users/eve': {displayName: 'Eve'}})
  const authors = new DraftAuthors(client)
  const expected = [['drafts.a', {name: 'Eve', mayPublish: false}]]
  assert.deepEqual([...(await authors.of('shop', [versions()]))], expected)
  assert.deepEqual([...(await authors.of('shop', [versions()]))], expected)
  assert.equal(requests.length, 2)
  await authors.of('shop', [versions('a', '2')])
  assert.equal(requests.length, 4)
})

const USERS = {
  '/users/root': roles('administrator', 'all'),
  '/users/bob': roles('publisher', ['shop']),
  '/users/eve': roles('author', 'all'),
  '/users/far': roles('publisher', ['blog']),
  '/users/hosted': {displayName: 'Hosted'},
}
const published = {_id: 'a', _type: 'tool', _rev: '0', _updatedAt: '2026-11-26T11:00:00Z'}
const CASES: [who: string, history: unknown, mayPublish: boolean][] = [
  ['a publisher of the site', line('bob'), true],
  ['an administrator and a publisher', line('root') + line('bob'), true],
  ['an author before a publisher', line('bob') + line('eve'), false],
  ['an author before the last publish', line('bob') + line('eve', 10), true],
  ['a publisher of another site', line('far'), false],
  ['somebody whose rights are unknown', line('hosted'), false],
  ['somebody who was removed', line('bob') + line('gone'), false],
  ['a program without a name', line('bob') + line(''), false],
  ['more people than were asked for', line('bob').repeat(50), false],
  ['an unknown author', '', false],
]
for (const [who, history, mayPublish] of CASES) {
  test(`a draft by ${who} ${mayPublish ? 'may run' : 'asks before it runs'}`, async () => {
    const {client} = clientWith({...USERS, [HISTORY]: history})
    const authors = await new DraftAuthors(client).of('shop', [{...versions(), published}])
    assert.equal(authors.get('drafts.a')?.mayPublish, mayPublish)
  })
}

const VERSION = '/data/history/production/transactions/versions.r.a'
const RELEASED: [who: string, version: string, draft: string, name: string, mayPublish: boolean][] = [
  ['a publisher', line('bob'), '', 'publisher', true],
  ['an author, next to the draft of a publisher', line('eve'), line('bob'), 'author', false],
  ['a publisher who copied the draft of an author', line('bob'), line('eve'), 'publisher', false],
  [
    'an author before the last publish, and a publisher after it',
    line('bob') + line('eve', 10),
    '',
    'publisher',
    false,
  ],
  ['people who are not known, next to the draft of a publisher', '', line('bob'), 'publisher', false],
]
for (const [who, version, history, name, mayPublish] of RELEASED) {
  test(`a version of a release by ${who} ${mayPublish ? 'may run' : 'asks before it runs'}`, async () => {
    const {client} = clientWith({...USERS, [VERSION]: version, [HISTORY]: history})
    const documents = inRelease([published, {...draft('a'), _id: 'versions.r.a'}, draft('a', '2')], 'r')
    const authors = await new DraftAuthors(client).of('shop', groupVersions(documents))
    assert.deepEqual(authors.get('drafts.a'), {name, mayPublish})
  })
}

test('another content under the same revision has authors of its own', async () => {
  const histories: Record<string, unknown> = {...USERS, [HISTORY]: line('bob')}
  const authors = new DraftAuthors(clientWith(histories).client)
  assert.equal((await authors.of('shop', [versions()])).get('drafts.a')?.mayPublish, true)
  histories[HISTORY] = line('eve') + line('bob')
  const replaced = {...versions(), draft: {...draft('a'), executeJs: 'steal()'}}
  assert.equal((await authors.of('shop', [replaced])).get('drafts.a')?.mayPublish, false)
})

test('authors that the content lake does not have are unknown', async () => {
  const unknown = (authors: ReadonlyMap<string, DraftAuthor>) =>
    [...authors.values()].every(({name, mayPublish}) => name === '' && !mayPublish)
  for (const responses of [
    {},
    {[HISTORY]: 'not JSON'},
    {[HISTORY]: {author: 'eve'}},
    {[HISTORY]: {author: 'eve'}, '/users/eve': {displayName: 7}},
    {[HISTORY]: {author: 'eve'}, '/users/eve': null},
  ])
    assert.ok(unknown(await new DraftAuthors(clientWith(responses).client).of('shop', [versions()])))
})

test('the authors of at most 50 drafts are requested', async () => {
  const {client, requests} = clientWith({})
  await new DraftAuthors(client).of(
    'shop',
    Array.from({length: 100}, (_, index) => versions(`d${index}`)),
  )
  assert.ok(requests.length <= 50)
})
