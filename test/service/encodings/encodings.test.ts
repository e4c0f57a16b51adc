import assert from 'node:assert/strict'
import test from 'node:test'
import {encodingFor} from '../../../service/encodings/encodings.ts'

const ROWS: [field: string | undefined, encoding: string][] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['*', 'br'],
  ['identity, br;q=0.5', 'identity'],
  ['zstd', 'identity'],
  [`${'x'.repeat(200)}, br`, 'identity'],
]

for (const [field, encoding] of ROWS)
  test(`Accept-Encoding: ${field?.slice(0, 30) ?? '(none)'} → ${encoding}`, () =>
    assert.equal(encodingFor(field), encoding))
