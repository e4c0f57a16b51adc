import assert from 'node:assert/strict'
import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {test} from 'node:test'
import {runBackupCommand} from '../../../lake/commands/backup.ts'
import {openStateForCommand} from '../../../lake/commands/openState.ts'
import {temporaryFolder} from '../support/git.ts'
import {runLake} from '../support/lake.ts'
import {openStateIn} from '../support/signIn.ts'

test('a command before the first start of a lake is refused, because the start decides on the content', async (t) => {
  const folder = await temporaryFolder(t)
  for (const contentDir of [folder, join(folder, 'missing')])
    await assert.rejects(
      openStateForCommand(contentDir),
      /has no content repository yet: start the lake, then/,
    )
  assert.deepEqual(await readdir(folder), [])
})

test('a command does not change the tables of a lake of an earlier version that runs, and a backup reads them', async (t) => {
  const {repository, stateFolder, close} = await runLake(t, {'note/a.json': {_id: 'a', _type: 'note'}})
  const version = () => {
    const database = new DatabaseSync(join(stateFolder, 'state.db'), {readOnly: true})
    const found = database.prepare('PRAGMA user_version').get()?.user_version
    database.close()
    return Number(found)
  }
  const current = version()
  const state = openStateIn(stateFolder)
  state.run(`PRAGMA user_version = ${current - 1}`)
  state.close()
  const open = () => openStateForCommand(repository.directory)
  await assert.rejects(open(), /the content repository is in use by another lake/)
  const to = await temporaryFolder(t)
  await runBackupCommand(['backup', '--to', to], {contentDir: repository.directory, gitRemote: undefined})
  assert.equal(version(), current - 1)
  await close()
})
