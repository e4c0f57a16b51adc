import {type AnyNode, type Node, type Program, parse} from 'acorn'
import globals from 'globals'
import {HEAD, moduleOf} from '../../../rules/script.ts'
import {Variables} from './variables.ts'
import {type Found, functionAround, walk} from './walk.ts'

/** Facts about a script from its syntax tree. */
export type ScriptFacts = {
  /** The function that the script is the body of. */
  readonly outer: AnyNode
  /** The script's statements. */
  readonly body: readonly AnyNode[]
  /** Every node, inner ones first. */
  readonly nodes: readonly Found[]
  /** The identifiers that are neither declared nor assigned. */
  readonly names: readonly Found[]
  /** What the script itself returns, not the functions in it. */
  readonly returns: readonly (Found & {readonly node: AnyNode & {readonly type: 'ReturnStatement'}})[]
  /** Variables that neither the script nor browsers declare, with the start of their first use. */
  readonly undeclared: ReadonlyMap<string, number>
  /** Whether an identifier stands for a variable that the script does not declare, such as `fetch`. */
  readonly isGlobal: (node: AnyNode) => boolean
  /** The initial value of a variable that is never assigned again. */
  readonly initialValue: (node: AnyNode) => AnyNode | undefined
  /** Whether no assignment changes the variable. */
  readonly isConstant: (node: AnyNode) => boolean
}

/**
 * Globals that browsers have had for so long, or with such vague names, that a script which reads one has
 * more likely forgotten to declare a variable.
 */
const CONFUSING: ReadonlySet<string> = new Set(
  'ai closed event external find length model name origin parent print status stop top when'.split(' '),
)

const KNOWN_GLOBALS: ReadonlySet<string> = new Set(
  Object.keys({...globals.builtin, ...globals.browser}).filter((name) => !CONFUSING.has(name)),
)

/**
 * Reads a script, the body of `async (args, {signal}) => {…}`. Returns undefined if it has a syntax error,
 * which the rules report.
 * @param parsed the syntax tree that `parseScript` made of it, if it did
 */
export function readProgram(script: string, parsed?: Program): ScriptFacts | undefined {
  const program = parsed ?? parseProgram(script)
  const [statement] = program?.body ?? []
  const outer = statement?.type === 'ExportDefaultDeclaration' ? statement.declaration : undefined
  if (outer?.type !== 'ArrowFunctionExpression' || outer.body.type !== 'BlockStatement') return undefined
  const nodes: Found[] = []
  const names: Found[] = []
  const patterns: Found[] = []
  const returns: ScriptFacts['returns'][number][] = []
  walk(outer, (found, type) => {
    const {node, parent} = found
    if (type === 'VariablePattern') patterns.push(found)
    if (type !== node.type) return
    nodes.push(found)
    if (node.type === 'Identifier') names.push(found)
    else if (node.type === 'ReturnStatement' && functionAround(found) === outer) returns.push({node, parent})
  })
  const variables = new Variables(program, nodes)
  return {
    outer,
    body: outer.body.body,
    nodes,
    names,
    returns,
    undeclared: undeclaredIn([...patterns, ...names], variables),
    isGlobal: (node) => node.type === 'Identifier' && !variables.declares(node),
    isConstant: (node) => variables.isConstant(node),
    initialValue: (node) => variables.initialValue(node),
  }
}

function parseProgram(script: string): Program | undefined {
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

/** The offset in the script at which a node ends. */
export function endOf(node: Node): number {
  return node.end - HEAD.length
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

const NONE_UNDECLARED: ReadonlyMap<string, number> = new Map()

function undeclaredIn(names: readonly Found[], variables: Variables): ReadonlyMap<string, number> {
  const unknown: (Found & {readonly name: string})[] = []
  for (const found of names) {
    const {node, parent} = found
    if (node.type !== 'Identifier' || KNOWN_GLOBALS.has(node.name) || variables.declares(node)) continue
    unknown.push({node, parent, name: node.name})
  }
  if (unknown.length === 0) return NONE_UNDECLARED
  // A script may check with `typeof` whether a page defines a variable.
  const guarded = new Set(unknown.flatMap((found) => (isTypeofOperand(found) ? [found.name] : [])))
  const undeclared = new Map<string, number>()
  for (const {name, node} of unknown.toSorted((a, b) => a.node.start - b.node.start)) {
    if (!guarded.has(name) && !undeclared.has(name)) undeclared.set(name, offsetOf(node))
  }
  return undeclared
}

function isTypeofOperand({parent}: Found): boolean {
  return parent?.node.type === 'UnaryExpression' && parent.node.operator === 'typeof'
}
