import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import test from 'node:test'
import {errors} from '../../service/errors.ts'

test('docs/errors.md lists exactly the codes of the registry, with their statuses', async () => {
  const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8')
  const [text = ''] = page.split('## The lake')
  const documented = [...text.matchAll(/^- `([A-Z_]+)` \((\d+)/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])
  const registered = Object.entries(errors).map(([code, create]) => [code, new create('').statusCode])
  assert.deepEqual(documented, registered)
})
