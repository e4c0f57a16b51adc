import assert from 'node:assert/strict'
import {randomBytes, scryptSync} from 'node:crypto'
import {test} from 'node:test'
import {State} from '../../../../content/state/state.ts'
import {Accounts} from '../../../../lake/access/accounts.ts'
import {hashPassword, isPassword, SCRYPT_COST} from '../../../../lake/access/credentials/secret.ts'
import {CHEAP_SCRYPT} from '../../support/signIn.ts'

const password = 'correct horse battery'

/** A hash as version 0.1 made them, with p = 1. */
function oldHash(): string {
  const salt = randomBytes(16)
  const key = scryptSync(password, salt, 32, {...CHEAP_SCRYPT, p: 1})
  return `scrypt$2$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`
}

test('passwords are hashed with the parameters OWASP recommends, which are stored with the hash', async () => {
  const hash = await hashPassword(password, SCRYPT_COST)
  assert.match(hash, /^scrypt\$65536\$8\$2\$/)
  assert.equal(await isPassword(password, hash, SCRYPT_COST), true)
})

test('a version 0.1 hash is still valid and is replaced at the next sign-in', async () => {
  const state = State.inMemory()
  const kept = oldHash()
  const ada = {id: 'a', name: 'Ada', email: 'ada@example.com', role: 'editor', passwordHash: kept}
  state.run('INSERT INTO editor VALUES (?, ?)', ada.id, JSON.stringify(ada))
  const hashNow = () => JSON.parse(String(state.get('SELECT value FROM editor')?.value)).passwordHash
  const accounts = new Accounts(state, {scryptCost: CHEAP_SCRYPT})
  assert.equal(await accounts.byPassword('ada@example.com', 'another one'), undefined)
  assert.equal(hashNow(), kept)
  assert.equal((await accounts.byPassword('ada@example.com', password))?.editor.id, 'a')
  const upgraded = hashNow()
  assert.match(upgraded, /^scrypt\$2\$8\$2\$/)
  assert.equal((await accounts.byPassword('ada@example.com', password))?.editor.id, 'a')
  assert.equal(hashNow(), upgraded, 'the hash is replaced once')
})

test('a damaged hash, or one that needs too much memory or time, matches no password', async () => {
  const key = randomBytes(32).toString('base64url')
  const hashes = ['', 'scrypt', 'bcrypt$1', `scrypt$3$8$1$a$${key}`, `scrypt$65536$8$2$a$${key.slice(2)}`]
  const costly = [`scrypt$${2 ** 30}$8$1$a$${key}`, `scrypt$65536$8$9999$a$${key}`, `scrypt$16$0$1$a$${key}`]
  for (const hash of [...hashes, ...costly])
    assert.equal(await isPassword(password, hash, SCRYPT_COST), false, hash)
})
