import {type AnyNode, type Node, parse} from 'acorn'
import {ancestor} from 'acorn-walk'
import {analyze} from 'eslint-scope'
import type {Program} from 'estree'

/** Facts about a script from its syntax tree. Offsets count from the start of the script. */
export type ScriptFacts = {
  /** Names of arguments that the script reads, with the first offset. */
  readonly argumentsRead: ReadonlyMap<string, number>
  /** Whether the script may read arguments whose names are not known, as in `JSON.stringify(args)`. */
  readonly readsAnyArgument: boolean
  /** Variables that neither the script nor browsers declare, with their first offset. */
  readonly undeclared: ReadonlyMap<string, number>
  /** What the script returns, undefined for a `return` without a value. */
  readonly returned: readonly (AnyNode | undefined)[]
  /** Nodes of the whole script by type. */
  readonly nodes: readonly {readonly node: AnyNode; readonly ancestors: readonly AnyNode[]}[]
  /** The script's statements. */
  readonly body: readonly AnyNode[]
}

const HEAD = 'async (args, {signal}) => {\n'
const TAIL = '\n}'

/**
 * Reads a script, the body of `async (args, {signal}) => {…}`.
 * @param globals names that browsers define
 * @returns undefined where it has a syntax error, which the rules report
 */
export function readProgram(script: string, globals: ReadonlySet<string>): ScriptFacts | undefined {
  let program: ReturnType<typeof parse>
  try {
    program = parse(HEAD + script + TAIL, {sourceType: 'module', ecmaVersion: 'latest', ranges: true})
  } catch {
    return undefined
  }
  const [statement] = program.body
  const outer = statement?.type === 'ExpressionStatement' ? statement.expression : undefined
  if (outer?.type !== 'ArrowFunctionExpression' || outer.body.type !== 'BlockStatement') return undefined
  const nodes: {node: AnyNode; ancestors: AnyNode[]}[] = []
  collect(outer.body.body, [outer], nodes)
  return {
    ...readArguments(nodes),
    undeclared: findUndeclared(program, nodes, globals),
    returned: nodes.flatMap(({node, ancestors}) =>
      node.type === 'ReturnStatement' && enclosingFunction(ancestors) === outer
        ? [node.argument ?? undefined]
        : [],
    ),
    nodes,
    body: outer.body.body,
  }
}

/** The offset of a node in the script. */
export function offsetOf(node: Node): number {
  return node.start - HEAD.length
}

function collect(
  body: readonly AnyNode[],
  outer: AnyNode[],
  into: {node: AnyNode; ancestors: AnyNode[]}[],
): void {
  const visit = (node: AnyNode, _state: unknown, ancestors: AnyNode[]) => {
    into.push({node, ancestors: [...outer, ...ancestors.slice(0, -1)]})
  }
  const visitors = Object.fromEntries(VISITED.map((type) => [type, visit]))
  for (const statement of body) ancestor(statement, visitors)
}

const VISITED = [
  'CallExpression',
  'FunctionDeclaration',
  'Identifier',
  'Literal',
  'MemberExpression',
  'NewExpression',
  'ReturnStatement',
  'SpreadElement',
  'TemplateLiteral',
  'ThrowStatement',
  'VariableDeclarator',
] as const

function enclosingFunction(ancestors: readonly AnyNode[]): AnyNode | undefined {
  return ancestors.findLast(isFunction)
}

/** Whether a node is a function of any kind. */
export function isFunction(node: AnyNode): boolean {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  )
}

function readArguments(
  nodes: readonly {node: AnyNode; ancestors: readonly AnyNode[]}[],
): Pick<ScriptFacts, 'argumentsRead' | 'readsAnyArgument'> {
  const argumentsRead = new Map<string, number>()
  let readsAnyArgument = false
  const note = (name: string, node: Node) => {
    if (!argumentsRead.has(name)) argumentsRead.set(name, offsetOf(node))
  }
  for (const {node, ancestors} of nodes) {
    if (node.type !== 'Identifier' || node.name !== 'args') continue
    const parent = ancestors.at(-1)
    if (parent?.type === 'MemberExpression' && parent.object === node) {
      const {property} = parent
      if (!parent.computed && property.type === 'Identifier') note(property.name, property)
      else if (property.type === 'Literal' && typeof property.value === 'string')
        note(property.value, property)
      else readsAnyArgument = true
    } else if (
      parent?.type === 'VariableDeclarator' &&
      parent.init === node &&
      parent.id.type === 'ObjectPattern'
    ) {
      for (const part of parent.id.properties) {
        if (part.type === 'Property' && !part.computed && part.key.type === 'Identifier')
          note(part.key.name, part)
        else readsAnyArgument = true
      }
    } else readsAnyArgument = true
  }
  return {argumentsRead, readsAnyArgument}
}

function findUndeclared(
  program: unknown,
  nodes: readonly {node: AnyNode; ancestors: readonly AnyNode[]}[],
  globals: ReadonlySet<string>,
): Map<string, number> {
  const undeclared = new Map<string, number>()
  if (!isProgram(program)) return undeclared
  // A script may check with `typeof` whether a page defines a variable.
  const guarded = new Set(
    nodes.flatMap(({node, ancestors}) => (isTypeofOperand(node, ancestors) ? [node.name] : [])),
  )
  const {globalScope} = analyze(program, {ecmaVersion: 2025, sourceType: 'module'})
  for (const {identifier} of globalScope?.through ?? []) {
    if (!('name' in identifier)) continue
    const {name, range} = identifier
    if (globals.has(name) || guarded.has(name) || undeclared.has(name)) continue
    undeclared.set(name, (range?.[0] ?? HEAD.length) - HEAD.length)
  }
  return undeclared
}

function isTypeofOperand(
  node: AnyNode,
  ancestors: readonly AnyNode[],
): node is AnyNode & {type: 'Identifier'; name: string} {
  const parent = ancestors.at(-1)
  return node.type === 'Identifier' && parent?.type === 'UnaryExpression' && parent.operator === 'typeof'
}

/** eslint-scope accepts the trees of any ESTree parser; the two packages only declare different types. */
function isProgram(program: unknown): program is Program {
  return typeof program === 'object' && program !== null && 'type' in program && program.type === 'Program'
}
