import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {test} from 'node:test'
import {promisify} from 'node:util'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {token} from '../support/app.ts'
import {type TestRepository, temporaryRepository} from '../support/git.ts'
import {runLakeOver} from '../support/lake.ts'
import {accountsIn, stateFolderOf} from '../support/signIn.ts'
import {pastOf} from './support.ts'

const run = promisify(execFile)

/** Commits one document repeatedly, one second apart, alternating between two people. */
async function commitOften({directory}: TestRepository, commits: number): Promise<void> {
  const stream = Array.from({length: commits}, (_, number) => {
    const text = JSON.stringify({_id: 'a', _type: 'page', number})
    const who = number % 2 === 0 ? 'Ada <ada@example.com>' : 'Bob <bob@example.com>'
    const when = `${1_000 + number} +0000`
    return `commit refs/heads/main
author ${who} ${when}
committer ${who} ${when}
data 1
.
M 100644 inline page/a.json
data ${text.length}
${text}
`
  })
  const importing = run('git', ['fast-import', '--quiet'], {cwd: directory})
  importing.child.stdin?.end(stream.join(''))
  await importing
}

test('a long history is read in pages, only as far as requested', async (t) => {
  const repository = await temporaryRepository(t)
  await commitOften(repository, 450)
  const accounts = accountsIn(stateFolderOf(repository))
  const ada = await accounts.addEditor({
    name: 'Ada',
    email: 'Ada@example.com',
    rights: everywhere('publisher'),
  })
  const past = pastOf(await runLakeOver(t, repository))

  const events = await past.events('a')
  assert.equal(events.length, 450)
  assert.deepEqual(
    [events[0], events[449]].map((event) => [event?.author, event?.timestamp]),
    [
      ['bob@example.com', '1970-01-01T00:24:09Z'],
      [ada.id, '1970-01-01T00:16:40Z'],
    ],
  )
  const [first] = await past.documents('a', `revision=${events[449]?.revisionId}`)
  assert.equal(first?.number, 0)
  const [then] = await past.documents('a', 'time=1970-01-01T00:16:45.500Z')
  assert.deepEqual(
    [then?.number, then?._createdAt, then?._updatedAt],
    [5, first?._createdAt, '1970-01-01T00:16:45Z'],
  )
  assert.deepEqual(await past.documents('a', 'time=1970-01-01T00:16:39Z'), [])
  const [byContent] = await past.documents('a', `revision=${then?._rev}`)
  assert.deepEqual(byContent, then)

  const numbers = async (search: string) =>
    (await past.transactions('a', search)).map(({timestamp}) => Date.parse(String(timestamp)) / 1_000 - 1_000)
  assert.deepEqual(await numbers('limit=3'), [0, 1, 2])
  assert.deepEqual(await numbers('limit=3&reverse=true'), [449, 448, 447])
  assert.deepEqual(await numbers(`limit=2&fromTransaction=${events[440]?.revisionId}`), [9, 10])
  assert.deepEqual(await numbers(`limit=2&reverse=true&toTransaction=${events[440]?.revisionId}`), [9, 8])
  assert.deepEqual(await numbers('fromTransaction=unknown'), [])
  assert.deepEqual(await numbers('toTransaction=unknown'), [])
})

test('the log has no content, and effects only on request', async (t) => {
  const repository = await temporaryRepository(t)
  await commitOften(repository, 2)
  const {address} = await runLakeOver(t, repository)
  const url = `${address}/vX/data/history/production/transactions/a,b?effectFormat=`
  const response = await fetch(url, {headers: {authorization: `Bearer ${token}`}})
  const {id, ...entry} = JSON.parse((await response.text()).split('\n')[0] ?? '')
  assert.deepEqual(entry, {
    timestamp: '1970-01-01T00:16:40Z',
    author: 'ada@example.com',
    documentIDs: ['a'],
    mutations: [{create: {_id: 'a', _type: 'page'}}],
  })
})

test('invalid requests are rejected', async (t) => {
  const repository = await temporaryRepository(t)
  const {address} = await runLakeOver(t, repository)
  for (const route of [
    'documents/a?time=yesterday',
    'documents/a?time=2026-01-01T00:00:00Z&revision=b',
    'documents/..%2Fa',
    'documents/a,*',
    `documents/${Array.from({length: 201}, (_, number) => `a${number}`).join(',')}`,
    'transactions/a?limit=0',
    'transactions/a?limit=-1',
    'events/documents/a,b',
    'activity?references=a/b',
    'activity?limit=x',
    'events/documents/a?limit=many',
  ]) {
    const url = `${address}/vX/data/history/production/${route}`
    const response = await fetch(url, {headers: {authorization: `Bearer ${token}`}})
    assert.equal(response.status, 400, route)
  }
})
