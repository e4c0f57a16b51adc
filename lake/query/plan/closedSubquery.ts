import {keyedChildren, type Node} from '../ast.ts'

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
    case 'SelectorFuncCall':
    case 'SelectorNested':
    case 'Tuple':
      return {readsThis: true, parents: Infinity}
    default:
      return {readsThis: false, parents: 0}
  }
}

const SCOPED: ReadonlySet<string> = new Set(['Filter', 'Projection', 'Map', 'FlatMap'])
