import type {AnyNode, Expression, Node} from 'acorn'
import {type Found, isFunction} from './walk.ts'

/** A variable of a script. */
export type Variable = {
  /** Whether it is declared once, and no assignment changes it. */
  isConstant: boolean
  readonly initialValue: Expression | undefined
}

/** The part of a script where a name means a variable. */
type Scope = {readonly of: Node; start: number; readonly end: number}

/**
 * The variables that a script declares. A script is strict, so a name means the variable of the innermost scope around
 * it. A test compares them with those that eslint-scope finds.
 */
export class Variables {
  readonly #byName = new Map<string, (Variable & {readonly scope: Scope})[]>()

  /**
   * @param patterns the names that are declared or assigned
   * @param uses all other names
   */
  constructor(patterns: readonly Found[], uses: readonly Found[]) {
    const assigned = [...patterns.filter((name) => !this.#declares(name)), ...uses.filter(isChanged)]
    for (const {node} of assigned) {
      const variable = this.of(node)
      if (variable !== undefined) variable.isConstant = false
    }
  }

  /** The variable that an identifier stands for; undefined if the script does not declare it. */
  of(node: AnyNode): Variable | undefined {
    if (node.type !== 'Identifier') return undefined
    let innermost: (Variable & {readonly scope: Scope}) | undefined
    for (const variable of this.#byName.get(node.name) ?? []) {
      const {start, end} = variable.scope
      const isAround = start <= node.start && node.start < end
      if (isAround && start >= (innermost?.scope.start ?? 0)) innermost = variable
    }
    return innermost
  }

  /** Notes the variables that a name declares. Returns false if it declares none. */
  #declares(name: Found): boolean {
    let target = name
    while (target.parent !== undefined && PATTERNS.has(target.parent.node.type)) target = target.parent
    const holder = target.parent
    if (holder === undefined) return false
    const {node} = holder
    switch (node.type) {
      case 'VariableDeclarator': {
        const declaration = holder.parent?.node
        const isVar = declaration?.type === 'VariableDeclaration' && declaration.kind === 'var'
        const value = target === name ? node.init : undefined
        this.#declare(name, scopeAround(holder, isVar), value ?? undefined)
        return true
      }
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        if (node.id !== target.node)
          this.#declare(name, {...rangeOf(node), start: node.id?.end ?? node.start})
        else if (node.type === 'FunctionDeclaration') this.#declare(name, scopeAround(holder))
        else this.#declare(name, {...rangeOf(node), of: node.id})
        return true
      case 'ClassDeclaration':
        this.#declare(name, scopeAround(holder))
        this.#declare(name, rangeOf(node))
        return true
      case 'ClassExpression':
      case 'CatchClause':
        this.#declare(name, rangeOf(node))
        return true
      default:
        return false
    }
  }

  #declare({node}: Found, scope: Scope, initialValue?: Expression): void {
    if (node.type !== 'Identifier') return
    const variables = this.#byName.get(node.name) ?? []
    const known = variables.find((variable) => variable.scope.of === scope.of)
    if (known === undefined) {
      this.#byName.set(node.name, [...variables, {scope, isConstant: true, initialValue}])
    } else {
      known.isConstant = false
      known.scope.start = Math.min(known.scope.start, scope.start)
    }
  }
}

const PATTERNS: ReadonlySet<string> = new Set([
  'ArrayPattern',
  'AssignmentPattern',
  'ObjectPattern',
  'RestElement',
])

/** Scopes of `let`, `const`, classes and functions. */
const BLOCKS: ReadonlySet<string> = new Set([
  'BlockStatement',
  'ForInStatement',
  'ForOfStatement',
  'ForStatement',
  'SwitchStatement',
])

/** @param isVar whether blocks are left out, because the variable belongs to the function around them */
function scopeAround({node, parent}: Found, isVar = false): Scope {
  if (parent === undefined) return rangeOf(node)
  const around = parent.node
  // The values of parameters do not see the variables of the body.
  if (isFunction(around)) return {...rangeOf(around), start: around.body.start}
  if (around.type === 'StaticBlock') return rangeOf(around)
  const isBody = parent.parent !== undefined && isFunction(parent.parent.node)
  if (isVar || isBody || !BLOCKS.has(around.type)) return scopeAround(parent, isVar)
  return around.type === 'SwitchStatement'
    ? {...rangeOf(around), start: around.discriminant.end}
    : rangeOf(around)
}

function rangeOf(node: Node): Scope {
  return {of: node, start: node.start, end: node.end}
}

/** Whether a name outside of patterns is changed, as in `count++` and `for (one of all)`. */
function isChanged({node, parent}: Found): boolean {
  const around = parent?.node
  if (around?.type === 'UpdateExpression') return true
  return (around?.type === 'ForInStatement' || around?.type === 'ForOfStatement') && around.left === node
}
