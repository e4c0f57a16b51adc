import assert from 'node:assert/strict'
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {temporaryFolder, temporaryWorkTree, testRepository} from '../../lake/support/git.ts'
import {runLake, runLakeOver} from '../../lake/support/lake.ts'
import {environmentOf, transfer} from './run.ts'

const DATES = {_createdAt: '2020-01-01T00:00:00Z', _updatedAt: '2021-01-01T00:00:00Z'}
const LINES = [
  {_id: 'one', _type: 'page', title: 'One', ...DATES},
  {_id: 'drafts.one', _type: 'page', title: 'Draft', ...DATES},
  {_id: 'drafts.new', _type: 'page', ...DATES},
]

async function fileOf(t: TestContext, documents: readonly object[]): Promise<string> {
  const path = join(await temporaryFolder(t), 'x.ndjson')
  await writeFile(path, documents.map((document) => `${JSON.stringify(document)}\n`).join(''))
  return path
}

test('drafts are not imported into a clone, in which no lake would find them', async (t) => {
  const {directory} = await temporaryWorkTree(t)
  const {code, error} = await transfer('import', [await fileOf(t, LINES), directory, '--drafts'])
  assert.equal(code, 2)
  assert.match(error, /^nothing was imported: .* is a clone with a work tree, and only the bare repository/)
})

test('drafts are imported with their dates, and a lake goes on with them', async (t) => {
  const directory = join(await temporaryFolder(t), 'content')
  const args = [await fileOf(t, LINES), directory, '--drafts']
  assert.match((await transfer('import', [...args, '--dry-run'])).out, /^Would import 1 document/)
  const first = await transfer('import', args)
  assert.deepEqual([first.code, first.error], [0, ''])
  assert.match(first.out, /^Drafts: 2 written, 0 kept, 0 unchanged\.$/m)
  assert.match((await transfer('import', args)).out, /^Drafts: 0 written, 0 kept, 2 unchanged\.$/m)
  const changed = await fileOf(t, [{...LINES[1], title: 'Other'}])
  const kept = await transfer('import', [changed, directory, '--drafts', '--missing'])
  assert.match(kept.out, /^Drafts: 0 written, 1 kept, 0 unchanged\.$/m)

  const {client} = await runLakeOver(t, testRepository(directory))
  const query = '*[_id in path("drafts.**")] | order(_id) {_id, title, _createdAt, _updatedAt}'
  assert.deepEqual(await client.fetch(query, {}, {perspective: 'raw'}), [
    {_id: 'drafts.new', title: null, ...DATES},
    {_id: 'drafts.one', title: 'Draft', ...DATES},
  ])
  await client.action([
    {actionType: 'sanity.action.document.publish', draftId: 'drafts.one', publishedId: 'one'},
  ])
  assert.equal(await client.fetch('*[_id == "one"][0].title', {}, {perspective: 'published'}), 'Draft')
})

test('while a lake runs, drafts cannot be imported, and nothing else is', async (t) => {
  const {repository} = await runLake(t, {'page/zero.json': {_id: 'zero', _type: 'page'}})
  const head = await repository.git('rev-parse', 'HEAD')
  const {code, error} = await transfer('import', [await fileOf(t, LINES), repository.directory, '--drafts'])
  assert.match(error, /^drafts are imported while no lake runs: stop the lake, or import without --drafts/)
  assert.equal(code, 2)
  assert.equal(await repository.git('rev-parse', 'HEAD'), head)
})

test('drafts of a running lake are exported to a file and into another lake', async (t) => {
  const from = await runLake(t, {'page/one.json': {_id: 'one', _type: 'page'}})
  await from.client.create({_id: 'drafts.one', _type: 'page', title: 'Draft'})
  const path = join(await temporaryFolder(t), 'x.ndjson')
  assert.match((await transfer('export', [from.repository.directory, path])).out, /^Exported 1 document to/)
  const args = [from.repository.directory, path, '--drafts', '--replace']
  assert.match((await transfer('export', args)).out, /^Exported 2 documents to/)
  assert.match(await readFile(path, 'utf8'), /^\{"_id":"drafts.one",.*"title":"Draft".*\}\n\{"_id":"one",/)

  const to = await runLake(t)
  const run = () => transfer('export', [from.repository.directory, 'dataset', '--drafts'], environmentOf(to))
  assert.match((await run()).out, /^Exported 2 documents /)
  assert.match((await run()).out, /^Exported 0 documents .* 2 unchanged/)
  assert.equal(await to.client.fetch('*[_id == "drafts.one"][0].title', {}, {perspective: 'raw'}), 'Draft')
})
