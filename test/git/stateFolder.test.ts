import assert from 'node:assert/strict'
import {chmod, mkdir, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {temporaryRepository} from '../lake/support/git.ts'
import {runLakeOver} from '../lake/support/lake.ts'

test('only the owner of a shared repository opens the folder with the state of a lake: drafts, and their history', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.git('config', 'core.sharedRepository', 'group')
  const folder = join(repository.directory, 'handrail')
  await mkdir(folder)
  await chmod(folder, 0o775)
  const {client} = await runLakeOver(t, repository)
  await client.create({_id: 'drafts.a', _type: 'tool', name: 'secret'})
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
})
