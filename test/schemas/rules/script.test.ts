import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {moduleOf, parseScript} from '../../../schemas/rules/script.ts'
import {runs} from '../../runner/runs.ts'
import {words} from '../../support/words.ts'
import {accepted, problemOf} from './problem.ts'

const ACCEPTED = [
  'return args.query',
  "const answer = await fetch('/api', {signal})\nreturn answer.json()",
  'for await (const part of args.parts) console.log(part)',
  'return 1 // a comment at the end',
  "const {x} = await import('https://cdn.example/x.js'); return x",
  'throw new Error("no")',
  'using lock = args.lock\nreturn 1',
  "return import(new URL('./x.js', document.baseURI))",
  'let n = 3\nwhile (n --> 0) await args.step(n)',
  `return "<!-- text -->" + \`<!-- \${/* <!-- */ args.text} -->\` // -->`,
  'return /<!--|-->/.test(args.html)',
]
for (const script of ACCEPTED) {
  test(`${JSON.stringify(script)} is accepted as the body of a tool`, async () => {
    assert.equal(accepted(parseScript(script)), script)
    // The engine compiles what the rule accepts, both as a function and as a module.
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
  ['return '.concat('('.repeat(90_000)), /nested too deeply/],
  [`return '${'x'.repeat(100_000)}'`, /100,000/],
  ['let x = 1, y = 1\nif (x <!--y) return 1', /line 2, column 7: "<!--" begins an HTML comment/],
  [
    'var x=1,y=1,z=1,w=1; x <!--y, {\n}, globalThis.PWN=1, async()=>{\nz <!--w }',
    /line 1, column 24: "<!--" begins an HTML comment/,
  ],
  ['<!-- hello', /line 1, column 1: "<!--"/],
  ['let n = 1\nn\n  --> 0', /line 3, column 3: "-->" begins an HTML comment/],
  ['/*\n*/ --> the rest is a comment', /line 2, column 4: "-->"/],
  [`return \`\${args.a <!--args.b}\``, /line 1, column 18: "<!--"/],
  // An engine reports these only when they run, or reads them in a function and not in a module.
  ['f() = 1', /line 1, column 1: assigning to rvalue/],
  ['return++f()', /line 1, column 9: assigning to rvalue/],
  ['for (f() of args.list);', /line 1, column 6: assigning to rvalue/],
  ['function f() { let await = 1 }', /line 1, column 20/],
  ['return args.list.map((item) => await(item))', /line 1, column 32/],
  ['return args.list.map((item) => aw\\u0061it(item))', /line 1, column 32/],
  [`return ${'['.repeat(2_400)}${']'.repeat(2_400)}`, /nested too deeply/],
  [`return ${'!'.repeat(4_900)}1`, /nested too deeply/],
]
for (const [script, problem] of REFUSED) {
  test(`the script ${String(JSON.stringify(script)).slice(0, 50)} is refused: ${problem.source}`, () => {
    assert.match(problemOf(parseScript(script)) ?? '', problem)
  })
}

test('a script cannot close its function to run code when the tool is registered', () => {
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
    '} : globalThis.PWN = 1 ? async () => {',
    '} /* } */ // {\n : (globalThis.PWN = 1), 0 ? async () => {',
  ]) {
    assert.match(problemOf(parseScript(script)) ?? '', /cannot be read at line 1/)
  }
})

/**
 * Pieces of scripts, with separators that could mislead a parser: most scripts of a few pieces can be parsed.
 */
const piece = fc.constantFrom(
  ...words(`
    x y 1 "s" /r/ / async()=>{ { } {} ( ) () [ ] ; , = => < ! -- > <!-- --> -> !-- // /* */ /**/ " ' \\ - + : ? .
    globalThis.PWN=1
  `),
  ...['`t`', '`${', '}`', 'let z=1', 'return x', 'if(x)', 'await x', '\n', ' ', '/*\n*/', '\u2028'],
)

/** Whole statements with room for one or two pieces, so that many of the scripts are accepted. */
const statement = fc.oneof(
  {weight: 3, arbitrary: fc.array(piece, {maxLength: 4}).map((pieces) => pieces.join(' '))},
  {weight: 3, arbitrary: fc.tuple(piece, piece).map(([one, other]) => `x ${one}${other} y`)},
  {weight: 2, arbitrary: piece.map((one) => `if (x ${one}y) {}`)},
  {weight: 2, arbitrary: piece.map((one) => `"${one}"; x`)},
  {weight: 2, arbitrary: piece.map((one) => `\n${one} x\n`)},
  {weight: 1, arbitrary: piece.map((one) => `/* ${one} */`)},
  {weight: 1, arbitrary: piece.map((one) => `x // ${one}\n`)},
)

test('every accepted script is the whole body of its function, both for a page and for an engine', () => {
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor
  let tried = 0
  let accepted = 0
  fc.assert(
    fc.property(fc.array(statement, {minLength: 1, maxLength: 4}), (statements) => {
      const script = statements.join(';')
      tried++
      if (!parseScript(script).ok) return
      accepted++
      assert.equal(typeof new AsyncFunction('args', '{signal}', script), 'function')
      // As the snippet makes it.
      const source = `async(args,{signal})=>{\n${script}\n}`
      const made: unknown = new Function(`"use strict";return ${source}`)()
      assert.equal(String(made), source, 'only this function is created, with nothing after it')
    }),
    {numRuns: runs(10_000)},
  )
  assert.ok(accepted > tried / 50, `${accepted} of ${tried} scripts were accepted`)
})
