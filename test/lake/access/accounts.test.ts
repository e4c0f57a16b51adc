import assert from 'node:assert/strict'
import {test} from 'node:test'
import {State} from '../../../content/state/state.ts'
import {Accounts} from '../../../lake/access/accounts.ts'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {temporaryFolder} from '../support/git.ts'
import {accountsIn, CHEAP_SCRYPT, newAccounts} from '../support/signIn.ts'

const ada = {name: 'Ada', email: 'ada@example.com', rights: everywhere('publisher')} as const

test('an editor signs in with the right password; the address is case-insensitive', async () => {
  const accounts = newAccounts()
  const {id} = await accounts.addEditor(ada, 'correct horse battery')
  const found = await accounts.byPassword('ADA@example.com', 'correct horse battery')
  assert.deepEqual(found?.editor, {id, ...ada})
  assert.equal(await accounts.byPassword('ada@example.com', 'Correct horse battery'), undefined)
  assert.equal(await accounts.byPassword('bob@example.com', 'correct horse battery'), undefined)
})

test('the database contains no plain password, token or link', async () => {
  const state = State.inMemory()
  const accounts = new Accounts(state, CHEAP_SCRYPT)
  const {id} = await accounts.addEditor(ada, 'correct horse battery')
  const secrets = [
    'correct horse battery',
    await accounts.tokens.add('ci', everywhere('viewer')),
    await accounts.makeLink(id),
  ]
  const text = JSON.stringify([state.all('SELECT * FROM editor'), state.all('SELECT * FROM token')])
  for (const secret of secrets) assert.ok(!text.includes(secret))
})

test('an invitation is valid for three days, and so is another link until the person has signed in', async (t) => {
  const accounts = newAccounts()
  const start = Date.now()
  t.mock.timers.enable({apis: ['Date'], now: start})
  const after = (hours: number) => t.mock.timers.setTime(start + hours * 3_600_000)
  const {editor, code} = await accounts.invite(ada)
  after(71)
  assert.deepEqual([accounts.peekLink(code)?.id, accounts.editor(editor.id)?.isInvited], [editor.id, true])
  after(73)
  assert.equal(await accounts.redeemLink(code), undefined)
  const second = await accounts.makeLink(editor.id)
  assert.equal(accounts.peekLink(code), undefined, 'a newer link replaces it')
  after(73 + 71)
  assert.equal((await accounts.redeemLink(second))?.editor.id, editor.id)
  assert.deepEqual([accounts.peekLink(second), accounts.editor(editor.id)?.isInvited], [undefined, false])
  const third = await accounts.makeLink(editor.id)
  after(73 + 71 + 0.6)
  assert.equal(accounts.peekLink(third), undefined)
})

test('an editor without a password cannot sign in with an empty one', async () => {
  const accounts = newAccounts()
  await accounts.addEditor(ada)
  assert.equal(await accounts.byPassword('ada@example.com', ''), undefined)
})

test('a token is valid until it is removed, even by another process', async (t) => {
  const path = await temporaryFolder(t)
  const [running, command] = [accountsIn(path), accountsIn(path)]
  const token = await command.tokens.add('ci', everywhere('viewer'))
  assert.deepEqual((await running.tokens.byToken(token))?.rights, everywhere('viewer'))
  assert.equal(await running.tokens.byToken(`${token}x`), undefined)
  await command.tokens.remove('ci')
  assert.equal(await running.tokens.byToken(token), undefined)
  await assert.rejects(command.tokens.remove('ci'), /token "ci" not found/)
})
