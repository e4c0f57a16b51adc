import {isNode, type Node} from './ast.ts'

/**
 * Whether an expression means the same wherever it stands: it reads documents, and nothing of the scope around. Such
 * a subquery (`_id in *[_type == "a"].b._ref`) need be answered only once, however many candidates ask.
 */
export function isClosedSubquery(node: Node): boolean {
  let known = answers.get(node)
  if (known === undefined) {
    known = isExpression.has(node.type) && hasEverything(node) && isClosed(node, 0, false)
    answers.set(node, known)
  }
  return known
}

const answers = new WeakMap<Node, boolean>()
const withEverything = new WeakMap<Node, boolean>()

/** Nodes that stand for a value. Others are parts of one: an attribute of an object, a direction of an order. */
const isExpression: ReadonlySet<string> = new Set([
  'AccessAttribute',
  'AccessElement',
  'ArrayCoerce',
  'Filter',
  'FlatMap',
  'FuncCall',
  'Map',
  'PipeFuncCall',
  'Projection',
  'Slice',
])

function hasEverything(node: Node): boolean {
  let known = withEverything.get(node)
  if (known === undefined) {
    known = node.type === 'Everything' || parts(node).some(([, part]) => hasEverything(part))
    withEverything.set(node, known)
  }
  return known
}

/** Functions that read nothing but their arguments. Others, such as `references()`, look at `@`. */
const plainNamespaces: ReadonlySet<unknown> = new Set(['global', 'string', 'array', 'math', 'dateTime', 'pt'])
const readThis: ReadonlySet<unknown> = new Set(['references', 'anywhere'])

/**
 * @param levels scopes between here and the outside that `^` counts
 * @param inside whether `@` is a value of the expression's own
 */
function isClosed(node: Node, levels: number, inside: boolean): boolean {
  switch (node.type) {
    case 'Value':
    case 'Parameter':
    case 'Everything':
      return true
    case 'This':
      return inside
    case 'AccessAttribute':
      if (node.base === undefined) return inside
      break
    case 'Parent':
      return typeof node.n === 'number' && node.n < levels
    case 'FuncCall':
      if (!plainNamespaces.has(node.namespace) || (readThis.has(node.name) && !inside)) return false
      break
    case 'Context':
    case 'SelectorFuncCall':
    case 'SelectorNested':
    case 'Tuple':
      return false
  }
  return parts(node).every(([key, part]) => {
    const ownScope =
      (key === 'expr' && scoped.has(node.type)) || (key === 'args' && node.type === 'PipeFuncCall')
    if (!ownScope) return isClosed(part, levels, inside)
    const hidden = node.type === 'Map' || node.type === 'FlatMap'
    return isClosed(part, hidden ? levels : levels + 1, true)
  })
}

const scoped: ReadonlySet<string> = new Set(['Filter', 'Projection', 'Map', 'FlatMap'])

function parts(node: Node): [string, Node][] {
  if (node.type === 'Value') return []
  return Object.entries(node).flatMap(([key, value]): [string, Node][] => {
    if (isNode(value)) return [[key, value]]
    return Array.isArray(value) ? value.filter(isNode).map((item) => [key, item]) : []
  })
}
