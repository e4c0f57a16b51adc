import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ADVICE} from '../../advice/advice.ts'
import {listedCodes} from '../support/docs/listedCodes.ts'

test('docs/advice.md lists every code with its severity', async () => {
  assert.deepEqual(await listedCodes('docs/advice.md'), Object.entries(ADVICE).sort())
})
