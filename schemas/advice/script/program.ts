import {type AnyNode, type Node, parse, type Program as Syntax} from 'acorn'
import {ancestor} from 'acorn-walk'
import {analyze, type Scope} from 'eslint-scope'
import type {Program} from 'estree'
import {HEAD, moduleOf} from '../../rules/script.ts'
import {GLOBALS} from './browserGlobals.generated.ts'

/** A node, and the nodes around it, the outermost first. */
export type Found = {readonly node: AnyNode; readonly ancestors: readonly AnyNode[]}

/** Facts about a script from its syntax tree. */
export type ScriptFacts = {
  /** The script's statements. */
  readonly body: readonly AnyNode[]
  /** Every node whose type is in `VISITED`. */
  readonly nodes: readonly Found[]
  /** What the script itself returns, not the functions in it. */
  readonly returns: readonly (Found & {readonly node: AnyNode & {type: 'ReturnStatement'}})[]
  /** Variables that neither the script nor browsers declare, with the start of their first use. */
  readonly undeclared: ReadonlyMap<string, number>
  /** Whether an identifier stands for a variable that the script does not declare, such as `fetch`. */
  readonly isGlobal: (node: AnyNode) => boolean
  /** The initial value of a variable that is never assigned again. */
  readonly initialValue: (node: AnyNode) => AnyNode | undefined
  /** Whether no assignment changes the variable. */
  readonly isConstant: (node: AnyNode) => boolean
}

const KNOWN_GLOBALS: ReadonlySet<string> = new Set(GLOBALS)

/**
 * Reads a script, the body of `async (args, {signal}) => {…}`. Returns undefined if it has a syntax error,
 * which the rules report.
 * @param parsed the syntax tree that `parseScript` made of it, if it did
 */
export function readProgram(script: string, parsed?: Syntax): ScriptFacts | undefined {
  const program = parsed ?? parseProgram(script)
  const [statement] = program?.body ?? []
  const outer = statement?.type === 'ExportDefaultDeclaration' ? statement.declaration : undefined
  if (outer?.type !== 'ArrowFunctionExpression' || outer.body.type !== 'BlockStatement') return undefined
  const {body} = outer.body
  const nodes: Found[] = []
  const visit = (node: AnyNode, _state: unknown, ancestors: AnyNode[]) => {
    nodes.push({node, ancestors: [outer, ...ancestors.slice(0, -1)]})
  }
  const visitors = Object.fromEntries(VISITED.map((type) => [type, visit]))
  for (const statement of body) ancestor(statement, visitors)
  return {body, nodes, returns: returnsOf(outer, nodes), ...readVariables(program, nodes)}
}

function parseProgram(script: string): Syntax | undefined {
  try {
    return parse(moduleOf(script), {sourceType: 'module', ecmaVersion: 'latest', ranges: true})
  } catch {
    return undefined
  }
}

/** The offset of a node in the script. */
export function offsetOf(node: Node): number {
  return node.start - HEAD.length
}

const VISITED = [
  'ArrayExpression',
  'AssignmentExpression',
  'BinaryExpression',
  'CallExpression',
  'ConditionalExpression',
  'DoWhileStatement',
  'ForStatement',
  'FunctionDeclaration',
  'Identifier',
  'IfStatement',
  'Literal',
  'MemberExpression',
  'NewExpression',
  'Property',
  'ReturnStatement',
  'SequenceExpression',
  'SpreadElement',
  'TemplateLiteral',
  'ThrowStatement',
  'VariableDeclarator',
  'WhileStatement',
] as const

/** Whether a node is a function of any kind. */
export function isFunction(node: AnyNode): boolean {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  )
}

/** The innermost function around a node. */
export function functionAround(ancestors: readonly AnyNode[]): AnyNode | undefined {
  return ancestors.findLast(isFunction)
}

/** The name of a key or of a member that is not computed. */
export function keyOf(key: AnyNode): string | undefined {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : undefined
}

/** The name of the member that a node reads, as in `object.name` and `object['name']`. */
export function memberOf(node: AnyNode): string | undefined {
  if (node.type !== 'MemberExpression') return undefined
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : undefined
  return node.property.type === 'Literal' ? String(node.property.value) : undefined
}

/** The method that a call calls. */
export function methodOf(node: AnyNode): string | undefined {
  return node.type === 'CallExpression' ? memberOf(node.callee) : undefined
}

/** Whether a node is a call of a function that the browser defines. */
export function isGlobalCall(node: AnyNode, name: string, facts: ScriptFacts): boolean {
  if (node.type !== 'CallExpression') return false
  const {callee} = node
  if (callee.type === 'Identifier') return callee.name === name && facts.isGlobal(callee)
  return memberOf(callee) === name && callee.type === 'MemberExpression' && isWindow(callee.object, facts)
}

function isWindow(node: AnyNode, facts: ScriptFacts): boolean {
  return (
    node.type === 'Identifier' && ['window', 'globalThis', 'self'].includes(node.name) && facts.isGlobal(node)
  )
}

/** The text of a literal or of a template, without its `${…}`. */
export function textOf(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  return node.type === 'TemplateLiteral' ? node.quasis.map(({value}) => value.raw).join('') : undefined
}

function returnsOf(outer: AnyNode, nodes: readonly Found[]): ScriptFacts['returns'] {
  return nodes.flatMap(({node, ancestors}) =>
    node.type === 'ReturnStatement' && functionAround(ancestors) === outer ? [{node, ancestors}] : [],
  )
}

type Variables = Pick<ScriptFacts, 'undeclared' | 'isGlobal' | 'initialValue' | 'isConstant'>

function readVariables(program: unknown, nodes: readonly Found[]): Variables {
  const undeclared = new Map<string, number>()
  const globals = new Set<number>()
  /** The start of the declaration that each use of a constant variable refers to. */
  const constants = new Map<number, number>()
  if (isProgram(program)) {
    const {globalScope, scopes} = analyze(program, {ecmaVersion: 2025, sourceType: 'module'})
    // A script may check with `typeof` whether a page defines a variable.
    const guarded = new Set(nodes.flatMap((found) => (isTypeofOperand(found) ? [nameOf(found.node)] : [])))
    for (const {identifier} of globalScope?.through ?? []) {
      if (!('name' in identifier)) continue
      const {name, range} = identifier
      const start = range?.[0] ?? 0
      globals.add(start)
      if (KNOWN_GLOBALS.has(name) || guarded.has(name) || undeclared.has(name)) continue
      undeclared.set(name, start - HEAD.length)
    }
    for (const scope of scopes) noteConstants(scope, constants)
  }
  const declarators = new Map(
    nodes.flatMap(({node}) =>
      node.type === 'VariableDeclarator' && node.id.type === 'Identifier' ? [[node.id.start, node]] : [],
    ),
  )
  return {
    undeclared,
    isGlobal: (node) => globals.has(node.start),
    isConstant: (node) => constants.has(node.start),
    initialValue: (node) => declarators.get(constants.get(node.start) ?? -1)?.init ?? undefined,
  }
}

function noteConstants(scope: Scope, constants: Map<number, number>): void {
  for (const {identifiers, references} of scope.variables) {
    const [identifier, another] = identifiers
    const start = identifier?.range?.[0]
    if (start === undefined || another !== undefined) continue
    if (references.some((reference) => reference.isWrite() && reference.init !== true)) continue
    constants.set(start, start)
    for (const {identifier} of references) {
      const use = identifier.range?.[0]
      if (use !== undefined) constants.set(use, start)
    }
  }
}

function isTypeofOperand({ancestors}: Found): boolean {
  const parent = ancestors.at(-1)
  return parent?.type === 'UnaryExpression' && parent.operator === 'typeof'
}

function nameOf(node: AnyNode): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined
}

/** eslint-scope accepts the trees of any ESTree parser; the two packages only declare different types. */
function isProgram(program: unknown): program is Program {
  return typeof program === 'object' && program !== null && 'type' in program && program.type === 'Program'
}
