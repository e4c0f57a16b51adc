import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {promisify} from 'node:util'
import {readFile} from '../../../cli/transfer/sources.ts'
import {projectFile} from '../../deploy/support/files.ts'
import {redirectSanityHost} from '../../support/network/sanityHost.ts'
import {token} from '../support/app.ts'
import {temporaryFolder} from '../support/git.ts'
import {runLake} from '../support/lake.ts'

const PROGRAM = projectFile('node_modules/@sanity/cli/bin/run.js')

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
  const {environment, asked} = await redirectSanityHost(t, lake.address)
  const folder = await temporaryFolder(t)
  const files = {
    'package.json': '{"type": "module"}',
    'sanity.cli.js': `export default {api: {projectId: 'local', dataset: 'production'}}`,
    'new.json': JSON.stringify([{_id: 'b', _type: 'post', title: 'B'}]),
    'migrations/rename.js': MIGRATION,
  }
  await mkdir(join(folder, 'migrations'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const env = {
    ...environment,
    SANITY_AUTH_TOKEN: token,
    HOME: folder,
    TMPDIR: folder,
    XDG_CONFIG_HOME: folder,
    DO_NOT_TRACK: '1',
    CI: '1',
  }
  const run = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [PROGRAM, ...args], {cwd: folder, env})).stdout

  assert.equal(JSON.parse(await run('documents', 'get', 'a')).title, 'A')
  assert.match(await run('documents', 'create', 'new.json'), /b/)
  const names = await run('documents', 'query', '*[_type == "post"] | order(_id) {title}')
  assert.deepEqual(JSON.parse(names), [{title: 'A'}, {title: 'B'}])
  await assert.rejects(run('documents', 'get', 'none'), /none/)

  await run('migrations', 'run', 'rename', '--no-dry-run', '--no-confirm')
  const [a] = await lake.client.getDocuments(['a'])
  assert.deepEqual([a?.name, a?.title], ['A', undefined])

  await run('datasets', 'export', 'production', 'all.tar.gz')
  const documents: unknown[] = []
  for await (const document of readFile(join(folder, 'all.tar.gz'), () => {})) documents.push(document)
  assert.deepEqual(documents, await lake.client.getDocuments(['a', 'b']))
  assert.deepEqual([...asked], ['local.api.sanity.io:443'])
})
