import assert from 'node:assert/strict'
import {fork} from 'node:child_process'
import {once} from 'node:events'
import {stat} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {LockTimeout, withFileLock} from '../../../../lake/access/credentials/fileLock.ts'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import {temporaryFolder} from '../../support/git.ts'
import {accountsIn} from '../../support/signIn.ts'

const script = (name: string) => fileURLToPath(new URL(`../../support/processes/${name}`, import.meta.url))

test('three processes change the credentials concurrently without losing a change', async (t) => {
  const path = join(await temporaryFolder(t), 'editors.json')
  const accounts = accountsIn(path)
  for (let token = 0; token < 15; token++) await accounts.addToken(`old-${token}`, everywhere('viewer'))
  const children = ['a', 'b'].map((name) => fork(script('addTokens.ts'), [path, name, '15']))
  const ended = children.map((child) => once(child, 'exit'))
  for (let token = 0; token < 15; token++) {
    await accounts.removeTokens(`old-${token}`)
    await new Promise((resolve) => setTimeout(resolve, 20)) // the others change the file meanwhile
  }
  for (const [code] of await Promise.all(ended)) assert.equal(code, 0)
  const names = (await accountsIn(path).tokens()).map(({name}) => name)
  const expected = ['a', 'b'].flatMap((name) => Array.from({length: 15}, (_, token) => `${name}-${token}`))
  assert.deepEqual(names.sort(), expected.sort())
})

test('waiting for the lock ends at a deadline, and a killed process releases the lock', async (t) => {
  const path = join(await temporaryFolder(t), 'lock')
  const child = fork(script('holdFileLock.ts'), [path])
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'message')
  await assert.rejects(
    withFileLock(path, async () => {}, 100),
    LockTimeout,
  )
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(await withFileLock(path, async () => 'mine', 100), 'mine')
  assert.equal((await stat(path)).size, 0)
})
