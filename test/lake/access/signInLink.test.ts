import assert from 'node:assert/strict'
import {test} from 'node:test'
import {State} from '../../../content/state/state.ts'
import {Access} from '../../../lake/access/access.ts'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {signInLink} from '../../../lake/access/signInLink.ts'
import {CHEAP_SCRYPT} from '../support/signIn.ts'

const address = 'http://127.0.0.1:3333'
const codeOf = (link: string | undefined) => new URL(link ?? '').searchParams.get('code') ?? ''

test('every start prints a link until an editor is signed in, and again when none is', async () => {
  const access = new Access({state: State.inMemory(), scryptCost: CHEAP_SCRYPT})
  const {accounts, sessions} = access
  const first = await signInLink(access, address)
  assert.match(first ?? '', /^http:\/\/localhost:3333\/login\?code=/)
  assert.equal((await accounts.editors()).length, 1, 'the first start adds an editor')

  const second = await signInLink(access, address, 'https://lake.example')
  assert.match(second ?? '', /^https:\/\/lake\.example\/login\?code=/)
  assert.equal((await accounts.editors()).length, 1)
  const signedIn = await accounts.redeemLink(codeOf(second))
  assert.ok(signedIn)
  const {editor, generation} = signedIn
  const secret = await sessions.begin({editorId: editor.id, generation})
  assert.equal(await signInLink(access, address), undefined)

  sessions.end([sessions.find(secret)?.id ?? ''])
  assert.ok(await signInLink(access, address))
})

test('a session that was ended by a new password does not count', async () => {
  const access = new Access({state: State.inMemory(), scryptCost: CHEAP_SCRYPT})
  const {accounts, sessions} = access
  const {id, email} = await accounts.addEditor({
    name: 'Ada',
    email: 'ada@example.com',
    rights: everywhere('publisher'),
  })
  await sessions.begin({editorId: id})
  assert.equal(await signInLink(access, address), undefined)
  await accounts.setPassword(email, 'correct horse battery')
  const link = await signInLink(access, address)
  assert.equal(accounts.peekLink(codeOf(link))?.id, id)
})

test('with several editors, no link is printed, because it could be for another one', async () => {
  const access = new Access({state: State.inMemory(), scryptCost: CHEAP_SCRYPT})
  const {accounts} = access
  for (const name of ['ada', 'bob'])
    await accounts.addEditor({name, email: `${name}@nowhere.invalid`, rights: everywhere('publisher')})
  assert.equal(await signInLink(access, address), undefined)
})

test('a lake whose database cannot be read starts without a link', async () => {
  const state = State.inMemory()
  const access = new Access({state, scryptCost: CHEAP_SCRYPT})
  state.run('ALTER TABLE editor RENAME TO hidden')
  assert.equal(await signInLink(access, address), undefined)
})
