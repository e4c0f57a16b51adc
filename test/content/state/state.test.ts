import assert from 'node:assert/strict'
import {readdir, stat, truncate, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {type TestContext, test} from 'node:test'
import {MIGRATIONS} from '../../../content/state/migrations.ts'
import {State, StateError} from '../../../content/state/state.ts'
import {temporaryFolder} from '../../lake/support/git.ts'

function openIn(t: TestContext, folder: string, open = State.open): State {
  const state = open(folder)
  t.after(() => state.close())
  return state
}

const addDraft = (state: State, id: string) =>
  state.run(
    'INSERT INTO draft (id, document) VALUES (?, ?)',
    id,
    JSON.stringify({_rev: id, text: 'x'.repeat(5_000)}),
  )
const draftsIn = (state: State) => state.all('SELECT id FROM draft ORDER BY id').map(({id}) => id)

test('every transaction is synced to disk before it returns, and only its owner reads the database', async (t) => {
  const folder = await temporaryFolder(t)
  const state = openIn(t, folder)
  assert.equal(state.get('PRAGMA journal_mode')?.journal_mode, 'wal')
  assert.equal(state.get('PRAGMA synchronous')?.synchronous, 2)
  addDraft(state, 'a')
  for (const name of await readdir(folder))
    assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name)
})

test('a transaction that fails changes nothing, and the next one works', async (t) => {
  const state = openIn(t, await temporaryFolder(t))
  assert.throws(() => {
    state.transaction(() => {
      addDraft(state, 'a')
      throw new Error('refused')
    })
  }, /refused/)
  assert.throws(() => state.transaction(() => state.run('INSERT INTO draft VALUES (1)')), StateError)
  state.transaction(() => addDraft(state, 'b'))
  assert.deepEqual(draftsIn(state), ['b'])
})

test('a process that holds the database for too long is named', async (t) => {
  const folder = await temporaryFolder(t)
  const [one, other] = [openIn(t, folder), openIn(t, folder)]
  one.run('PRAGMA busy_timeout = 0')
  other.transaction(() => {
    assert.throws(() => addDraft(one, 'c'), /another process has locked the database/)
  })
})

test('a database of each earlier version is brought up to date, and one of a later version is refused', async (t) => {
  let folder = ''
  for (let version = 1; version <= MIGRATIONS.length; version += 1) {
    folder = await temporaryFolder(t)
    const database = new DatabaseSync(join(folder, 'state.db'))
    database.exec(`${MIGRATIONS.slice(0, version).join('\n')}; PRAGMA user_version = ${version}`)
    database.exec("INSERT INTO draft (id, document) VALUES ('a', '{}')")
    database.close()
    const state = openIn(t, folder)
    assert.equal(state.get('PRAGMA user_version')?.user_version, MIGRATIONS.length)
    assert.deepEqual(draftsIn(state), ['a'])
    state.run(`PRAGMA user_version = ${MIGRATIONS.length + 1}`)
  }
  for (const open of [State.open, State.openReadOnly])
    assert.throws(
      () => open(folder),
      new RegExp(
        `have version ${MIGRATIONS.length + 1}, .* up to ${MIGRATIONS.length}: .* a later version or one from before`,
      ),
    )
})

test('a damaged database is not opened, but says what to do, and is not replaced', async (t) => {
  for (const damage of ['other content', 'cut off']) {
    const folder = await temporaryFolder(t)
    const path = join(folder, 'state.db')
    const whole = State.open(folder)
    for (let count = 0; count < 100; count += 1) addDraft(whole, `${count}`)
    whole.close()
    if (damage === 'cut off') await truncate(path, (await stat(path)).size / 2)
    else await writeFile(path, 'garbage '.repeat(1_000))
    const {size} = await stat(path)
    for (const open of [State.open, State.openReadOnly])
      assert.throws(() => open(folder), {
        code: 'DAMAGED',
        message: /damaged \(.+\): stop the lake and restore state.db from a backup/,
      })
    assert.equal((await stat(path)).size, size)
  }
})

test('reading creates no files, and changes nothing', async (t) => {
  const folder = await temporaryFolder(t)
  const closed = State.open(folder)
  addDraft(closed, 'a')
  closed.close()
  assert.deepEqual(draftsIn(openIn(t, folder, State.openReadOnly)), ['a'])
  assert.deepEqual(await readdir(folder), ['state.db'])
  openIn(t, folder)
  const reading = openIn(t, folder, State.openReadOnly)
  assert.deepEqual(draftsIn(reading), ['a'])
  assert.throws(() => addDraft(reading, 'b'), {code: 'EROFS'})
})

test('a copy is the state of one moment, and is never written over', async (t) => {
  const [folder, target] = [await temporaryFolder(t), await temporaryFolder(t)]
  const running = openIn(t, folder)
  addDraft(running, 'a')
  const path = join(target, 'state.db')
  await openIn(t, folder, State.openReadOnly).backUp(path)
  addDraft(running, 'b')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(target), ['state.db'])
  await assert.rejects(running.backUp(path), /EEXIST/)
  assert.deepEqual(draftsIn(openIn(t, target)), ['a'])
})
