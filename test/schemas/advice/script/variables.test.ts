import assert from 'node:assert/strict'
import {test} from 'node:test'
import {type AnyNode, type Program, parse} from 'acorn'
import {analyze, type Scope} from 'eslint-scope'
import fc from 'fast-check'
import {Variables} from '../../../../schemas/advice/script/variables.ts'
import {type Found, walk} from '../../../../schemas/advice/script/walk.ts'
import {moduleOf} from '../../../../schemas/rules/script.ts'
import {runs} from '../../../runner/runs.ts'

/** Every way to declare, assign and use a name. The test exchanges their names. */
const SCRIPTS = [
  `function f(a, b = x, {c, d: [e], ...r} = y) { var a; let z = b; { let z = q; z++ } return z }
return f(args.n)`,
  `class A extends B { #p = a; static { var s = 1; s++; t } m(x) { return super.m(x, A) } [k]() {} get z() { return this.#p } }
const C = class D extends D0 { f = D }
A = 2`,
  `for (let i = 0, n = i; i < n; i++) { const i = 2; use(i) }
for (const x of x.list) x.y
for (k in o) k
for (var v of vs) { v }
for ([p, q.r] of z) p
return v + k + i`,
  'switch (s) { case a: { let s = 1; s } let t = s; case t: t; default: u }\nreturn t',
  `try { let a = 1 } catch ({message: m, a = b}) { var c = m; a } finally { a }
try {} catch (e) { var e = 1; e }
return c + e`,
  `const g = function h(n) { return n ? h(n - 1) : g }
async function* w() { yield* w; await w }
return (w, typeof missing, missing)`,
  `let a, b
;[a, b = c, ...d] = args.x;({e, f: g.h, [i]: j = k, ...l} = m)
a ??= n
b++
return {a, b, [o]: p, q() { return r }, get s() { return t }}`,
  `label: for (;;) { break label }
if (x) { function inner() { return y } inner() }
return inner(\`\${tag\`a\${z}b\`}\`) + import(w)`,
  `const f = (a, {b} = c, [d] = a) => { var c; return a + b + c + d }, a = f, e = async e => e
return (() => { var i; { let i; var j } return i + j + f(a, b, e, signal) })()`,
]

const NAME = /\b[a-z]\w*\b/g

test('names mean the variables that eslint-scope finds', () => {
  let tried = 0
  let parsed = 0
  const script = fc.constantFrom(...SCRIPTS)
  const exchanges = fc.array(fc.tuple(fc.nat(60), fc.nat(60)), {maxLength: 4})
  const check = fc.property(script, exchanges, (text, pairs) => {
    tried += 1
    const program = parseOrSkip(exchange(text, pairs))
    if (program === undefined) return
    parsed += 1
    assert.deepEqual(ownVariables(program), expectedVariables(program), exchange(text, pairs))
  })
  fc.assert(check, {numRuns: runs(600), examples: SCRIPTS.map((text) => [text, []])})
  assert.ok(parsed > tried / 10, `only ${parsed} of ${tried} scripts could be parsed`)
})

/** Puts names of a script in the places of others. */
function exchange(text: string, pairs: readonly (readonly [number, number])[]): string {
  const names = text.match(NAME) ?? []
  const places = new Map(pairs.map(([to, from]) => [to % names.length, names[from % names.length]]))
  let at = -1
  return text.replace(NAME, (name) => {
    at += 1
    return places.get(at) ?? name
  })
}

function parseOrSkip(script: string): Program | undefined {
  try {
    return parse(moduleOf(script), {sourceType: 'module', ecmaVersion: 'latest', ranges: true})
  } catch {
    return undefined
  }
}

/** The starts of names that the script does not declare, and of names whose variable never changes. */
type Starts = {readonly free: readonly number[]; readonly constant: readonly number[]}

function ownVariables(program: Program): Starts {
  const patterns: Found[] = []
  const uses: Found[] = []
  const outer = outerOf(program)
  walk(outer, (found, type) => {
    if (type === 'VariablePattern') patterns.push(found)
    else if (type === 'Identifier') uses.push(found)
  })
  const variables = new Variables(patterns, uses)
  const names = [...patterns, ...uses].map(({node}) => node)
  return {
    free: sorted(names.filter((node) => variables.of(node) === undefined)),
    constant: sorted(names.filter((node) => variables.of(node)?.isConstant)),
  }
}

function outerOf({body: [statement]}: Program): AnyNode {
  assert.ok(statement?.type === 'ExportDefaultDeclaration')
  return statement.declaration
}

function expectedVariables(program: unknown): Starts {
  assert.ok(isProgram(program))
  // A call of eval does not make all variables unknown.
  const {globalScope, scopes} = analyze(program, {ecmaVersion: 2025, sourceType: 'module', ignoreEval: true})
  return {
    free: sorted((globalScope?.through ?? []).map(({identifier}) => startOf(identifier))),
    constant: sorted(scopes.flatMap(constantsIn)),
  }
}

function constantsIn({variables}: Scope) {
  return variables.flatMap(({identifiers, references}) => {
    if (identifiers.length !== 1) return []
    if (references.some((reference) => reference.isWrite() && reference.init !== true)) return []
    return [...identifiers, ...references.map(({identifier}) => identifier)].map(startOf)
  })
}

function sorted(places: readonly (number | {readonly start: number})[]): number[] {
  const starts = places.map((place) => (typeof place === 'number' ? place : place.start))
  return [...new Set(starts)].sort((a, b) => a - b)
}

function startOf({range}: {readonly range?: readonly [number, number] | undefined}): number {
  assert.ok(range !== undefined)
  return range[0]
}

/** The two packages only declare different types. */
function isProgram(program: unknown): program is Parameters<typeof analyze>[0] {
  return typeof program === 'object' && program !== null && 'type' in program && program.type === 'Program'
}
