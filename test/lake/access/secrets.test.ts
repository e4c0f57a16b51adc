import assert from 'node:assert/strict'
import {test} from 'node:test'
import {hashPassword, isPassword, SCRYPT_COST} from '../../../lake/access/secrets.ts'

const password = 'correct horse battery'

test('passwords are hashed with the parameters OWASP recommends, which are stored with the hash', async () => {
  const hash = await hashPassword(password, SCRYPT_COST)
  assert.match(hash, /^scrypt\$65536\$8\$2\$/)
  assert.equal(await isPassword(password, hash), true)
})
