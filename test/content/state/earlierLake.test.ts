import assert from 'node:assert/strict'
import {copyFile, mkdir, readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {openStateForCommand} from '../../../lake/openStateForCommand.ts'
import {temporaryFolder, temporaryRepository} from '../../lake/support/git.ts'
import {runLakeOver} from '../../lake/support/lake.ts'
import {accountsIn, openStateIn, stateFolderOf} from '../../lake/support/signIn.ts'

/** The files that a lake of version 0.1 wrote, next to its repository and in it. */
const version01 = fileURLToPath(new URL('./version01/', import.meta.url))
const PEOPLE = ['editors.json', 'editors.sessions.json', 'editors.audit.jsonl']
const INSIDE = ['drafts.jsonl', 'draft-history.jsonl', 'webhooks.json']

for (const first of ['a lake', 'a command'])
  test(`the state of version 0.1 is taken over by ${first}, and its files are put aside`, async (t) => {
    const repository = await temporaryRepository(t)
    await repository.commit({'note/a.json': {_id: 'a', _type: 'note', value: 1}})
    const [people, inside] = [await temporaryFolder(t), stateFolderOf(repository)]
    await mkdir(inside)
    for (const name of PEOPLE) await copyFile(version01 + name, join(people, name))
    for (const name of INSIDE) await copyFile(version01 + name, join(inside, name))
    const editorsFile = join(people, 'editors.json')
    if (first === 'a command') (await openStateForCommand(repository.directory, editorsFile)).close()
    const {address, client} = await runLakeOver(t, repository, {editorsFile})

    assert.deepEqual(await client.fetch('*[] {_id, value} | order(_id)', {}, {perspective: 'raw'}), [
      {_id: 'a', value: 1},
      {_id: 'drafts.a', value: 3},
    ])
    const ci = {authorization: 'Bearer pAD25rl2Xfp_6OaxBHjtfuoYCcSy1icc0NXQcJ0taW8'}
    assert.equal((await fetch(`${address}/v1/users/me`, {headers: ci})).status, 200)
    const accounts = accountsIn(inside)
    const ada = await accounts.byPassword('ada@example.com', 'correct horse battery')
    assert.equal(ada?.editor.name, 'Ada')
    const state = openStateIn(inside)
    const counts = ['draft_step', 'session', "audit_event WHERE kind = 'signIn'", 'webhook_cursor'].map(
      (table) => state.get(`SELECT count(*) AS count FROM ${table}`)?.count,
    )
    assert.deepEqual(counts, [6, 1, 2, 1])
    const imported = [...(await readdir(people)), ...(await readdir(inside))].filter((name) =>
      name.endsWith('.imported'),
    )
    assert.deepEqual(imported.sort(), [...PEOPLE, ...INSIDE].map((name) => `${name}.imported`).sort())
  })

test('a command before the first start of a lake is refused, because the start decides on the content', async (t) => {
  const folder = await temporaryFolder(t)
  for (const contentDir of [folder, join(folder, 'missing')])
    await assert.rejects(
      openStateForCommand(contentDir, ''),
      /has no content repository yet: start the lake, then/,
    )
  assert.deepEqual(await readdir(folder), [])
})
