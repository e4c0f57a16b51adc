import {call, child, children, isNode, mapChildren, type Node, sum, unwrap, value} from './ast.ts'
import {marks, type Plan, planFilter} from './plan.ts'

/** A syntax tree that asks for its documents by lookups, and the plan of each. */
export type Rewritten = {readonly tree: Node; readonly plans: readonly (Plan | undefined)[]}

/**
 * Rewrites a query so that its filters look up candidates in place of walking through every document.
 *
 * `*` becomes a dereference of a reference that no document holds, made of {@link marks}, a plan's number, and the
 * values that the plan's lookups need. groq-js hands references to its `dereference` option, which may answer a list:
 * so this stays within its public interface.
 */
export function rewrite(tree: Node): Rewritten {
  const plans: (Plan | undefined)[] = []
  const everything = (plan: Plan | undefined, slots: readonly Node[]): Node => {
    const start = `${marks.lookup}${plans.push(plan) - 1}`
    const parts = slots.flatMap((slot) => [value(marks.slot), slot])
    const reference: Node =
      parts.length === 0
        ? value({_ref: start})
        : {
            type: 'Object',
            attributes: [{type: 'ObjectAttributeValue', name: '_ref', value: sum(value(start), ...parts)}],
          }
    return {type: 'Deref', base: reference}
  }

  /** `hidden` is undefined where the scope is not known for certain: no lookup may use it there. */
  const visit = (node: Node, hidden: boolean | undefined): Node => {
    switch (node.type) {
      case 'Everything':
        return everything(undefined, [])
      case 'Filter':
        return visitFilter(node, hidden)
      case 'Projection':
        return mapChildren(node, (part, key) => visit(part, key === 'expr' ? nested(hidden) : hidden))
      case 'Map':
      case 'FlatMap':
        return mapChildren(node, (part, key) =>
          visit(part, key === 'expr' && hidden !== undefined ? true : hidden),
        )
      case 'PipeFuncCall':
        return mapChildren(node, (part, key) => visit(part, key === 'args' ? nested(hidden) : hidden))
      case 'OpCall':
        return node.op === 'match'
          ? visitMatch(node, hidden)
          : mapChildren(node, (part) => visit(part, hidden))
      case 'FuncCall':
        return visitCall(node, hidden)
      case 'SelectorFuncCall':
      case 'SelectorNested':
      case 'Tuple':
        return mapChildren(node, (part) => visit(part, undefined))
      default:
        return mapChildren(node, (part) => visit(part, hidden))
    }
  }

  const visitFilter = (node: Node, hidden: boolean | undefined): Node => {
    const filters: Node[] = []
    let base: Node = node
    while (base.type === 'Filter') {
      const filter = child(base, 'expr')
      if (filter !== undefined) filters.unshift(filter)
      base = unwrap(child(base, 'base') ?? value(null))
    }
    if (base.type !== 'Everything') {
      return mapChildren(node, (part, key) => visit(part, key === 'expr' ? nested(hidden) : hidden))
    }
    const slots: Node[] = []
    const of = filters.flatMap(
      (filter) => planFilter(filter, hidden ?? false, hidden === undefined ? [] : slots) ?? [],
    )
    const plan: Plan | undefined =
      hidden === undefined ? undefined : of.length < 2 ? of[0] : {kind: 'all', of}
    const rewrittenSlots = slots.map((slot) => visit(slot, hidden))
    let result = everything(plan, plan === undefined ? [] : rewrittenSlots)
    for (const filter of filters) {
      result = {type: 'Filter', base: result, expr: visit(filter, nested(hidden))}
    }
    return result
  }

  const visitCall = (node: Node, hidden: boolean | undefined): Node => {
    if (node.namespace === 'releases' && node.name === 'all') return visit(allReleases, hidden)
    const known = node.namespace !== 'diff' && node.namespace !== 'delta'
    return mapChildren(node, (part) => visit(part, known ? hidden : undefined))
  }

  /**
   * groq-js cannot evaluate `text::query()`, with which Studio searches: `[@, _id] match text::query($terms)`. Sanity
   * looks through all text of a document (https://www.sanity.io/docs/specifications/groq-functions): so does this.
   */
  const visitMatch = (node: Node, hidden: boolean | undefined): Node => {
    const left = child(node, 'left')
    const right = child(node, 'right')
    const pattern = right && textQuery(right)
    const visited = mapChildren(node, (part) => visit(part, hidden))
    if (left === undefined || pattern === undefined) return visited
    return {...visited, left: visit(searchedText(left), hidden), right: visit(pattern, hidden)}
  }

  return {tree: visit(tree, false), plans}
}

/** The scope inside a filter or projection is never hidden. */
function nested(hidden: boolean | undefined): boolean | undefined {
  return hidden === undefined ? undefined : false
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

/** The terms of a `text::query(terms)`. */
function textQuery(node: Node): Node | undefined {
  const inner = unwrap(node)
  if (inner.type !== 'FuncCall' || inner.namespace !== 'text' || inner.name !== 'query') return undefined
  return children(inner, 'args')[0]
}

/** What is searched, with all text of the document in the place of `@`. */
function searchedText(node: Node): Node {
  const inner = unwrap(node)
  if (inner.type === 'This') return allText
  if (inner.type !== 'Array') return node
  const elements = children(inner, 'elements').map((element) => {
    const item = element.value
    return isNode(item) && unwrap(item).type === 'This'
      ? {...element, value: allText, isSplat: true}
      : element
  })
  return {...inner, elements}
}

/** Every string of the document in scope. */
const allText: Node = {
  type: 'Deref',
  base: {
    type: 'Object',
    attributes: [
      {
        type: 'ObjectAttributeValue',
        name: '_ref',
        value: sum(value(marks.text), call('coalesce', [{type: 'AccessAttribute', name: '_id'}, value('')])),
      },
    ],
  },
}
