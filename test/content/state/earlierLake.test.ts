import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {hash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {copyFile, mkdir, readdir, readFile} from 'node:fs/promises'
import {basename, join, relative} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {runBackupCommand} from '../../../lake/backup/command.ts'
import {openStateForCommand} from '../../../lake/openStateForCommand.ts'
import {
  createRepository,
  temporaryFolder,
  temporaryRepository,
  testRepository,
} from '../../lake/support/git.ts'
import {runLake, runLakeOver} from '../../lake/support/lake.ts'
import {accountsIn, openStateIn, stateFolderOf} from '../../lake/support/signIn.ts'

const run = promisify(execFile)

/** The files that a lake of version 0.1 wrote, next to its repository and in it. */
const version01 = fileURLToPath(new URL('./version01/', import.meta.url))
const PEOPLE = ['editors.json', 'editors.sessions.json', 'editors.audit.jsonl']
const INSIDE = ['drafts.jsonl', 'draft-history.jsonl', 'webhooks.json']

/** The same of an earlier lake of that version, without an audit log. Its folders, under `.handrail`, were `content` and these files. */
const version01First = fileURLToPath(new URL('./version01First/', import.meta.url))

/** The commands of a page that go back to the version before the database. */
async function commandsToGoBack(): Promise<string> {
  const page = await readFile(new URL('../../../docs/runbook.md', import.meta.url), 'utf8')
  const [, commands = ''] = /```sh\n([^`]*\.imported[^`]*)```/.exec(page) ?? []
  assert.notEqual(commands, '')
  return commands
}

/** The digests of what an earlier lake reads in a folder, by path. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const entry of await readdir(folder, {recursive: true, withFileTypes: true})) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (!entry.isFile() || path.startsWith('content.git/') || entry.name === 'lake.lock') continue
    files[path] = hash('sha256', await readFile(join(folder, path)))
  }
  return files
}

for (const [fixture, draft, values] of [
  [version01, 'a', {value: 3}],
  [version01First, 'tool-search-products', {description: 'typed in 1730c4b'}],
] as const)
  test(`after an upgrade, ${basename(fixture)} starts again with its content, drafts and people, and with what was published since`, async (t) => {
    const base = await temporaryFolder(t)
    const home = join(base, '.handrail')
    const gitDir = join(home, 'content', '.git')
    await createRepository(gitDir)
    const earlier = testRepository(join(home, 'content'))
    await earlier.git('config', 'core.bare', 'false')
    await earlier.commit({'note/a.json': {_id: 'a', _type: 'note', value: 1}})
    await mkdir(join(gitDir, 'handrail'))
    for (const name of await readdir(fixture))
      await copyFile(fixture + name, join(PEOPLE.includes(name) ? home : join(gitDir, 'handrail'), name))
    const before = await filesIn(home)

    const bare = testRepository(join(home, 'content.git'))
    const lake = await runLakeOver(t, bare, {editorsFile: join(home, 'editors.json')})
    const id = `drafts.${draft}`
    const found = await lake.client.getDocument(id)
    assert.deepEqual({...found, ...values}, found)
    const ada = await accountsIn(lake.stateFolder).byPassword('ada@example.com', 'correct horse battery')
    assert.equal(ada?.editor.name, 'Ada')
    assert.equal(openStateIn(lake.stateFolder).get('SELECT count(*) AS count FROM session')?.count, 1)
    await lake.client.createOrReplace({_id: 'a', _type: 'note', value: 2})
    await lake.close()
    assert.equal(existsSync(join(home, 'editors.json')), false)

    const [putBack = '', ...pull] = (await commandsToGoBack()).trim().split('\n')
    await run('sh', ['-e', '-c', putBack], {cwd: base})
    assert.deepEqual(await filesIn(home), before)
    await run('sh', ['-e', '-c', pull.join('\n')], {cwd: base})
    assert.match(await readFile(join(home, 'content/note/a.json'), 'utf8'), /"value": 2/)
  })

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
  const open = () => openStateForCommand(repository.directory, '')
  await assert.rejects(open(), /the content repository is in use by the lake \(process /)
  const to = await temporaryFolder(t)
  await runBackupCommand(['backup', '--to', to], {contentDir: repository.directory, gitRemote: undefined})
  assert.equal(version(), current - 1)
  await close()
})
