import {child, mapChildren, type Node, sum, unwrap, value} from './ast.ts'
import {isClosedSubquery} from './closed.ts'
import {marks, type Plan, planFilter} from './plan.ts'
import {searchOf} from './text-query.ts'

/** A syntax tree that asks for its documents by lookups, with what its references stand for. */
export type Rewritten = {
  readonly tree: Node
  /** By the number in a lookup. Undefined: every document. */
  readonly plans: readonly (Plan | undefined)[]
  /** By the number in a subquery. */
  readonly subqueries: readonly Node[]
}

/** Where a node stands. */
type Place = {
  /** Whether `^` skips the scope (see scope.ts). Undefined where that is not known: no lookup may be made of it. */
  readonly hidden: boolean | undefined
  /** Whether it may be evaluated many times. */
  readonly repeated: boolean
}

/**
 * Rewrites a query so that its filters look up candidates in place of walking through every document, and so that
 * subqueries that depend on nothing around them are answered once.
 *
 * `*` becomes a dereference of a reference that no document holds, made of {@link marks}, a plan's number, and the
 * values that the plan's lookups need. groq-js hands references to its `dereference` option, which may answer a list
 * or any other value: so this stays within its public interface.
 */
export function rewrite(tree: Node): Rewritten {
  const rewriter = new Rewriter()
  return {tree: rewriter.visit(tree, {hidden: false, repeated: false}), ...rewriter}
}

class Rewriter {
  readonly plans: (Plan | undefined)[] = []
  readonly subqueries: Node[] = []
  readonly #subqueryOf = new Map<Node, Node>()

  visit(node: Node, place: Place): Node {
    return place.repeated && isClosedSubquery(node)
      ? this.#visitSubquery(node)
      : this.#visitInside(node, place)
  }

  #visitInside(node: Node, place: Place): Node {
    switch (node.type) {
      case 'Everything':
        return this.#everything(undefined, [])
      case 'Filter':
        return this.#visitFilter(node, place)
      case 'Projection':
        return this.#visitParts(node, place, 'expr', nested(place))
      case 'PipeFuncCall':
        return this.#visitParts(node, place, 'args', nested(place))
      case 'Map':
      case 'FlatMap':
        return this.#visitParts(node, place, 'expr', {
          hidden: place.hidden === undefined ? undefined : true,
          repeated: true,
        })
      case 'OpCall':
        return this.#visitOperator(node, place)
      case 'FuncCall':
        if (node.namespace === 'releases' && node.name === 'all') return this.visit(allReleases, place)
        if (node.namespace === 'diff' || node.namespace === 'delta') return this.#visitAll(node, nowhere)
        return this.#visitAll(node, place)
      case 'SelectorFuncCall':
      case 'SelectorNested':
      case 'Tuple':
        return this.#visitAll(node, nowhere)
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
    let reference = this.#subqueryOf.get(node)
    if (reference === undefined) {
      const number = this.subqueries.push(node) - 1
      reference = {type: 'Deref', base: value({_ref: `${marks.subquery}${number}`})}
      this.#subqueryOf.set(node, reference)
      this.subqueries[number] = this.#visitInside(node, {hidden: false, repeated: true})
    }
    return reference
  }

  /** `*[a][b]` is planned as a whole: both must hold. */
  #visitFilter(node: Node, place: Place): Node {
    const filters: Node[] = []
    let base: Node = node
    while (base.type === 'Filter') {
      const filter = child(base, 'expr')
      if (filter !== undefined) filters.unshift(filter)
      base = unwrap(child(base, 'base') ?? value(null))
    }
    if (base.type !== 'Everything') return this.#visitParts(node, place, 'expr', nested(place))
    const {hidden} = place
    const slots: Node[] = []
    const of =
      hidden === undefined ? [] : filters.flatMap((filter) => planFilter(filter, hidden, slots) ?? [])
    const plan: Plan | undefined = of.length < 2 ? of[0] : {kind: 'all', of}
    let result = this.#everything(
      plan,
      // A subquery in a slot stands in the filter too: both shall be one.
      slots.map((slot) => this.visit(slot, {hidden, repeated: true})),
    )
    for (const filter of filters) {
      result = {type: 'Filter', base: result, expr: this.visit(filter, nested(place))}
    }
    return result
  }

  #everything(plan: Plan | undefined, slots: readonly Node[]): Node {
    const start = `${marks.lookup}${this.plans.push(plan) - 1}`
    if (slots.length === 0) return {type: 'Deref', base: value({_ref: start})}
    const text = sum(value(start), ...slots.flatMap((slot) => [value(marks.slot), slot]))
    const attribute = {type: 'ObjectAttributeValue', name: '_ref', value: text}
    return {type: 'Deref', base: {type: 'Object', attributes: [attribute]}}
  }
}

/** In arguments that groq-js evaluates in scopes of its own making. */
const nowhere: Place = {hidden: undefined, repeated: false}

/** The scope inside a filter or a projection is never hidden. */
function nested({hidden}: Place): Place {
  return {hidden: hidden === undefined ? undefined : false, repeated: true}
}

const allReleases: Node = {
  type: 'Filter',
  base: {type: 'Everything'},
  expr: {
    type: 'OpCall',
    op: '==',
    left: {type: 'AccessAttribute', name: '_type'},
    right: {type: 'Value', value: 'system.release'},
  },
}
