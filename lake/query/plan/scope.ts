import {child, isNode, keyedChildren, mapChildren, type Node, unwrap} from '../ast.ts'

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
  if (isClosedSubquery(node)) return node
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

/**
 * Whether an expression means the same in every scope: it reads documents, and nothing of the scope around
 * it. Such a subquery (`_id in *[_type == "a"].b._ref`) is evaluated only once for all candidates.
 */
export function isClosedSubquery(node: Node): boolean {
  if (!IS_EXPRESSION.has(node.type)) return false
  const {hasEverything, readsThis, parents} = needsOf(node)
  return hasEverything && !readsThis && parents === 0
}

/** Nodes that have a value. Others are parts of one: an attribute of an object, a direction of an order. */
const IS_EXPRESSION: ReadonlySet<string> = new Set([
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

/** What an expression needs of its scope. */
type Needs = {
  readonly hasEverything: boolean
  /** Whether it reads `@`. */
  readonly readsThis: boolean
  /** The number of enclosing scopes that its `^` refers to. Infinity if that is not known. */
  readonly parents: number
}

/** Each node is visited only once. */
const known = new WeakMap<Node, Needs>()

function needsOf(node: Node): Needs {
  let needs = known.get(node)
  if (needs === undefined) {
    needs = findNeeds(node)
    known.set(node, needs)
  }
  return needs
}

/** Functions that read only their arguments. Others, such as `references()`, read `@`. */
const PLAIN_NAMESPACES: ReadonlySet<unknown> = new Set([
  'global',
  'string',
  'array',
  'math',
  'dateTime',
  'pt',
])
const READ_THIS: ReadonlySet<unknown> = new Set(['references', 'anywhere'])

function findNeeds(node: Node): Needs {
  let hasEverything = node.type === 'Everything'
  let {readsThis, parents} = ownNeeds(node)
  for (const [key, part] of keyedChildren(node)) {
    const needs = needsOf(part)
    hasEverything ||= needs.hasEverything
    const ownScope =
      (key === 'expr' && SCOPED.has(node.type)) || (key === 'args' && node.type === 'PipeFuncCall')
    if (!ownScope) readsThis ||= needs.readsThis
    const isCounted = ownScope && node.type !== 'Map' && node.type !== 'FlatMap'
    parents = Math.max(parents, needs.parents - (isCounted ? 1 : 0))
  }
  return {hasEverything, readsThis, parents}
}

/** What a node itself needs, without its children. */
function ownNeeds(node: Node): Pick<Needs, 'readsThis' | 'parents'> {
  switch (node.type) {
    case 'This':
      return {readsThis: true, parents: 0}
    case 'AccessAttribute':
      return {readsThis: node.base === undefined, parents: 0}
    case 'Parent':
      return {readsThis: false, parents: typeof node.n === 'number' ? node.n + 1 : Infinity}
    case 'FuncCall':
      return {
        readsThis: READ_THIS.has(node.name),
        parents: PLAIN_NAMESPACES.has(node.namespace) ? 0 : Infinity,
      }
    case 'Context':
      return {readsThis: true, parents: Infinity}
    default:
      return {readsThis: false, parents: 0}
  }
}

const SCOPED: ReadonlySet<string> = new Set(['Filter', 'Projection', 'Map', 'FlatMap'])
