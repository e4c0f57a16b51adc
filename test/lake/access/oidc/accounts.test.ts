import assert from 'node:assert/strict'
import {test} from 'node:test'
import {AddressTaken} from '../../../../lake/access/accounts.ts'
import {profileOf, withTrustedEmail} from '../../../../lake/access/oidc/mapping.ts'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import {newAccounts} from '../../support/signIn.ts'

const issuer = 'https://id.example'
const verified = {email: 'ada@example.com', email_verified: true, name: 'Ada'}
const viewer = everywhere('viewer')
const password = 'correct horse battery'

test('an account is the same editor whatever its name and address', async () => {
  const accounts = newAccounts()
  const rightsBefore: unknown[] = []
  const record = (_: unknown, before: unknown) => rightsBefore.push(before)
  const first = await accounts.signInFrom(profileOf(issuer, 'a1', verified), viewer, record)
  const renamed = {...verified, email: 'ada.king@example.com', name: 'Ada King'}
  const second = await accounts.signInFrom(profileOf(issuer, 'a1', renamed), everywhere('author'), record)
  assert.deepEqual(
    [second.editor.id, second.editor.email, second.editor.name, rightsBefore],
    [first.editor.id, 'ada.king@example.com', 'Ada King', [undefined, viewer]],
  )
  const other = await accounts.signInFrom(profileOf('https://other.example', 'a1', verified), viewer)
  assert.notEqual(other.editor.id, first.editor.id)
  await assert.rejects(accounts.setPassword('ada@example.com', password), /signs in with single sign-on/)
  await assert.rejects(accounts.setRights('ada@example.com', viewer), /the mapping file decides/)
})

test('a verified address links an existing editor, who loses password, link and sessions', async () => {
  const accounts = newAccounts()
  const ada = await accounts.addEditor({name: 'Ada', email: 'ADA@example.com', rights: viewer}, password)
  const before = await accounts.byPassword('ada@example.com', password)
  assert.ok(before)
  const code = await accounts.makeLink(ada.id)
  const {editor} = await accounts.signInFrom(profileOf(issuer, 'a1', verified), viewer)
  assert.equal(editor.id, ada.id)
  assert.equal(await accounts.byPassword('ada@example.com', password), undefined)
  assert.equal(await accounts.redeemLink(code), undefined)
  assert.equal(await accounts.bySession({editorId: ada.id, generation: before.generation}), undefined)
  await assert.rejects(accounts.signInFrom(profileOf(issuer, 'b2', verified), viewer), AddressTaken)
})

test('an address that the provider has not verified is neither used nor taken from its owner', async () => {
  const {email_verified: _, ...unsaid} = verified
  const claimed = [false, 'false', null].map((email_verified) => ({...verified, email_verified}))
  for (const claims of [unsaid, ...claimed]) {
    const accounts = newAccounts()
    const {editor} = await accounts.signInFrom(profileOf(issuer, 'eve', claims), viewer)
    assert.equal(editor.email, 'eve@id.example')
    const owner = await accounts.signInFrom(profileOf(issuer, 'a1', verified), viewer)
    assert.equal(owner.editor.email, 'ada@example.com')
  }
})

test('an address without a word about its verification counts if the operator trusts the provider', () => {
  const unsaid = {email: 'ada@example.com', groups: ['editors']}
  const profile = profileOf(issuer, 'a1', withTrustedEmail(unsaid))
  assert.deepEqual([profile.email, profile.isEmailVerified], ['ada@example.com', true])
  const denied = profileOf(issuer, 'a1', withTrustedEmail({...unsaid, email_verified: false}))
  assert.deepEqual([denied.email, denied.isEmailVerified], ['a1@id.example', false])
  for (const email_verified of ['true', null]) {
    const said = profileOf(issuer, 'a1', withTrustedEmail({...unsaid, email_verified}))
    assert.deepEqual([said.email, said.isEmailVerified], ['ada@example.com', true])
  }
})

test('names and addresses of a provider are plain lines, of limited length', () => {
  for (const [claims, name, email] of [
    [{...verified, name: ' Ada\n\u202eLovelace\0 '}, 'Ada Lovelace', 'ada@example.com'],
    [{...verified, name: ''}, 'ada@example.com', 'ada@example.com'],
    [{...verified, name: '', preferred_username: 'ada', email: 'ada'}, 'ada', 'a-1@id.example'],
    [{...verified, name: '', email: 'a b@example.com'}, 'Unknown', 'a-1@id.example'],
    [{...verified, name: 1, email: ['ada@example.com']}, 'Unknown', 'a-1@id.example'],
    [{...verified, name: 'x'.repeat(1_000)}, 'x'.repeat(200), 'ada@example.com'],
  ] as const) {
    const profile = profileOf(issuer, 'a|1', claims)
    assert.deepEqual([profile.name, profile.email], [name, email])
  }
})
