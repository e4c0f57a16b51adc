import assert from 'node:assert/strict'
import {test} from 'node:test'
import {MAX_FILE_BYTES} from '../../../content/parseDocument.ts'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {temporaryRepository} from '../support/git.ts'
import {runLakeOver} from '../support/lake.ts'
import {accountsIn, stateFolderOf} from '../support/signIn.ts'
import {activityOf, objects} from './support.ts'

const shop = {_type: 'reference', _ref: 'shop'}

test('the changes of all documents are listed, the latest first, in pages', async (t) => {
  const repository = await temporaryRepository(t)
  const first = await repository.commit({'page/a.json': {_id: 'a', _type: 'page'}}, 1_000)
  await repository.commit({'README.md': 'Not a document'}, 2_000)
  await repository.commit(
    {'page/a.json': {_id: 'a', _type: 'page', name: 'A'}, 'page/b.json': {_id: 'b', _type: 'page'}},
    3_000,
  )
  await repository.commit({'page/a.json': undefined}, 4_000)
  const {address} = await runLakeOver(t, repository)

  const {changes, lines, ...rest} = await activityOf(address)
  assert.deepEqual(lines, [['deleted page a'], ['updated page a', 'created page b'], ['created page a']])
  const [latest] = changes
  assert.deepEqual(
    [latest?.timestamp, latest?.subject, latest?.hasMore],
    ['1970-01-01T01:06:40Z', 'Change content', false],
  )
  assert.deepEqual(changes.at(-1)?.commit, first)
  assert.deepEqual({...rest}, {nextCursor: ''}, 'there is no remote, and no further page')

  const pages: string[][] = []
  let cursor = ''
  do {
    const page = await activityOf(address, `limit=1&nextCursor=${cursor}`)
    pages.push(...page.lines)
    cursor = String(Reflect.get(page, 'nextCursor'))
  } while (cursor !== '')
  assert.deepEqual(pages, lines)
})

test('an update names the fields that it changed, in the JSON and in text files', async (t) => {
  const repository = await temporaryRepository(t)
  const page = (fields: object) => ({_id: 'a', _type: 'page', ...fields})
  await repository.commit({'page/a.json': page({})})
  await repository.commit({'page/a.json': page({name: 'A', place: {x: 1, y: 2}})})
  await repository.commit({'page/a.json': page({name: 'B', place: {y: 2, x: 1}, text: 'c', _rev: 'x'})})
  await repository.commit({'page/a.json': page({name: 'B'}), 'page/a.txt': 'c\n'})
  await repository.commit({'page/a.json': page({name: 'C'}), 'page/a.txt': 'd\n'})
  await repository.commit({'page/a.txt': 'e'})
  await repository.commit({'page/a.json': page({name: 'D'}), 'page/a.txt': 'x'.repeat(MAX_FILE_BYTES + 1)})
  await repository.commit({'page/a.json': '{', 'page/a.txt': 'f'})
  await repository.commit({'page/a.json': page({text: 'f'}), 'page/a.txt': undefined})
  const {address} = await runLakeOver(t, repository, {textFiles: {page: {text: 'txt'}}})
  const {changes} = await activityOf(address)
  const expected = [
    undefined,
    undefined,
    // The text is too large to be read.
    undefined,
    ['text'],
    ['name', 'text'],
    ['place'],
    ['name', 'text'],
    ['name', 'place'],
    undefined,
  ]
  const fields = changes.map(({documents}) => objects(documents).map((document) => document.fields))
  assert.deepEqual(
    fields,
    expected.map((names) => [names]),
  )
})

test('the changes of one document and of those that reference it include deleted and moved ones', async (t) => {
  const repository = await temporaryRepository(t)
  const tool = (fields: object) => ({_id: 'a', _type: 'page', ...fields})
  await repository.commit({'site/shop.json': {_id: 'shop', _type: 'site'}})
  await repository.commit({
    'page/a.json': tool({deep: [{site: shop}]}),
    'page/b.json': {_id: 'b', _type: 'page'},
  })
  await repository.commit({'page/a.json': tool({site: {_type: 'reference', _ref: 'other'}})})
  await repository.commit({'page/a.json': tool({name: 'A'})})
  await repository.commit({'page/c.json': {_id: 'c', _type: 'page', site: shop}})
  await repository.commit({'page/c.json': undefined})
  const {address} = await runLakeOver(t, repository)
  assert.deepEqual((await activityOf(address, 'references=shop')).lines, [
    ['deleted page c'],
    ['created page c'],
    ['updated page a'],
    ['created page a'],
    ['created site shop'],
  ])
})

test('authors are editors, and a remote with web pages of commits is named', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.git('remote', 'add', 'origin', 'git@github.com:handrail/content.git')
  await repository.commit({'page/a.json': {_id: 'a', _type: 'page'}})
  const email = (await repository.git('log', '-1', '--format=%ae')).trim()
  const {id} = await accountsIn(stateFolderOf(repository)).addEditor({
    name: 'Ada',
    email,
    rights: everywhere('publisher'),
  })
  const {address} = await runLakeOver(t, repository)
  const {changes, ...rest} = await activityOf(address)
  assert.equal(changes[0]?.author, id)
  assert.equal(Reflect.get(rest, 'commitPage'), 'https://github.com/handrail/content/commit/')
})
