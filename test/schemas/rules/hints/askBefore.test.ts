import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Annotations} from '../../../../schemas/rules/hints/annotations.ts'
import {
  type AskBefore,
  askBeforeOf,
  asksVisitor,
  parseAskBefore,
} from '../../../../schemas/rules/hints/askBefore.ts'
import {accepted, problemOf} from '../problem.ts'

const TOOLS: [what: string, annotations: Annotations, asks: AskBefore[]][] = [
  ['a consequential tool', {consequentialHint: true}, ['consequential', 'changes']],
  ['a tool without hints', {}, ['changes']],
  ['a read-only tool', {readOnlyHint: true, untrustedContentHint: true}, []],
  // An editor may set both.
  ['a tool that is both', {readOnlyHint: true, consequentialHint: true}, ['consequential', 'changes']],
]
for (const [what, annotations, asks] of TOOLS) {
  test(`${what} asks the visitor where a site asks about ${asks.join(' or ') || 'anything else'}`, () => {
    const choices: AskBefore[] = ['never', 'consequential', 'changes']
    assert.deepEqual(
      choices.filter((askBefore) => asksVisitor(askBefore, annotations)),
      asks,
    )
  })
}

test('a site that says nothing asks about nothing', () => {
  for (const value of [undefined, null]) {
    assert.equal(accepted(parseAskBefore(value)), 'never')
    assert.equal(askBeforeOf(value), 'never')
  }
})

test('a value that cannot be read is refused, and asks about every change until then', () => {
  for (const value of ['always', true, {}]) {
    assert.match(String(problemOf(parseAskBefore(value))), /one of: never, consequential, changes\. Until/)
    assert.equal(askBeforeOf(value), 'changes')
  }
})
