import assert from 'node:assert/strict'
import {chmod, mkdir, readdir, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {temporaryRepository} from '../lake/support/git.ts'
import {runLakeOver} from '../lake/support/lake.ts'

/** The permissions of the folder and of the files in it that the group or others have. */
async function openTo(folder: string): Promise<string[]> {
  const paths = [folder, ...(await readdir(folder)).map((name) => join(folder, name))]
  const found = await Promise.all(paths.map(async (path) => ({path, mode: (await stat(path)).mode & 0o777})))
  return found.filter(({mode}) => (mode & 0o077) !== 0).map(({path, mode}) => `${path} ${mode.toString(8)}`)
}

/** A repository with state that everybody may read, such as from an archive. */
async function readable(t: TestContext) {
  const repository = await temporaryRepository(t)
  const folder = join(repository.directory, 'handrail')
  await mkdir(folder)
  await chmod(folder, 0o755)
  for (const name of ['history.db', 'lake.lock']) {
    await writeFile(join(folder, name), '')
    await chmod(join(folder, name), 0o664)
  }
  return {...repository, folder, gitDir: repository.directory}
}

test('only its owner reads the state of a lake: drafts, and their history', async (t) => {
  const repository = await readable(t)
  await repository.commit({'tool/a.json': {_id: 'a', _type: 'tool'}})
  const {client} = await runLakeOver(t, repository)
  await client.create({_id: 'drafts.a', _type: 'tool', name: 'secret'})
  await client.create({_id: 'b', _type: 'tool'})
  assert.deepEqual(await openTo(repository.folder), [])
})

test('only the owner of a shared repository reads the state', async (t) => {
  const repository = await readable(t)
  await repository.git('config', 'core.sharedRepository', 'group')
  const {client} = await runLakeOver(t, repository)
  await client.create({_id: 'drafts.a', _type: 'tool', name: 'secret'})
  assert.deepEqual(await openTo(repository.folder), [])
})
