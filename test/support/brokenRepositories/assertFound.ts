import assert from 'node:assert/strict'
import type {Report} from '../../../cli/check/check.ts'
import type {BrokenRepository} from './brokenRepository.ts'

/** Asserts that a check found the mistake of a repository of the table. */
export function assertFound(
  {findings}: Report,
  {name, findings: expected, remedy, unserved = []}: BrokenRepository,
) {
  const found = findings.map(({code, path, line}) => (line === undefined ? [code, path] : [code, path, line]))
  assert.deepEqual(found, expected, name)
  assert.ok(
    findings.some(({message}) => remedy.test(message)),
    `${name}: ${findings.map(({message}) => message).join(' ')}`,
  )
  for (const document of unserved) {
    const isFound = findings.some(
      ({path, severity}) => severity === 'error' && path.startsWith(`${document}.`),
    )
    assert.ok(isFound, `${name}: ${document} is not served, and no error says so`)
  }
}
