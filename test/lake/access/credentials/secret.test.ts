import assert from 'node:assert/strict'
import {randomBytes, scryptSync} from 'node:crypto'
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {hashPassword, isPassword, SCRYPT_COST} from '../../../../lake/access/credentials/secret.ts'
import {temporaryFolder} from '../../support/git.ts'
import {accountsIn, CHEAP_SCRYPT} from '../../support/signIn.ts'

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

test('a version 0.1 hash is still valid and is replaced at the next sign-in', async (t) => {
  const path = join(await temporaryFolder(t), 'editors.json')
  const kept = oldHash()
  const ada = {id: 'a', name: 'Ada', email: 'ada@example.com', role: 'editor', passwordHash: kept}
  await writeFile(path, JSON.stringify({editors: [ada], tokens: []}))
  const hashNow = async () => JSON.parse(await readFile(path, 'utf8')).editors[0].passwordHash
  const accounts = accountsIn(path)
  assert.equal(await accounts.byPassword('ada@example.com', 'another one'), undefined)
  assert.equal(await hashNow(), kept)
  assert.equal((await accounts.byPassword('ada@example.com', password))?.editor.id, 'a')
  const upgraded = await hashNow()
  assert.match(upgraded, /^scrypt\$2\$8\$2\$/)
  assert.equal((await accounts.byPassword('ada@example.com', password))?.editor.id, 'a')
  assert.equal(await hashNow(), upgraded, 'the hash is replaced once')
})

test('a damaged hash, or one that needs too much memory or time, matches no password', async () => {
  const key = randomBytes(32).toString('base64url')
  const hashes = ['', 'scrypt', 'bcrypt$1', `scrypt$3$8$1$a$${key}`, `scrypt$65536$8$2$a$${key.slice(2)}`]
  const costly = [`scrypt$${2 ** 30}$8$1$a$${key}`, `scrypt$65536$8$9999$a$${key}`, `scrypt$16$0$1$a$${key}`]
  for (const hash of [...hashes, ...costly])
    assert.equal(await isPassword(password, hash, SCRYPT_COST), false, hash)
})
