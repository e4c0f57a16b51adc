import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ADVICE} from '../../advice/advice.ts'
import {listedCodes} from '../support/docs/listedCodes.ts'

test('docs/advice.md lists every code with its severity', async () => {
  const codes = Object.entries(ADVICE).map(([code, [severity]]) => [code, severity])
  assert.deepEqual(await listedCodes('docs/advice.md'), codes.sort())
})
