import {isJsonObject} from '../../common/json.ts'

/**
 * A node of the syntax tree that groq-js makes. groq-js 2.0.0 publishes no declarations for its nodes (its
 * index.d.ts names a file that is not in the package), so they are narrowed here as they are read. The tree
 * is "not considered a public API": the version is pinned, and the differential tests cover every rewrite.
 */
export type Node = {readonly type: string; readonly [key: string]: unknown}

/** Narrows to a node of the tree. */
export function isNode(value: unknown): value is Node {
  return isJsonObject(value) && typeof value.type === 'string'
}

/**
 * Copies a node with its child nodes replaced. The value of a literal is data, even if it looks like a node.
 */
export function mapChildren(node: Node, replace: (child: Node, key: string) => Node): Node {
  if (node.type === 'Value') return node
  const copy: Record<string, unknown> & {readonly type: string} = {type: node.type}
  for (const [key, value] of Object.entries(node)) {
    if (isNode(value)) copy[key] = replace(value, key)
    else if (Array.isArray(value)) copy[key] = value.map((item) => (isNode(item) ? replace(item, key) : item))
    else copy[key] = value
  }
  return copy
}

/** Calls back for a node and all nodes below it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const part of childNodes(node)) walk(part, visit)
}

/** The direct children of a node. */
export function childNodes(node: Node): Node[] {
  if (node.type === 'Value') return []
  return Object.values(node).flat().filter(isNode)
}

/** The node inside parentheses. */
export function unwrap(node: Node): Node {
  return node.type === 'Group' && isNode(node.base) ? unwrap(node.base) : node
}

/** The child at a key, if it is a node. */
export function child(node: Node, key: string): Node | undefined {
  const value = node[key]
  return isNode(value) ? value : undefined
}

/** The child at a key; `null` if there is none. */
export function childOrNull(node: Node, key: string): Node {
  return child(node, key) ?? NULL
}

export const NULL: Node = {type: 'Value', value: null}

/** The child nodes at a key that holds several. */
export function children(node: Node, key: string): readonly Node[] {
  const value = node[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** The attribute path that a node reads from the value in scope: `a.b` and `@.a.b` are `['a', 'b']`. */
export function attributePath(node: Node): string[] | undefined {
  const inner = unwrap(node)
  if (inner.type !== 'AccessAttribute' || typeof inner.name !== 'string') return undefined
  const base = child(inner, 'base')
  if (base === undefined || unwrap(base).type === 'This') return [inner.name]
  const path = attributePath(base)
  return path === undefined ? undefined : [...path, inner.name]
}
