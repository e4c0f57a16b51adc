import assert from 'node:assert/strict'
import {test} from 'node:test'
import {broken} from './main.ts'

for (const [line, random, expected] of [
  ['  if (a === b) return', 0, '  if (a !== b) return'],
  ['  if (a === b) return', 1, '  if (!(a === b)) return'],
  ['  await this.close()', 0, '  void 0'],
  ['  return a < b', 1, '  return undefined'],
  ["import {a} from 'b'", 0, undefined],
  ['  readonly isOpen: true', 0, undefined],
  [' * as in a === b', 0, undefined],
] as const)
  test(`"${line}" is broken in way ${random}`, () => assert.equal(broken(line, random), expected))
