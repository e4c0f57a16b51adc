import {child, childOrNull, children, isNode, mapChildren, type Node, unwrap} from '../ast.ts'
import {type LookupNode, type Plan, planFilter, type SlotNode} from './plan.ts'
import {isClosedSubquery} from './scope.ts'

/** A node for a subquery that means the same in every scope. All its occurrences share one node. */
export type SubqueryNode = {readonly type: 'Subquery'; body: Node}

/** Narrows to a subquery that means the same in every scope. */
export function isSubquery(node: Node | SubqueryNode): node is SubqueryNode {
  return node.type === 'Subquery' && isNode(node.body)
}

/** The context of a node. */
type Place = {
  /** Whether `^` skips the scope (see scope.ts). */
  readonly hidden: boolean
  /** Whether it may be evaluated many times. */
  readonly repeated: boolean
}

/**
 * Rewrites a query so that its filters look up candidates instead of examining every document, and so that
 * subqueries that do not depend on their scope are evaluated once. `*` becomes a {@link LookupNode}.
 */
export function rewrite(tree: Node): Node {
  return new Rewriter().visit(tree, {hidden: false, repeated: false})
}

class Rewriter {
  readonly #subqueries = new Map<Node, SubqueryNode>()

  visit(node: Node, place: Place): Node {
    return place.repeated && isClosedSubquery(node)
      ? this.#visitSubquery(node)
      : this.#visitInside(node, place)
  }

  #visitInside(node: Node, place: Place): Node {
    switch (node.type) {
      case 'Everything':
        return lookup(undefined, [])
      case 'Filter':
        return this.#visitFilter(node, place)
      case 'Projection':
        return this.#visitParts(node, place, 'expr', NESTED)
      case 'PipeFuncCall':
        return this.#visitParts(node, place, 'args', NESTED)
      case 'Map':
      case 'FlatMap':
        return this.#visitParts(node, place, 'expr', {
          hidden: true,
          repeated: true,
        })
      case 'OpCall':
        return this.#visitOperator(node, place)
      case 'FuncCall':
        if (node.namespace === 'releases' && node.name === 'all') return this.visit(ALL_RELEASES, place)
        return this.#visitAll(node, place)
      default:
        return this.#visitAll(node, place)
    }
  }

  #visitAll(node: Node, place: Place): Node {
    return mapChildren(node, (part) => this.visit(part, place))
  }

  #visitParts(node: Node, place: Place, innerKey: string, inner: Place): Node {
    return mapChildren(node, (part, key) => this.visit(part, key === innerKey ? inner : place))
  }

  #visitOperator(node: Node, place: Place): Node {
    const left = child(node, 'left')
    const right = child(node, 'right')
    const search = node.op === 'match' && left && right && searchOf(left, right)
    return this.#visitAll(search ? {...node, ...search} : node, place)
  }

  #visitSubquery(node: Node): Node {
    let subquery = this.#subqueries.get(node)
    if (subquery === undefined) {
      subquery = {type: 'Subquery', body: node}
      this.#subqueries.set(node, subquery)
      subquery.body = this.#visitInside(node, {hidden: false, repeated: true})
    }
    return subquery
  }

  /** `*[a][b]` is planned as a whole: both filters must match. */
  #visitFilter(node: Node, place: Place): Node {
    const filters: Node[] = []
    let base: Node = node
    while (base.type === 'Filter') {
      const filter = child(base, 'expr')
      if (filter !== undefined) filters.unshift(filter)
      base = unwrap(childOrNull(base, 'base'))
    }
    if (base.type !== 'Everything') return this.#visitParts(node, place, 'expr', NESTED)
    return this.#visitAllDocuments(filters, place)
  }

  #visitAllDocuments(filters: readonly Node[], place: Place): Node {
    const {hidden} = place
    const slots: SlotNode[] = []
    const of = filters.flatMap((filter) => planFilter(filter, hidden, slots) ?? [])
    const plan: Plan | undefined = of.length < 2 ? of[0] : {kind: 'all', of}
    const found = lookup(
      plan,
      // A subquery in a slot is part of the filter too: both become one node.
      slots.map((slot) => ({...slot, expression: this.visit(slot.expression, {hidden, repeated: true})})),
    )
    return filters.reduce<Node>(
      (result, filter) => ({type: 'Filter', base: result, expr: this.visit(filter, NESTED)}),
      found,
    )
  }
}

function lookup(plan: Plan | undefined, slots: readonly SlotNode[]): LookupNode {
  return {type: 'Lookup', plan, slots}
}

/** The scope inside a filter or a projection is never hidden. */
const NESTED: Place = {hidden: false, repeated: true}

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
