import assert from 'node:assert/strict'
import {test} from 'node:test'
import {pino} from 'pino'
import {History} from '../../../../content/history/history.ts'
import {Layout} from '../../../../content/layout/layout.ts'
import {changesFor} from '../../../../lake/webhooks/sources.ts'
import {storeOf} from '../../support/documents.ts'
import {temporaryRepository} from '../../support/git.ts'

const LAYOUT = new Layout({tool: {executeJs: 'js'}})

test('several changes of a document become one, and after an unknown commit each document is reported', async (t) => {
  const repository = await temporaryRepository(t)
  const from = await repository.commit({'tool/a.json': {}, 'tool/a.js': '1', 'tool/gone.json': {}})
  await repository.commit({'tool/a.js': '2', 'tool/gone.json': undefined, 'deep/er/file.json': {}})
  const head = await repository.commit({'tool/a.js': '3', 'tool/new.json': {}})
  const logger = pino({level: 'silent'})
  const history = new History(repository.directory, LAYOUT)
  history.apply(await history.plan(head))
  const store = storeOf({_id: 'a', _type: 'tool'}, {_id: 'new', _type: 'tool'})
  const source = changesFor({history, published: () => store.view('published'), head: () => head, logger})
  const since = async (commit: string) =>
    (await source.since(commit)).deliveries.map((make) => `${make()?.operation} ${make()?.id}`).sort()
  assert.deepEqual(await since(from), ['create new', 'delete gone', 'update a'])
  assert.deepEqual(await since(head), [])
  assert.deepEqual(await since('0'.repeat(40)), ['update a', 'update new'])
})
