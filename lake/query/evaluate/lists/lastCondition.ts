import {attributePath, child, type Node, unwrap} from '../../ast.ts'
import type {Code} from '../code.ts'
import {keyOf} from './order.ts'

/** Comparisons that fail for all further items of a list in order, once they fail for one. */
const ASCENDING: ReadonlySet<unknown> = new Set(['<', '<='])
const DESCENDING: ReadonlySet<unknown> = new Set(['>', '>='])

/** The same comparisons with their sides exchanged. */
const EXCHANGED: ReadonlyMap<unknown, string> = new Map([
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
])

/**
 * Finds a part of a filter that ends the search in a list: in `*[_updatedAt > $since] | order(_updatedAt desc)`, no
 * document comes after the first for which it is false. It is null for values that cannot be compared.
 * @param key the first argument of `order()`
 */
export function lastCondition(
  filters: readonly Node[],
  key: Node | undefined,
  compile: (node: Node) => Code,
): Code | undefined {
  const path = key && attributePath(keyOf(key))?.join('\0')
  if (path === undefined) return undefined
  const operators = key?.type === 'Desc' ? DESCENDING : ASCENDING
  const isLast = (node: Node) => {
    const {op} = node
    const [left, right] = [child(node, 'left'), child(node, 'right')]
    if (node.type !== 'OpCall' || left === undefined || right === undefined) return false
    const [compared, constant, operator] =
      attributePath(left) === undefined ? [right, left, EXCHANGED.get(op)] : [left, right, op]
    return (
      attributePath(compared)?.join('\0') === path && isConstant(unwrap(constant)) && operators.has(operator)
    )
  }
  const found = filters.flatMap(partsOf).find(isLast)
  return found && compile(found)
}

/** The conditions that must all be true. */
function partsOf(filter: Node): readonly Node[] {
  const node = unwrap(filter)
  const parts = [child(node, 'left'), child(node, 'right')].filter((part) => part !== undefined)
  return node.type === 'And' ? parts.flatMap(partsOf) : [node]
}

function isConstant({type}: Node): boolean {
  return type === 'Value' || type === 'Parameter'
}
