import {indexName, maxPathSegments, references} from '../documents/keys.ts'
import {attributePath, call, child, children, type Node, unwrap, value} from './ast.ts'
import {toEnclosingScope} from './scope.ts'

/** Where a lookup finds its keys when a query runs: one of the texts that the query computes for it. */
export type Slot = number

/**
 * How the candidates of a filter can be found without looking at every document. It need not be exact: the whole
 * filter is applied to them.
 */
export type Plan =
  | {readonly kind: 'lookup'; readonly index: string; readonly slot: Slot}
  | {readonly kind: 'all' | 'any'; readonly of: readonly Plan[]}

/** Texts that can neither be guessed nor typed, to take a computed list apart again. */
export const marks = {
  /** Starts a reference that is a lookup. */
  lookup: `lookup:${crypto.randomUUID()}:`,
  /** Starts a reference that stands for a subquery. */
  subquery: `subquery:${crypto.randomUUID()}:`,
  /** Starts a reference that asks for the text of a document. */
  text: `text:${crypto.randomUUID()}:`,
  /** Between slots. */
  slot: `\0slot:${crypto.randomUUID()}\0`,
  /** Between the keys of one slot. */
  key: `\0key:${crypto.randomUUID()}\0`,
  /** A slot whose keys cannot be told: null, an object, a list with either. */
  unknown: `\0unknown:${crypto.randomUUID()}\0`,
}

/**
 * Plans a filter, or answers undefined when it must see everything. Expressions whose value the lookup needs are
 * appended to `slots`, as they are to be evaluated in the scope around the filter.
 */
export function planFilter(filter: Node, hidden: boolean, slots: Node[]): Plan | undefined {
  const node = unwrap(filter)
  const left = child(node, 'left')
  const right = child(node, 'right')
  if (node.type === 'And' || node.type === 'Or') {
    if (left === undefined || right === undefined) return undefined
    const length = slots.length
    const of = [planFilter(left, hidden, slots), planFilter(right, hidden, slots)].filter(
      (plan) => plan !== undefined,
    )
    if (node.type === 'And') return of.length < 2 ? of[0] : {kind: 'all', of}
    if (of.length === 2) return {kind: 'any', of}
    slots.length = length
    return undefined
  }
  if (node.type === 'FuncCall') return planReferences(node, hidden, slots)
  if (node.type !== 'OpCall' || left === undefined || right === undefined) return undefined
  if (node.op === '==') {
    return planLookup(left, right, false, hidden, slots) ?? planLookup(right, left, false, hidden, slots)
  }
  return node.op === 'in' ? planLookup(left, right, true, hidden, slots) : undefined
}

/** `attribute == constant`, or `attribute in constants`. */
function planLookup(attribute: Node, constant: Node, many: boolean, hidden: boolean, slots: Node[]) {
  const path = attributePath(attribute)
  if (path === undefined || path.length > maxPathSegments) return undefined
  // The name of an index joins segments by a NUL.
  if (path.some((segment) => segment === '' || segment.includes('\0'))) return undefined
  const expression = toEnclosingScope(constant, hidden)
  if (expression === undefined) return undefined
  return lookup(indexName(path), many ? keysText(expression) : keyText(expression), slots)
}

/** `references(constant, …)`, of one argument that is a single id: others see everything. */
function planReferences(node: Node, hidden: boolean, slots: Node[]): Plan | undefined {
  if (node.namespace !== 'global' || node.name !== 'references') return undefined
  const of: Plan[] = []
  for (const arg of children(node, 'args')) {
    const expression = toEnclosingScope(arg, hidden)
    if (expression === undefined) return undefined
    of.push(lookup(references, call('coalesce', [keyText(expression), keysText(expression)]), slots))
  }
  return of.length < 2 ? of[0] : {kind: 'any', of}
}

function lookup(index: string, text: Node, slots: Node[]): Plan {
  return {kind: 'lookup', index, slot: slots.push(call('coalesce', [text, value(marks.unknown)])) - 1}
}

/** The text of a scalar; null for anything else. */
function keyText(expression: Node): Node {
  return call('string', [expression])
}

/** The texts of a list of scalars; null for anything else. */
function keysText(expression: Node): Node {
  return call('join', [expression, value(marks.key)], 'array')
}
