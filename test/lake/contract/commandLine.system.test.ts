import assert from 'node:assert/strict'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {sanityCli} from '../../support/network/sanityCli.ts'
import {temporaryFolder} from '../support/git.ts'
import {runLake} from '../support/lake.ts'

/** Renames an attribute of all documents of a type. */
const MIGRATION = `export default {
  title: 'Rename',
  documentTypes: ['post'],
  migrate: {
    document: ({title}) => [
      {path: ['name'], op: {type: 'set', value: title}},
      {path: ['title'], op: {type: 'unset'}},
    ],
  },
}
`

/** Each of these starts Sanity's command line, which takes a second or two: one test for all. */
test('Sanity’s command line, which only knows api.sanity.io, works with a lake behind that name', async (t) => {
  const lake = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post', title: 'A'}})
  const folder = await temporaryFolder(t)
  const {run, asked} = await sanityCli(t, lake.address, folder)
  const files = {
    'package.json': '{"type": "module"}',
    'sanity.cli.js': `export default {api: {projectId: 'local', dataset: 'production'}}`,
    'new.json': JSON.stringify([{_id: 'b', _type: 'post', title: 'B'}]),
    'migrations/rename.js': MIGRATION,
  }
  await mkdir(join(folder, 'migrations'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)

  assert.equal(JSON.parse(await run('documents', 'get', 'a')).title, 'A')
  assert.match(await run('documents', 'create', 'new.json'), /b/)
  const names = await run('documents', 'query', '*[_type == "post"] | order(_id) {title}')
  assert.deepEqual(JSON.parse(names), [{title: 'A'}, {title: 'B'}])
  await assert.rejects(run('documents', 'get', 'none'), /none/)

  await run('migrations', 'run', 'rename', '--no-dry-run', '--no-confirm')
  const [a] = await lake.client.getDocuments(['a'])
  assert.deepEqual([a?.name, a?.title], ['A', undefined])

  assert.deepEqual([...asked], ['local.api.sanity.io:443'])
})
