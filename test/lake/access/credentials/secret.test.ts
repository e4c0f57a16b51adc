import assert from 'node:assert/strict'
import {randomBytes} from 'node:crypto'
import {test} from 'node:test'
import {hashPassword, isPassword, SCRYPT_COST} from '../../../../lake/access/credentials/secret.ts'

const password = 'correct horse battery'

test('passwords are hashed with the parameters OWASP recommends, which are stored with the hash', async () => {
  const hash = await hashPassword(password, SCRYPT_COST)
  assert.match(hash, /^scrypt\$65536\$8\$2\$/)
  assert.equal(await isPassword(password, hash), true)
})

test('a damaged hash, or one that needs too much memory or time, matches no password', async () => {
  const key = randomBytes(32).toString('base64url')
  const hashes = ['', 'scrypt', 'bcrypt$1', `scrypt$3$8$1$a$${key}`, `scrypt$65536$8$2$a$${key.slice(2)}`]
  const costly = [`scrypt$${2 ** 30}$8$1$a$${key}`, `scrypt$65536$8$9999$a$${key}`, `scrypt$16$0$1$a$${key}`]
  for (const hash of [...hashes, ...costly]) assert.equal(await isPassword(password, hash), false, hash)
})
