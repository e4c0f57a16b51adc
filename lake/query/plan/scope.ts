import {child, isNode, mapChildren, type Node, unwrap} from '../ast.ts'

/**
 * GROQ's scopes: https://spec.groq.dev/GROQ-1.revision1/#sec-Scope. A filter is evaluated in its own scope
 * for each candidate, in which `^` is the enclosing scope. Its base is evaluated in the enclosing scope.
 * Mapping over an array makes a "hidden" scope, which `^` skips.
 *
 * Returns the expression rewritten for the enclosing scope with the same meaning as inside the filter, or
 * undefined if its value depends on the candidate (or may do so).
 */
export function toEnclosingScope(expression: Node, hidden: boolean): Node | undefined {
  const node = unwrap(expression)
  switch (node.type) {
    case 'Value':
    case 'Parameter':
      return node
    case 'Parent':
      return moveParent(node, hidden)
    case 'AccessAttribute':
    case 'AccessElement':
    case 'ArrayCoerce':
    case 'Deref':
    case 'Slice':
    case 'Neg':
    case 'Pos':
      return child(node, 'base') && moveChildren(node, hidden)
    case 'OpCall':
    case 'Array':
    case 'ArrayElement':
      return moveChildren(node, hidden)
    case 'FuncCall':
      return isPlainFunction(node) ? moveChildren(node, hidden) : undefined
    case 'Map':
    case 'FlatMap': {
      const base = child(node, 'base')
      const each = child(node, 'expr')
      const moved = base && toEnclosingScope(base, hidden)
      return moved && each && isPathOfThis(each) ? {...node, base: moved} : undefined
    }
    default:
      return undefined
  }
}

/** `^` inside is `@` outside, `^.^` is `^`. From a hidden scope both are the same, as `^` skips it anyway. */
function moveParent(node: Node, hidden: boolean): Node | undefined {
  if (typeof node.n !== 'number') return undefined
  if (hidden) return node
  return node.n === 1 ? {type: 'This'} : {type: 'Parent', n: node.n - 1}
}

function moveChildren(node: Node, hidden: boolean): Node | undefined {
  let whole = true
  const moved = mapChildren(node, (part) => {
    const there = toEnclosingScope(part, hidden)
    if (there === undefined) whole = false
    return there ?? part
  })
  return whole ? moved : undefined
}

const PLAIN_FUNCTIONS = new Set(['coalesce', 'lower', 'upper', 'string', 'now', 'identity'])

/** Functions whose value depends only on their arguments. */
function isPlainFunction(node: Node): boolean {
  return node.namespace === 'global' && typeof node.name === 'string' && PLAIN_FUNCTIONS.has(node.name)
}

/** What is read only from each item of a list: `@._ref`, `@->name`. */
function isPathOfThis(node: Node): boolean {
  const inner = unwrap(node)
  if (inner.type === 'This') return true
  if (!['AccessAttribute', 'AccessElement', 'ArrayCoerce', 'Deref'].includes(inner.type)) return false
  const base = inner.base
  return base === undefined ? inner.type === 'AccessAttribute' : isNode(base) && isPathOfThis(base)
}
