import {child, childOrNull, children, isNode, mapChildren, type Node, unwrap} from '../ast.ts'
import {type LookupNode, type Plan, planFilter, type SlotNode} from './plan.ts'

/**
 * Rewrites a query so that its filters look up candidates instead of examining every document. `*` becomes a
 * {@link LookupNode}.
 * @param hidden whether `^` skips the scope (see scope.ts)
 */
export function rewrite(node: Node, hidden = false): Node {
  switch (node.type) {
    case 'Everything':
      return lookup(undefined, [])
    case 'Filter':
      return rewriteFilter(node, hidden)
    case 'Projection':
      return rewriteParts(node, hidden, 'expr', false)
    case 'PipeFuncCall':
      return rewriteParts(node, hidden, 'args', false)
    case 'Map':
    case 'FlatMap':
      return rewriteParts(node, hidden, 'expr', true)
    case 'OpCall':
      return rewriteOperator(node, hidden)
    case 'FuncCall':
      if (node.namespace === 'releases' && node.name === 'all') return rewrite(ALL_RELEASES, hidden)
      return rewriteAll(node, hidden)
    default:
      return rewriteAll(node, hidden)
  }
}

function rewriteAll(node: Node, hidden: boolean): Node {
  return mapChildren(node, (part) => rewrite(part, hidden))
}

/** @param inner whether the scope of the part with this key is hidden */
function rewriteParts(node: Node, hidden: boolean, innerKey: string, inner: boolean): Node {
  return mapChildren(node, (part, key) => rewrite(part, key === innerKey ? inner : hidden))
}

function rewriteOperator(node: Node, hidden: boolean): Node {
  const left = child(node, 'left')
  const right = child(node, 'right')
  const search = node.op === 'match' && left && right && searchOf(left, right)
  return rewriteAll(search ? {...node, ...search} : node, hidden)
}

/** `*[a][b]` is planned as a whole: both filters must match. */
function rewriteFilter(node: Node, hidden: boolean): Node {
  const filters: Node[] = []
  let base: Node = node
  while (base.type === 'Filter') {
    const filter = child(base, 'expr')
    if (filter !== undefined) filters.unshift(filter)
    base = unwrap(childOrNull(base, 'base'))
  }
  if (base.type !== 'Everything') return rewriteParts(node, hidden, 'expr', false)
  const slots: SlotNode[] = []
  const of = filters.flatMap((filter) => planFilter(filter, hidden, slots) ?? [])
  const plan: Plan | undefined = of.length < 2 ? of[0] : {kind: 'all', of}
  const found = lookup(
    plan,
    slots.map((slot) => ({...slot, expression: rewrite(slot.expression, hidden)})),
  )
  return filters.reduce<Node>(
    (result, filter) => ({type: 'Filter', base: result, expr: rewrite(filter)}),
    found,
  )
}

function lookup(plan: Plan | undefined, slots: readonly SlotNode[]): LookupNode {
  return {type: 'Lookup', plan, slots}
}

const ALL_RELEASES: Node = {
  type: 'Filter',
  base: {type: 'Everything'},
  expr: {
    type: 'OpCall',
    op: '==',
    left: {type: 'AccessAttribute', name: '_type'},
    right: {type: 'Value', value: 'system.release'},
  },
}

/**
 * Rewrites a match with `text::query()`, by which Studio searches: `[@, _id] match text::query($terms)`.
 * groq-js 2.0.0 cannot evaluate it. Sanity searches all text of a document
 * (https://www.sanity.io/docs/specifications/groq-functions), and so does the rewritten match. Returns
 * undefined for any other match.
 */
function searchOf(left: Node, right: Node): {readonly left: Node; readonly right: Node} | undefined {
  const pattern = textQuery(right)
  return pattern && {left: searchedText(left), right: pattern}
}

/** The terms of a `text::query(terms)`. */
function textQuery(node: Node): Node | undefined {
  const inner = unwrap(node)
  if (inner.type !== 'FuncCall' || inner.namespace !== 'text' || inner.name !== 'query') return undefined
  return children(inner, 'args')[0]
}

/** The searched value, with `@` replaced by all text of the document. */
function searchedText(node: Node): Node {
  const inner = unwrap(node)
  if (inner.type === 'This') return ALL_TEXT
  if (inner.type !== 'Array') return node
  const elements = children(inner, 'elements').map((element) => {
    const item = element.value
    return isNode(item) && unwrap(item).type === 'This'
      ? {...element, value: ALL_TEXT, isSplat: true}
      : element
  })
  return {...inner, elements}
}

/** All strings of the document in scope. */
const ALL_TEXT: Node = {type: 'AllText'}
