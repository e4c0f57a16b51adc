import type {Document} from '../../../../content/document.ts'
import {comparing, type Order} from '../../../../content/indexes/order.ts'
import type {Compare} from '../../../../content/indexes/sortedList.ts'
import {child, children, type Node, unwrap} from '../../ast.ts'
import type {Budget} from '../../budget.ts'
import {isLookup, type LookupNode} from '../../plan/plan.ts'
import type {OrderedPart} from '../../source.ts'
import {type Code, inSlices, type Scope, stepsOf} from '../code.ts'
import {compileSearch, MAX_AT_ONCE, type Search} from '../lookup.ts'
import {lastCondition} from './lastCondition.ts'
import {documentOrder, orderingOf} from './order.ts'
import {sortInSlices} from './sort.ts'

/** Estimated bytes of a document that is being sorted. */
const SORTED_BYTES = 128

/**
 * Compiles `*[filter] | order(keys)[from..to]`, counted from the start, so that documents that are kept in this order are
 * filtered only until there are enough, or no further one can be selected. Returns undefined for any other slice or element.
 * @param whole evaluates the node by filtering and sorting all candidates
 */
export function firstItems(node: Node, whole: Code, compile: (node: Node) => Code): Code | undefined {
  const range = rangeOf(node)
  const source = sourceOf(node, compile)
  if (range === undefined || source === undefined) return undefined
  const {lookup, order, filters, last} = source
  const compare = comparing(order)
  const search = compileSearch(lookup, compile)
  const partsOf = ({evaluation}: Scope, {keys, narrowing}: Search) =>
    evaluation.source.inOrder(lookup.plan, keys, order, range.to, narrowing)
  const steps = stepsOf(filters)
  const enter = ({evaluation}: Scope) => {
    evaluation.budget.step(steps)
    evaluation.source.count(1)
  }
  const pick = (found: readonly Document[]) =>
    node.type === 'Slice' ? found.slice(range.from) : (found[range.from] ?? null)
  return {
    steps: whole.steps,
    now: (scope) => {
      const {budget} = scope.evaluation
      const parts = partsOf(scope, search.now(scope))
      if (parts === undefined) return whole.now(scope)
      const found: Document[] = []
      const lists = parts.map((part) => part.list.read() ?? sortAtOnce(part, order, budget))
      for (const document of merged(lists, compare)) {
        if (found.length >= range.to) break
        enter(scope)
        const nested = scope.nested(document)
        if (!filters.every((filter) => filter.now(nested) === true)) {
          if (last?.now(nested) === false) break
          continue
        }
        budget.take(16)
        found.push(document)
      }
      return pick(found)
    },
    *sliced(scope) {
      const {budget} = scope.evaluation
      const parts = partsOf(scope, yield* search.sliced(scope))
      if (parts === undefined) return yield* inSlices(whole, scope)
      const found: Document[] = []
      const lists: (readonly Document[])[] = []
      for (const part of parts) lists.push(part.list.read() ?? (yield* sorted(part, order, budget)))
      for (const document of merged(lists, compare)) {
        if (found.length >= range.to) break
        enter(scope)
        if (budget.isDue) yield
        const nested = scope.nested(document)
        let isWanted = true
        for (const filter of filters) isWanted &&= (yield* inSlices(filter, nested)) === true
        if (!isWanted) {
          if (last?.now(nested) === false) break
          continue
        }
        budget.take(16)
        found.push(document)
      }
      return pick(found)
    },
  }
}

/** Which items a node selects: the first, and the one after the last. */
function rangeOf({
  type,
  index,
  left,
  right,
  isInclusive,
}: Node): {readonly from: number; readonly to: number} | undefined {
  if (type === 'AccessElement') {
    return typeof index === 'number' && index >= 0 ? {from: index, to: index + 1} : undefined
  }
  if (typeof left !== 'number' || typeof right !== 'number' || left < 0 || right < 0) return undefined
  return {from: left, to: right + (isInclusive === true ? 1 : 0)}
}

type Source = {
  readonly lookup: LookupNode
  readonly filters: readonly Code[]
  readonly order: Order
  /** Ends the search when it is false. */
  readonly last: Code | undefined
}

/** `*[filter] | order(keys)` of a rewritten tree. */
function sourceOf(node: Node, compile: (node: Node) => Code): Source | undefined {
  const ordered = baseOf(node)
  if (ordered?.type !== 'PipeFuncCall' || ordered.name !== 'order') return undefined
  const args = children(ordered, 'args')
  const filters: Node[] = []
  let base = baseOf(ordered)
  for (; base?.type === 'Filter'; base = baseOf(base)) filters.unshift(child(base, 'expr') ?? base)
  const order = documentOrder(args, orderingOf(args, compile))
  if (order === undefined || base === undefined || !isLookup(base)) return undefined
  const last = lastCondition(filters, args[0], compile)
  return {lookup: base, filters: filters.map(compile), order, last}
}

function baseOf(node: Node): Node | undefined {
  const base = child(node, 'base')
  return base && unwrap(base)
}

type Ranked = {readonly document: Document; readonly keys: readonly unknown[]}

/** Sorts documents, and keeps them sorted. */
function sortAtOnce({list, find}: OrderedPart, order: Order, budget: Budget): readonly Document[] {
  const documents = find()
  if (documents.length > MAX_AT_ONCE) budget.beginLongWork()
  const finish = list.begin()
  const ranked = documents.map((document): Ranked => ({document, keys: order.keysOf(document)}))
  ranked.sort((a, b) => order.compareKeys(a.keys, b.keys))
  const sorted = ranked.map(({document}) => document)
  finish(sorted)
  return sorted
}

/** Sorts documents in slices, and keeps them sorted. */
function* sorted({list, find}: OrderedPart, order: Order, budget: Budget) {
  const {mark} = budget
  const documents = find()
  const finish = list.begin()
  const ranked: Ranked[] = []
  budget.take(SORTED_BYTES * documents.length)
  for (const document of documents) {
    budget.step(10)
    if (budget.isDue) yield
    ranked.push({document, keys: order.keysOf(document)})
  }
  const compare = (a: Ranked, b: Ranked) => {
    budget.step(1)
    return order.compareKeys(a.keys, b.keys)
  }
  const result = (yield* sortInSlices(ranked, compare, budget)).map(({document}) => document)
  finish(result)
  budget.release(mark)
  return result
}

/** The documents of several lists in their common order. */
function* merged(lists: readonly (readonly Document[])[], compare: Compare): Generator<Document> {
  const heads = lists.map((list) => ({list, at: 0}))
  for (;;) {
    let first: {readonly list: readonly Document[]; at: number} | undefined
    let document: Document | undefined
    for (const head of heads) {
      const next = head.list[head.at]
      if (next === undefined || (document !== undefined && compare(document, next) < 0)) continue
      first = head
      document = next
    }
    if (first === undefined || document === undefined) return
    first.at += 1
    yield document
  }
}
