import {type AnyNode, type Program, parse} from 'acorn'
import {fullAncestor} from 'acorn-walk'
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
  return outer?.type === 'ArrowFunctionExpression' ? new ScriptFacts(outer, schema) : undefined
}

function parseProgram(script: string): Program | undefined {
  try {
    return parse(moduleOf(script), {sourceType: 'module', ecmaVersion: 'latest'})
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
  /** The names that the script declares, wherever that is, with the value of those that are declared once, as a constant. */
  readonly #declared = new Map<string, AnyNode | undefined>()

  constructor(outer: Outer, schema: Record<string, unknown> | undefined) {
    this.outer = outer
    this.schema = schema
    this.body = outer.body.type === 'BlockStatement' ? outer.body.body : []
    const nodes: AnyNode[] = []
    fullAncestor(outer, (node, _state, ancestors, type) => {
      const parent = ancestors.at(-2)
      if (parent !== undefined) this.#parents.set(node, parent)
      if (type !== 'VariablePattern') nodes.push(node)
      else if (node.type === 'Identifier' && parent?.type !== 'AssignmentExpression')
        this.#declared.set(
          node.name,
          this.#declared.has(node.name) ? undefined : constant(parent, ancestors.at(-3)),
        )
    })
    this.nodes = nodes
  }

  parentOf(node: AnyNode): AnyNode | undefined {
    return this.#parents.get(node)
  }

  /** The innermost function around a node. */
  functionAround(node: AnyNode): AnyNode | undefined {
    const parent = this.parentOf(node)
    return parent === undefined || isFunction(parent) ? parent : this.functionAround(parent)
  }

  /** Whether the script itself returns something, and not only functions in it. */
  get hasResult(): boolean {
    return this.nodes.some(
      (node) => node.type === 'ReturnStatement' && node.argument && this.functionAround(node) === this.outer,
    )
  }

  /** Whether an identifier stands for a variable that the script does not declare, such as `fetch`. */
  isGlobal(node: AnyNode): boolean {
    return node.type === 'Identifier' && !this.#declared.has(node.name)
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

  /** The value of a constant. */
  initialValue(node: AnyNode): AnyNode | undefined {
    return node.type === 'Identifier' ? this.#declared.get(node.name) : undefined
  }
}

function constant(declarator: AnyNode | undefined, declaration: AnyNode | undefined): AnyNode | undefined {
  const isConstant = declaration?.type === 'VariableDeclaration' && declaration.kind === 'const'
  return isConstant && declarator?.type === 'VariableDeclarator' ? (declarator.init ?? undefined) : undefined
}
