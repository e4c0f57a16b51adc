import {equal} from 'node:assert/strict'
import {test} from 'node:test'
import {groupChanges, readDocuments} from '../../../content/files/readDocuments.ts'
import {Layout} from '../../../content/layout/layout.ts'
import {temporaryRepository} from '../../lake/support/git.ts'

test('any number of documents may have a file with the same content', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'tool/same.js': 'return 1\n'})
  const blob = (await repository.git('rev-parse', 'HEAD:tool/same.js')).trim()
  const layout = new Layout({tool: {executeJs: 'js'}})
  const changes = Array.from({length: 50_000}, (_, at) => {
    const path = `tool/t${at}.js`
    return {path, state: {path, id: blob}}
  })
  const documents = await readDocuments(
    repository.directory,
    layout,
    groupChanges(layout, changes, () => []),
  )
  equal(documents.size, 50_000)
})
