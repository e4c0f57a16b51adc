import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {PROBLEMS} from '../../../cli/check/finding.ts'

test('docs/content-check.md lists every code with its severity', () => {
  const page = readFileSync(new URL('../../../docs/content-check.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, code, severity]) => [code, severity])
  assert.deepEqual(listed, Object.entries(PROBLEMS))
})
