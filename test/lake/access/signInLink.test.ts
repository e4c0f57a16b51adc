import assert from 'node:assert/strict'
import {join} from 'node:path'
import {test} from 'node:test'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {Sessions, sessionsFileOf} from '../../../lake/access/signIn/sessions.ts'
import {signInLink} from '../../../lake/access/signInLink.ts'
import {temporaryFolder} from '../support/git.ts'
import {accountsIn} from '../support/signIn.ts'

const address = 'http://127.0.0.1:3333'
const codeOf = (link: string | undefined) => new URL(link ?? '').searchParams.get('code') ?? ''

test('every start prints a link until an editor is signed in, and again when none is', async (t) => {
  const editorsFile = join(await temporaryFolder(t), 'editors.json')
  const accounts = accountsIn(editorsFile)
  const first = await signInLink(editorsFile, address)
  assert.match(first ?? '', /^http:\/\/localhost:3333\/login\?code=/)
  assert.equal((await accounts.editors()).length, 1, 'the first start adds an editor')

  const second = await signInLink(editorsFile, address, 'https://lake.example')
  assert.match(second ?? '', /^https:\/\/lake\.example\/login\?code=/)
  assert.equal((await accounts.editors()).length, 1)
  const signedIn = await accounts.redeemLink(codeOf(second))
  assert.ok(signedIn)
  const {editor, generation} = signedIn
  const sessions = new Sessions(sessionsFileOf(editorsFile))
  const secret = await sessions.begin({editorId: editor.id, generation})
  assert.equal(await signInLink(editorsFile, address), undefined)

  await sessions.end((await sessions.find(secret))?.id ?? '')
  assert.ok(await signInLink(editorsFile, address))
})

test('a session that was ended by a new password does not count', async (t) => {
  const editorsFile = join(await temporaryFolder(t), 'editors.json')
  const accounts = accountsIn(editorsFile)
  const {id, email} = await accounts.addEditor({
    name: 'Ada',
    email: 'ada@example.com',
    rights: everywhere('publisher'),
  })
  await new Sessions(sessionsFileOf(editorsFile)).begin({editorId: id})
  assert.equal(await signInLink(editorsFile, address), undefined)
  await accounts.setPassword(email, 'correct horse battery')
  const link = await signInLink(editorsFile, address)
  assert.equal((await accounts.peekLink(codeOf(link)))?.editor.id, id)
})

test('with several editors, no link is printed, because it could be for another one', async (t) => {
  const editorsFile = join(await temporaryFolder(t), 'editors.json')
  const accounts = accountsIn(editorsFile)
  for (const name of ['ada', 'bob'])
    await accounts.addEditor({name, email: `${name}@nowhere.invalid`, rights: everywhere('publisher')})
  assert.equal(await signInLink(editorsFile, address), undefined)
})
