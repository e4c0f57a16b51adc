import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {ADVICE} from '../../../schemas/advice/advice.ts'

test('docs/advice.md lists every code with its severity', () => {
  const page = readFileSync(new URL('../../../docs/advice.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, code, severity]) => [code, severity])
  assert.deepEqual(
    listed,
    Object.entries(ADVICE).map(([code, [severity]]) => [code, severity]),
  )
})
