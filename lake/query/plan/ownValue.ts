import {child, children, type Node} from '../ast.ts'

const OWN_FUNCTIONS: ReadonlySet<unknown> = new Set([
  'coalesce',
  'dateTime',
  'defined',
  'length',
  'lower',
  'string',
  'upper',
])

/**
 * Whether the value of an expression depends on the document in scope alone: not on parameters, on other
 * documents, on the time, or on who asks.
 */
export function isOwnValue(node: Node): boolean {
  const base = child(node, 'base')
  switch (node.type) {
    case 'Value':
      return true
    case 'AccessAttribute':
      return base === undefined || base.type === 'This' || isOwnValue(base)
    case 'AccessElement':
    case 'Group':
      return base !== undefined && isOwnValue(base)
    case 'FuncCall':
      return (
        node.namespace === 'global' &&
        OWN_FUNCTIONS.has(node.name) &&
        children(node, 'args').every(isOwnValue)
      )
    default:
      return false
  }
}
