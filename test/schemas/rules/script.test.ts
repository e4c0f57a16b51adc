import assert from 'node:assert/strict'
import {test} from 'node:test'
import {moduleOf, parseScript} from '../../../schemas/rules/script.ts'
import {accepted, problemOf} from './problem.ts'

const ACCEPTED = [
  'return args.query',
  "const answer = await fetch('/api', {signal})\nreturn answer.json()",
  'for await (const part of args.parts) console.log(part)',
  'return 1 // a comment at the end',
  "const {x} = await import('/x.js'); return x",
  'throw new Error("no")',
  'using lock = args.lock\nreturn 1',
  'return import(/* lazily */ "/x.js")',
]
for (const script of ACCEPTED) {
  test(`${JSON.stringify(script)} is the body of a tool`, async () => {
    assert.equal(accepted(parseScript(script)), script)
    // What the rule accepts, the engine compiles: as a function, and as a module.
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor
    assert.equal(typeof new AsyncFunction('args', '{signal}', script), 'function')
    const module = await import(`data:text/javascript,${encodeURIComponent(moduleOf(script))}`)
    assert.equal(typeof module.default, 'function')
  })
}

const REFUSED: [script: unknown, problem: RegExp][] = [
  [undefined, /missing/],
  [7, /must be text/],
  [' \n ', /empty/],
  ['return {', /line 1, column 9/],
  ['return 1\n\n  a b', /line 3, column 5: unexpected token/],
  ['let args = 1', /line 1, column 5: identifier 'args' has already been declared/],
  ['const x = 1\nconst signal = 2', /line 2, column 7: identifier 'signal'/],
  ['"use strict"\nreturn 1', /leave out "use strict"/],
  ['return import.meta.url', /line 1, column 8: .*import\.meta/],
  ['return import /* of a module */ . meta', /import\.meta/],
  ["import 'x'", /cannot use import or export/],
  ['export default 1', /cannot use import or export/],
  ['/* never closed', /unterminated comment/],
  ['with (args) return x', /line 1, column 1: 'with' in strict mode/],
  ['return 010', /line 1, column 8/],
  ['const await = 1', /line 1, column 7/],
  ['break', /line 1, column 1/],
  ['return '.concat('('.repeat(90_000)), /script cannot be read/],
  [`return '${'x'.repeat(100_000)}'`, /100,000/],
]
for (const [script, problem] of REFUSED) {
  test(`the script ${String(JSON.stringify(script)).slice(0, 50)} is refused: ${problem.source}`, () => {
    assert.match(problemOf(parseScript(script)) ?? '', problem)
  })
}

test('a script cannot close its function and run what follows when the tool is registered', () => {
  for (const script of [
    '}\nalert(1)\n{',
    '}; alert(1); async () => {',
    '})\n(alert(1), () => {',
    '*/ } alert(1) /*',
    '}\nexport const {x} = await {',
    '} <!-- \n{',
    '}; import("/x.js").then(async () => {',
    '}\nlabel: {',
    '}\n`${',
    '} //',
    '} /*',
  ]) {
    assert.match(problemOf(parseScript(script)) ?? '', /cannot be read at line 1/)
  }
})
