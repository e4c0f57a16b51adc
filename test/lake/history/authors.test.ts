import assert from 'node:assert/strict'
import {test} from 'node:test'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {authorsOf} from '../../../lake/history/authors.ts'
import {newAccounts} from '../support/signIn.ts'

test('a commit belongs to the editor with its address in any case, and else to the address', async () => {
  const accounts = newAccounts()
  const rights = everywhere('publisher')
  await accounts.addEditor({name: 'Ada', email: 'Ada@example.com', rights}, 'correct horse battery')
  const [ada] = await accounts.editors()
  const authorOf = await authorsOf(accounts)
  assert.ok(ada)
  assert.equal(authorOf('ADA@Example.com'), ada.id)
  assert.equal(authorOf('grace@example.com'), 'grace@example.com')
})
