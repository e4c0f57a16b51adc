import {type AnyNode, type Node, type Program, parse} from 'acorn'
import {fullAncestor} from 'acorn-walk'
import {analyze, type Variable} from 'eslint-scope'
import {moduleOf} from '../../../schemas/rules/script.ts'
import {isFunction, isIdentifier, memberOf, type NodeOf, objectOf} from './nodes.ts'

type Outer = NodeOf<'ArrowFunctionExpression'>

/**
 * Reads a script, the body of `async (args, {signal}) => {…}`. Returns undefined if it has a syntax error,
 * which the rules report.
 * @param schema the tool's input schema, undefined if it is invalid
 */
export function readProgram(
  script: string,
  schema: Record<string, unknown> | undefined,
): ScriptFacts | undefined {
  const program = parseProgram(script)
  const [statement] = program?.body ?? []
  const outer = statement?.type === 'ExportDefaultDeclaration' ? statement.declaration : undefined
  return outer?.type === 'ArrowFunctionExpression' ? new ScriptFacts(program, outer, schema) : undefined
}

function parseProgram(script: string): Program | undefined {
  try {
    return parse(moduleOf(script), {sourceType: 'module', ecmaVersion: 'latest', ranges: true})
  } catch {
    return undefined
  }
}

/** Facts about a script from its syntax tree. */
export class ScriptFacts {
  /** The function that the script is the body of. */
  readonly outer: Outer
  /** The tool's input schema, undefined if it is invalid. */
  readonly schema: Record<string, unknown> | undefined
  /** The script's statements. */
  readonly body: readonly AnyNode[]
  /** Every node, inner ones first, without names that are declared or assigned, or those of members and keys. */
  readonly nodes: readonly AnyNode[]
  readonly #parents = new Map<object, AnyNode>()
  readonly #variables = new Map<object, Variable>()
  readonly #initialValues = new Map<object, AnyNode>()
  readonly #globals: ReadonlySet<object>

  /** @param program a syntax tree with ranges, which eslint-scope needs */
  constructor(program: unknown, outer: Outer, schema: Record<string, unknown> | undefined) {
    this.outer = outer
    this.schema = schema
    this.body = outer.body.type === 'BlockStatement' ? outer.body.body : []
    const nodes: AnyNode[] = []
    fullAncestor(outer, (node, _state, ancestors, type) => {
      const parent = ancestors.at(-2)
      if (parent !== undefined) this.#parents.set(node, parent)
      if (type !== 'VariablePattern') nodes.push(node)
      if (node.type === 'VariableDeclarator' && node.init) this.#initialValues.set(node.id, node.init)
    })
    this.nodes = nodes
    // By default, one call of `eval` makes all variables unknown.
    const scopes = isProgram(program)
      ? analyze(program, {ecmaVersion: 2025, sourceType: 'module', ignoreEval: true}).scopes
      : []
    for (const variable of scopes.flatMap(({variables}) => variables)) {
      for (const name of variable.identifiers) this.#variables.set(name, variable)
      for (const {identifier} of variable.references) this.#variables.set(identifier, variable)
    }
    this.#globals = new Set(scopes[0]?.through.map(({identifier}) => identifier))
  }

  parentOf(node: AnyNode): AnyNode | undefined {
    return this.#parents.get(node)
  }

  /** The innermost function around a node. */
  functionAround(node: AnyNode): AnyNode | undefined {
    const parent = this.parentOf(node)
    return parent === undefined || isFunction(parent) ? parent : this.functionAround(parent)
  }

  /** What a function itself returns, not the functions in it. */
  returnsOf(around: AnyNode): NodeOf<'ReturnStatement'>[] {
    return this.within(around, 'ReturnStatement').filter((node) => this.functionAround(node) === around)
  }

  /** The nodes of some types in a node, functions in it included. */
  within<T extends AnyNode['type']>(around: Node, ...types: readonly T[]): NodeOf<T>[] {
    const isOfType = (node: AnyNode): node is NodeOf<T> => types.some((type) => type === node.type)
    return this.nodes
      .filter(isOfType)
      .filter(({start, end}: Node) => around.start <= start && end <= around.end)
  }

  /** Whether an identifier stands for a variable that the script does not declare, such as `fetch`. */
  isGlobal(node: AnyNode): boolean {
    return this.#globals.has(node)
  }

  /** Whether a node is a call of a function that the browser defines. */
  isGlobalCall(node: AnyNode, name: string): boolean {
    if (node.type !== 'CallExpression') return false
    const {callee} = node
    if (callee.type === 'Identifier') return callee.name === name && this.isGlobal(callee)
    const object = objectOf(callee)
    if (object === undefined || memberOf(callee) !== name) return false
    return isIdentifier(object, 'window', 'globalThis', 'self') && this.isGlobal(object)
  }

  /** Whether an identifier stands for a variable that is declared once, and that no assignment changes. */
  isConstant(node: AnyNode): boolean {
    const variable = this.#variables.get(node)
    if (variable?.identifiers.length !== 1) return false
    return variable.references.every((reference) => !reference.isWrite() || reference.init === true)
  }

  /** The initial value of a variable that is never assigned again. */
  initialValue(node: AnyNode): AnyNode | undefined {
    const [name] = this.#variables.get(node)?.identifiers ?? []
    return name !== undefined && this.isConstant(node) ? this.#initialValues.get(name) : undefined
  }
}

/** acorn and eslint-scope declare the same trees with different types. */
function isProgram(program: unknown): program is Parameters<typeof analyze>[0] {
  return typeof program === 'object' && program !== null && 'type' in program && program.type === 'Program'
}
