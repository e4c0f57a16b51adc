import {child, children, type Node, unwrap} from '../../ast.ts'
import {isLookup, type LookupNode} from '../../plan/plan.ts'
import {type Code, inSlices, type Scope, stepsOf} from '../code.ts'
import {compileSearch, type Search} from '../lookup.ts'

/**
 * Compiles `count(*[_type == "…"])` and `count(*[_type in […]])`, for which one document of each type tells whether to
 * count all of them. Returns undefined for any other node.
 * @param whole evaluates the node by filtering all candidates
 */
export function countByType(node: Node, whole: Code, compile: (node: Node) => Code): Code | undefined {
  const source = sourceOf(node)
  if (source === undefined) return undefined
  const search = compileSearch(source.lookup, compile)
  const filter = compile(source.filter)
  const count = (scope: Scope, {keys}: Search): number | undefined => {
    const groups = scope.evaluation.source.byType(source.lookup.plan, keys)
    return groups?.reduce((sum, documents) => {
      const [first] = documents
      return first && filter.now(scope.nested(first)) === true ? sum + documents.length : sum
    }, 0)
  }
  return {
    steps: stepsOf([search, filter]),
    now: (scope) => count(scope, search.now(scope)) ?? whole.now(scope),
    *sliced(scope) {
      return count(scope, yield* search.sliced(scope)) ?? (yield* inSlices(whole, scope))
    },
  }
}

/** A lookup of types, and the filter that was planned as that lookup and nothing else. */
function sourceOf(node: Node): {readonly lookup: LookupNode; readonly filter: Node} | undefined {
  if (node.type !== 'FuncCall' || node.namespace !== 'global' || node.name !== 'count') return undefined
  const [filtered] = children(node, 'args').map(unwrap)
  const base = filtered && child(filtered, 'base')
  const filter = filtered && child(filtered, 'expr')
  if (filtered?.type !== 'Filter' || !base || !filter || !isLookup(base)) return undefined
  const isByType = base.plan?.kind === 'lookup' && base.plan.index === '_type'
  return isByType && unwrap(filter).type === 'OpCall' ? {lookup: base, filter} : undefined
}
