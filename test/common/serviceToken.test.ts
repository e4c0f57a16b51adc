import assert from 'node:assert/strict'
import {chmod, mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {newSecret} from '../../common/secret.ts'
import {readServiceToken, writeServiceToken} from '../../common/serviceToken.ts'

async function filePath(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-token-'))
  t.after(() => rm(folder, {recursive: true}))
  return join(folder, 'new folder', 'service-token')
}

test('a token is read unchanged from a file that only its owner may read', async (t) => {
  const path = await filePath(t)
  assert.equal(await readServiceToken(path), undefined)
  const token = newSecret()
  await writeServiceToken(path, token)
  assert.equal(await readServiceToken(path), token)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal(await readFile(path, 'utf8'), `${token}\n`)
})

test('a file that other users can read is refused, and so is one without a token', async (t) => {
  const path = await filePath(t)
  await writeServiceToken(path, newSecret())
  for (const mode of [0o640, 0o604]) {
    await chmod(path, mode)
    await assert.rejects(
      readServiceToken(path),
      /^Error: The token of the service in .* other users can read it: run "chmod 600 /,
    )
  }
  await chmod(path, 0o600)
  for (const text of ['', 'short\n', `${'a'.repeat(40)}\nhost: evil`]) {
    await writeFile(path, text)
    await assert.rejects(
      readServiceToken(path),
      /^Error: The token of the service in .* it contains no token: delete it/,
    )
  }
})
