import assert from 'node:assert/strict'
import {copyFile, readdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {State} from '../../../content/state/state.ts'
import {importPeople} from '../../../lake/access/importPeople.ts'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {Sessions} from '../../../lake/access/signIn/sessions.ts'
import {AuditLog} from '../../../lake/audit/auditLog.ts'
import {temporaryFolder} from '../support/git.ts'
import {recordingLogger} from '../support/log.ts'
import {accountsIn} from '../support/signIn.ts'

/** The files that a lake of version 0.1 wrote. */
const version01 = fileURLToPath(new URL('../../content/state/version01/', import.meta.url))
const NAMES = ['editors.json', 'editors.sessions.json', 'editors.audit.jsonl']

async function folderOf(t: TestContext) {
  const folder = await temporaryFolder(t)
  for (const name of NAMES) await copyFile(version01 + name, join(folder, name))
  const state = State.open(folder)
  t.after(() => state.close())
  const {logger} = recordingLogger()
  const read = () => importPeople(state, join(folder, 'editors.json'), {renames: true, logger})
  return {folder, state, read}
}

test('people, tokens, sessions and the audit log of version 0.1 are taken over, once', async (t) => {
  const {folder, state, read} = await folderOf(t)
  const full = '2026-11-20T00-00-00-000Z-0a1b2c3d'
  const older = {id: '0', at: '2026-11-20T00:00:00.000Z', type: 'signIn.ended', text: 'Ada signed out'}
  await writeFile(join(folder, `editors.audit.${full}.jsonl`), `${JSON.stringify(older)}\n{"cut off`)
  await writeFile(join(folder, 'editors.json.lock'), '')
  for (const _start of ['first', 'second']) await read()

  const accounts = accountsIn(folder)
  const signedIn = await accounts.byPassword('ada@example.com', 'correct horse battery')
  assert.equal(signedIn?.editor.name, 'Ada')
  assert.deepEqual(await accounts.tokens(), [
    {id: '6491d839-ad57-4a9a-b555-0e715694e7ce', name: 'ci', rights: everywhere('viewer')},
  ])
  t.mock.timers.enable({apis: ['Date'], now: Date.parse('2026-11-26T01:00:00Z')})
  const session = await new Sessions(state).find('u4yD1lP-_b-961KPXYSUjiWXrIaz0wqchAOvuJsE5yo')
  assert.equal(session?.editorId, signedIn.editor.id)
  assert.deepEqual(
    new AuditLog(state).find({limit: 10}).events.map(({text}) => text),
    [
      'Failed sign-in as Ada (ada@example.com) with a password',
      'Ada signed in with a sign-in link',
      'Ada signed out',
    ],
  )
  const left = (await readdir(folder)).filter((name) => !name.startsWith('state.db'))
  assert.deepEqual(
    left.sort(),
    [...NAMES, `editors.audit.${full}.jsonl`].map((name) => `${name}.imported`).sort(),
  )
})

test('credentials of version 0.1 that are not valid are rejected by name and left unchanged', async (t) => {
  const {folder, read} = await folderOf(t)
  const path = join(folder, 'editors.json')
  for (const text of ['{', '{"editors": [{"id": 1}]}', '{"tokens": {}}']) {
    await writeFile(path, text)
    await assert.rejects(read(), (error: Error) =>
      error.message.startsWith(`${path}, which an earlier version wrote, cannot be imported: `),
    )
    assert.equal(await readFile(path, 'utf8'), text)
  }
})

test('damaged sessions of version 0.1 only require signing in again', async (t) => {
  const {folder, state, read} = await folderOf(t)
  const now = Date.now()
  await writeFile(
    join(folder, 'editors.sessions.json'),
    JSON.stringify([{hash: 'a', editorId: 'ada', expiresAt: now + 1_000}, {hash: 1}, null]),
  )
  await read()
  const [session, ...others] = await new Sessions(state).all()
  assert.deepEqual([session?.editorId, session?.browser, others], ['ada', 'Unknown browser', []])
})
