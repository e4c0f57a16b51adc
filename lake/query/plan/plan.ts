import {type IndexName, indexName, MAX_PATH_SEGMENTS, REFERENCES, VERSIONS} from '../../../content/keys.ts'
import {attributePath, child, children, isNode, mapChildren, type Node, unwrap} from '../ast.ts'
import {scalarText} from '../scalars.ts'

/** Where a lookup finds its keys at run time: the index of a slot of a {@link LookupNode}. */
type Slot = number

/** An expression whose value is the key of a lookup: a scalar, a list of scalars, or either. */
export type SlotNode = {
  readonly type: 'Slot'
  readonly expression: Node
  readonly takes: 'one' | 'many' | 'any'
}

/** A node for the documents that a plan finds, or for all documents. */
export type LookupNode = {
  readonly type: 'Lookup'
  readonly plan: Plan | undefined
  readonly slots: readonly SlotNode[]
}

/** Narrows to a lookup. */
export function isLookup(node: Node | LookupNode): node is LookupNode {
  return node.type === 'Lookup' && Array.isArray(node.slots)
}

/**
 * How to find the candidates of a filter without examining every document. It need not be exact, since the
 * whole filter is applied to the candidates.
 */
export type Plan =
  | {readonly kind: 'lookup'; readonly index: IndexName; readonly slot: Slot}
  | {readonly kind: 'all' | 'any'; readonly of: readonly Plan[]}

/**
 * Plans a filter, or returns undefined if it must examine all documents. Expressions whose values the lookup
 * needs are appended to `slots`, because they are evaluated in the scope around the filter.
 */
export function planFilter(filter: Node, hidden: boolean, slots: SlotNode[]): Plan | undefined {
  const node = unwrap(filter)
  const left = child(node, 'left')
  const right = child(node, 'right')
  if (node.type === 'And' || node.type === 'Or') return planLogic(node, hidden, slots)
  if (node.type === 'FuncCall')
    return planReferences(node, hidden, slots) ?? planVersions(node, hidden, slots)
  if (node.type !== 'OpCall' || left === undefined || right === undefined) return undefined
  if (node.op === '==') {
    return planLookup(left, right, false, hidden, slots) ?? planLookup(right, left, false, hidden, slots)
  }
  return node.op === 'in' ? planLookup(left, right, true, hidden, slots) : undefined
}

function planLogic(node: Node, hidden: boolean, slots: SlotNode[]): Plan | undefined {
  const {length} = slots
  const parts = [child(node, 'left'), child(node, 'right')].map(
    (part) => part && planFilter(part, hidden, slots),
  )
  const of = parts.filter((plan) => plan !== undefined)
  if (node.type === 'And') return of.length < 2 ? of[0] : {kind: 'all', of}
  if (of.length === 2) return {kind: 'any', of}
  slots.length = length
  return undefined
}

/** The index of an attribute path. */
function indexOf(node: Node): IndexName | undefined {
  const path = attributePath(node)
  if (path === undefined || path.length > MAX_PATH_SEGMENTS) return undefined
  // Index names join segments with a NUL.
  return path.some((segment) => segment === '' || segment.includes('\0')) ? undefined : indexName(path)
}

/** `attribute == constant`, or `attribute in constants`. */
function planLookup(attribute: Node, constant: Node, many: boolean, hidden: boolean, slots: SlotNode[]) {
  const index = indexOf(attribute)
  const expression = toEnclosingScope(constant, hidden)
  if (index === undefined || expression === undefined) return undefined
  return lookup(index, {type: 'Slot', expression, takes: many ? 'many' : 'one'}, slots)
}

/** `references(constant, …)` with one argument that is a single id. Others examine all documents. */
function planReferences(node: Node, hidden: boolean, slots: SlotNode[]): Plan | undefined {
  if (node.namespace !== 'global' || node.name !== 'references') return undefined
  const of: Plan[] = []
  for (const arg of children(node, 'args')) {
    const expression = toEnclosingScope(arg, hidden)
    if (expression === undefined) return undefined
    of.push(lookup(REFERENCES, {type: 'Slot', expression, takes: 'any'}, slots))
  }
  return of.length < 2 ? of[0] : {kind: 'any', of}
}

/** `sanity::versionOf(constant)` */
function planVersions(node: Node, hidden: boolean, slots: SlotNode[]): Plan | undefined {
  const [id] = children(node, 'args')
  const expression = id && toEnclosingScope(id, hidden)
  if (node.namespace !== 'sanity' || node.name !== 'versionOf' || expression === undefined) return undefined
  const slot = slots.push({type: 'Slot', expression, takes: 'one'}) - 1
  const of = ['_id', VERSIONS].map((index) => ({kind: 'lookup', index, slot}) as const)
  return {kind: 'any', of}
}

function lookup(index: string, slot: SlotNode, slots: SlotNode[]): Plan {
  return {kind: 'lookup', index, slot: slots.push(slot) - 1}
}

/** The keys for the value of a slot; undefined if the value is not of the kind that the slot takes. */
export function keysOf({takes}: SlotNode, value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) {
    const key = takes === 'many' ? undefined : scalarText(value)
    return key === undefined ? undefined : [key]
  }
  if (takes === 'one') return undefined
  const keys = value.map(scalarText)
  return keys.every((key) => key !== undefined) ? keys : undefined
}

/**
 * GROQ's scopes: https://spec.groq.dev/GROQ-1.revision1/#sec-Scope. A filter is evaluated in its own scope
 * for each candidate, in which `^` is the enclosing scope. Its base is evaluated in the enclosing scope.
 * Mapping over an array makes a "hidden" scope, which `^` skips.
 *
 * Returns the expression rewritten for the enclosing scope with the same meaning as inside the filter, or
 * undefined if its value depends on the candidate (or may do so).
 */
function toEnclosingScope(expression: Node, hidden: boolean): Node | undefined {
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
