import assert from 'node:assert/strict'
import {test} from 'node:test'
import {DraftAuthors} from '../../../service/preview/drafts/draftAuthors.ts'

const draft = (id: string, _rev = '1') => ({_id: `drafts.${id}`, _type: 'tool', _rev})

/** A content lake that returns a history and users by path. */
function clientWith(responses: Readonly<Record<string, unknown>>) {
  const requests: string[] = []
  const request = async ({uri}: {uri: string}) => {
    requests.push(uri)
    if (!(uri in responses)) throw new Error('not found')
    return responses[uri]
  }
  return {requests, client: {config: () => ({dataset: 'production'}), request}}
}

const HISTORY = '/data/history/production/transactions/drafts.a'

test('the name of who changed a draft last is read from its history, once for each revision', async () => {
  const {client, requests} = clientWith({[HISTORY]: '{"author":"eve"}\n', '/users/eve': {displayName: 'Eve'}})
  const authors = new DraftAuthors(client)
  assert.deepEqual([...(await authors.of([draft('a')]))], [['drafts.a', 'Eve']])
  assert.deepEqual([...(await authors.of([draft('a')]))], [['drafts.a', 'Eve']])
  assert.equal(requests.length, 2)
  await authors.of([draft('a', '2')])
  assert.equal(requests.length, 4)
})

test('a name that the content lake does not have is unknown', async () => {
  for (const responses of [
    {},
    {[HISTORY]: ''},
    {[HISTORY]: 'not JSON'},
    {[HISTORY]: {author: 'eve'}},
    {[HISTORY]: {author: 'eve'}, '/users/eve': {displayName: 7}},
    {[HISTORY]: {author: 'eve'}, '/users/eve': null},
  ])
    assert.deepEqual([...(await new DraftAuthors(clientWith(responses).client).of([draft('a')]))], [])
})

test('the authors of at most 20 drafts are requested', async () => {
  const {client, requests} = clientWith({})
  await new DraftAuthors(client).of(Array.from({length: 100}, (_, index) => draft(`d${index}`)))
  assert.ok(requests.length <= 20)
})
