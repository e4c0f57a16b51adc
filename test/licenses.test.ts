import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {recordOf} from './support/answers.ts'

/** Licenses that allow what Handrail does with a package: run it, and ship it in an image or a package. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']

test('every package that runs in production has a license that allows shipping it', () => {
  const lock = recordOf(JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')))
  const shipped = Object.entries(recordOf(lock.packages))
    .map(([path, entry]) => [path, recordOf(entry)] as const)
    .filter(([, {dev, link}]) => dev !== true && link !== true)
  assert.ok(shipped.length > 50)
  const refused = shipped.filter(([, {license}]) => !ALLOWED.includes(String(license)))
  assert.deepEqual(refused, [])
})
