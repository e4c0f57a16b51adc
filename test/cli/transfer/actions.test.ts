import assert from 'node:assert/strict'
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {TOOL_RECIPES} from '../../../schemas/recipes/toolRecipes.ts'
import {temporaryFolder, testRepository} from '../../lake/support/git.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {transfer} from './run.ts'

const DOCUMENTS = [
  siteDocument(),
  ...TOOL_RECIPES.map(({id, fields}) => {
    const {executeJs: _, ...tool} = toolDocument({_id: id})
    return {...tool, ...fields}
  }),
].sort((a, b) => (a._id < b._id ? -1 : 1))

test('tools without a script keep what they do when they are imported, and when they are exported', async (t) => {
  const folder = await temporaryFolder(t)
  const [from, to, dir] = ['from.ndjson', 'to.ndjson', 'content'].map((name) => join(folder, name))
  assert.ok(from !== undefined && to !== undefined && dir !== undefined)
  await writeFile(from, DOCUMENTS.map((document) => `${JSON.stringify(document)}\n`).join(''))
  const {code, out, error} = await transfer('import', [from, dir])
  assert.deepEqual([code, error], [0, ''], out)
  const stored = JSON.parse(await testRepository(dir).git('show', 'HEAD:tool/readPage.json'))
  const {inputSchema, ...readPage} = DOCUMENTS.find(({_id}) => _id === 'readPage') ?? {}
  assert.deepEqual(stored, readPage)

  assert.equal((await transfer('export', [dir, to])).code, 0)
  const lines = (await readFile(to, 'utf8')).trim().split('\n')
  const exported = lines.map((line) => {
    const {_rev, _createdAt, _updatedAt, ...document} = JSON.parse(line)
    return document
  })
  assert.deepEqual(exported, DOCUMENTS)
})
