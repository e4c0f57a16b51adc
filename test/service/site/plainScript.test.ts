import assert from 'node:assert/strict'
import {globSync, readFileSync} from 'node:fs'
import {test} from 'node:test'
import {parse} from 'acorn'
import fc from 'fast-check'
import {TOOL_RECIPES} from '../../../schemas/recipes/toolRecipes.ts'
import {parseScript} from '../../../schemas/rules/script.ts'
import {isPlainScript} from '../../../service/site/plainScript.ts'
import {runs} from '../../runner/runs.ts'

/** Scripts that V8 compiles, but not in a module or not without its own understanding of the standard. */
const ONLY_ENGINE = [
  'f() = 1',
  'f() // call\n = 1',
  'f() /* call */ += 1',
  'f()++',
  'return++f()',
  '++\nf()',
  '--a.b()',
  'for (f() of args.list);',
  'for (f() /* call */ in args) ;',
  'function f() { let await = 1 }',
  'return args.list.map((item) => await(item))',
  'return args.list.map((item) => await\n(item))',
  'return args.list.map((item) => aw\\u0061it(item))',
  'return args.list.map((await) => await in args)',
  'function f(await) { for (await of args.list); }',
  'function f(await) { return await ? 1 : 2 }',
  'let n = 1\nn\n--> 0',
  'x <!-- y',
  'f(x <!--)\n)',
  '} : globalThis.PWN = 1 ? async () => {',
  '} /* } */ // {\n : (globalThis.PWN = 1), 0 ? async () => {',
  `return ${'['.repeat(2_400)}${']'.repeat(2_400)}`,
  `return ${'!'.repeat(4_900)}1`,
]
for (const script of ONLY_ENGINE)
  test(`${JSON.stringify(script).slice(0, 60)} is refused`, () => {
    assert.equal(parseScript(script).ok, false)
    assert.equal(isPlainScript(script), false)
    assert.equal(Object.hasOwn(globalThis, 'PWN'), false, 'nothing was run')
  })

/** Scripts as people write them, with most of the syntax that there is. */
const PLAIN = [
  `const response = await fetch('/api', {signal, method: 'POST', body: JSON.stringify({q: args.query})})
if (!response.ok) throw new Error(\`failed: \${response.status}\`)
return response.json()`,
  `class A extends B {
  #x = 1
  static y = 2
  static { this.y = 3 }
  get z() { return this.#x }
  constructor() { super() }
  async *m() { yield* this.all; await this.y }
}
return new A()`,
  `const {a, b: {c = 1}, ...rest} = args; let [d, , e = 2, ...f] = [1, 2]
;({a: g, b: [h]} = {})
return {a, c, rest, d, e, f, __proto__: null}`,
  `for (const x of args.list) { if (x) continue; else break }
for (let i = 0; i < 3; i++) {}
for (const key in args) {}
outer: for (;;) { break outer }
do { x-- } while (x > 0)`,
  `switch (args.a) { case 1: { let x = 1 } break; default: return 1 }
try { x() } catch ({message}) { return message } finally { z() }`,
  `const year = /(?<year>\\d{4})-(?<month>\\d\\d)/u.exec(args.date)?.groups?.year ?? 'none'
return /[a-z]+(?=b)(?!c)(?<=d)/gi.test(year)`,
  `function f(a, b = 2, ...c) { return a + b }
async function g() { return await f(1) }
function* h() { const x = yield 1; yield* f() }
const k = (x) => x * 2, l = async x => await x`,
  `let n = 10n ** 2n, o = 0xff + 0b11 + 0o17 + 1_000.5e-3; o **= 2; o ||= 1; o ??= 3
return typeof o === 'number' && !(n instanceof Object) || void 0, delete args.x`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: part of a script.
  'return `d${`e${args.f}`}` + String.raw`\\n` // Größe: 値 }',
]

test('scripts as people write them are recognized', () => {
  for (const script of PLAIN) assert.equal(isPlainScript(script), true, script)
  const examples = [
    ...TOOL_RECIPES.map(({fields}) => fields.executeJs),
    ...globSync('examples/shop/content/**/*.js').map((file) => readFileSync(file, 'utf8')),
  ]
  assert.ok(examples.length > 5)
  const recognized = examples.filter(isPlainScript)
  assert.ok(recognized.length > examples.length / 2, `${recognized.length} of ${examples.length}`)
})

test('a long script is read to its end, whatever it repeats', () => {
  for (const part of [
    '\n',
    '\t',
    ')',
    '} ',
    '}//',
    '/**/',
    '(',
    '++',
    'await ',
    '\\',
    '=',
    'a',
    ')\n',
    '*/ ',
  ]) {
    // A regular expression that backtracks would take hours.
    isPlainScript(part.repeat(4_900 / part.length))
  }
})

test('characters that Unicode may classify in another way some day are left to acorn', () => {
  for (let code = 0x80; code <= 0xffff; code++) {
    const character = String.fromCharCode(code)
    if (/^[\p{Cn}\p{Cs}]$/u.test(character))
      assert.equal(isPlainScript(`"${character}"`), false, code.toString(16))
  }
})

test('acorn knows the letters that are not left to it', () => {
  const sample = Array.from({length: 0x1000}, (_, index) => String.fromCharCode(index * 16 + 0xe4))
  const names = sample.filter((letter) => /\p{ID_Start}/u.test(letter) && isPlainScript(`"${letter}"`))
  assert.ok(names.length > 1_000)
  assert.ok(parse(names.join(';'), {ecmaVersion: 'latest'}))
})

const tokensOf = (script: string) =>
  script.match(/\s+|"[^"]*"|'[^']*'|[\w$#]+|=>|\?\?=?|\?\.|\.{3}|\*\*|[-+*/<>=!&|]=+|\+\+|--|[\s\S]/g) ?? []

const PIECES = [
  ...new Set(PLAIN.flatMap(tokensOf)),
  ...[
    'await',
    'yield',
    'let',
    'static',
    'async',
    'of',
    'in',
    'get',
    'set',
    'new',
    'target',
    'import',
    'meta',
  ],
  ...[
    'super',
    'arguments',
    'eval',
    'using',
    'enum',
    'package',
    'args',
    'signal',
    'f()',
    '"use strict"',
    '#x',
  ],
  ...[
    '`',
    '${',
    '}',
    '{',
    '(',
    ')',
    '[',
    ']',
    ';',
    ',',
    ':',
    '?',
    '=',
    '=>',
    '++',
    '--',
    '-->',
    '<!--',
    '\n',
  ],
  ...[
    '/',
    '//',
    '/*',
    '*/',
    '/a/gg',
    '/(?<a>)(?<a>)/',
    '/(?i:a)/',
    '/[[a]--b]/v',
    '/\\k<a>/',
    '/a{2,1}/',
    '/(?=a)*/',
  ],
  ...[
    '08',
    '010',
    '1n',
    '1_',
    '.5',
    '1..a',
    '"\\8"',
    '\\u0061',
    '\\',
    '@',
    'with',
    'debugger',
    '\u2028',
    'ª',
    '·',
  ],
]

/** A part of a script with a few changes: most of them can be parsed, or nearly. */
const changedScript = fc
  .record({
    script: fc.constantFrom(...PLAIN.map(tokensOf)),
    part: fc.tuple(fc.nat(200), fc.integer({min: 1, max: 30})),
    changes: fc.array(fc.tuple(fc.nat(30), fc.nat(2), fc.constantFrom(...PIECES)), {maxLength: 3}),
  })
  .map(({script, part: [from, length], changes}) => {
    const tokens = script.slice(from % script.length, (from % script.length) + length)
    for (const [at, removed, piece] of changes) tokens.splice(at % (tokens.length + 1), removed, piece)
    return tokens.join('')
  })

test('the rule accepts the same scripts with acorn alone', () => {
  let tried = 0
  let recognized = 0
  fc.assert(
    fc.property(changedScript, (script) => {
      tried++
      if (!isPlainScript(script)) return
      recognized++
      assert.deepEqual(parseScript(script, {isValid: isPlainScript}), parseScript(script))
    }),
    {numRuns: runs(8_000)},
  )
  assert.ok(recognized > tried / 50, `${recognized} of ${tried} scripts were recognized`)
})
