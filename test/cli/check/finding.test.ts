import assert from 'node:assert/strict'
import {test} from 'node:test'
import {PROBLEMS} from '../../../cli/check/finding.ts'
import {listedCodes} from '../../support/docs/listedCodes.ts'

test('docs/content-check.md lists every code with its severity', async () => {
  assert.deepEqual(await listedCodes('docs/content-check.md'), Object.entries(PROBLEMS).sort())
})
