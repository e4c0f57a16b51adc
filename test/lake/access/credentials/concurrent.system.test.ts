import assert from 'node:assert/strict'
import {fork} from 'node:child_process'
import {once} from 'node:events'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import {temporaryFolder} from '../../support/git.ts'
import {accountsIn} from '../../support/signIn.ts'

test('three processes change the credentials concurrently without losing a change', async (t) => {
  const folder = await temporaryFolder(t)
  const accounts = accountsIn(folder)
  for (let token = 0; token < 15; token++) await accounts.addToken(`old-${token}`, everywhere('viewer'))
  const script = fileURLToPath(new URL('../../support/processes/addTokens.ts', import.meta.url))
  const children = ['a', 'b'].map((name) => fork(script, [folder, name, '15']))
  const ended = children.map((child) => once(child, 'exit'))
  for (let token = 0; token < 15; token++) {
    await accounts.removeTokens(`old-${token}`)
    await new Promise((resolve) => setTimeout(resolve, 20)) // the others change the database meanwhile
  }
  for (const [code] of await Promise.all(ended)) assert.equal(code, 0)
  const names = (await accounts.tokens()).map(({name}) => name)
  const expected = ['a', 'b'].flatMap((name) => Array.from({length: 15}, (_, token) => `${name}-${token}`))
  assert.deepEqual(names.sort(), expected.sort())
})
