import {child, children, isNode, type Node, unwrap} from '../ast.ts'
import {isOwnValue} from './ownValue.ts'

/**
 * Moves projections outwards, so that only what a slice selects is projected:
 * `base{…} | order(…)[0...9]` becomes `(base | order(…)[0...9]){…}`. Studio's lists have this form. Returns any
 * other node unchanged.
 * @param node a slice or an access to an element
 */
export function hoistProjection(node: Node): Node {
  const base = unwrapped(node, 'base')
  const projected = base?.type === 'PipeFuncCall' && base.name === 'order' ? orderFirst(base) : base
  const inner = projected?.type === 'Map' ? child(projected, 'base') : undefined
  const projection = projected && child(projected, 'expr')
  if (projected === undefined || inner === undefined || !isOfThis(projection)) return node
  const rest = hoistProjection({...node, base: inner})
  return node.type === 'Slice' ? {...projected, base: rest} : {...projection, base: rest}
}

function unwrapped(node: Node, key: string): Node | undefined {
  const found = child(node, key)
  return found && unwrap(found)
}

/** Whether a node is `@{…}`: what a list of documents is mapped with to project it. */
function isOfThis(node: Node | undefined): node is Node {
  return node?.type === 'Projection' && unwrapped(node, 'base')?.type === 'This'
}

/** `base{…} | order(…)` as `(base | order(…)){…}`, if that means the same. */
function orderFirst(order: Node): Node {
  const mapped = unwrapped(order, 'base')
  const projection = mapped?.type === 'Map' ? child(mapped, 'expr') : undefined
  const inner = mapped && child(mapped, 'base')
  const values = isOfThis(projection) ? valuesOf(unwrapped(projection, 'expr')) : undefined
  if (mapped === undefined || inner === undefined || values === undefined || !areDocuments(inner))
    return order
  const args = children(order, 'args').map((arg) => {
    const isDirected = arg.type === 'Asc' || arg.type === 'Desc'
    const key = beforeProjection(isDirected ? (child(arg, 'base') ?? arg) : arg, values)
    return key && isDirected ? {...arg, base: key} : key
  })
  if (!args.every((arg) => arg !== undefined)) return order
  return {...mapped, base: {...order, base: inner, args}}
}

/** Whether all items are documents. Anything else would be projected to null. */
function areDocuments(node: Node): boolean {
  const base = unwrapped(node, 'base')
  return node.type === 'Everything' || (node.type === 'Filter' && base !== undefined && areDocuments(base))
}

/** The values of an object by their names, if it has nothing but such. */
function valuesOf(object: Node | undefined): ReadonlyMap<unknown, Node> | undefined {
  if (object?.type !== 'Object') return undefined
  const values = new Map<unknown, Node>()
  for (const attribute of children(object, 'attributes')) {
    const value = child(attribute, 'value')
    if (attribute.type !== 'ObjectAttributeValue' || value === undefined) return undefined
    values.set(attribute.name, value)
  }
  return values
}

/** An expression about a projected object as one about the document that it was projected from. */
function beforeProjection(key: Node, values: ReadonlyMap<unknown, Node>): Node | undefined {
  const replaced = replace(key)
  return isOwnValue(replaced) ? replaced : undefined

  function replace(node: Node): Node {
    const base = unwrapped(node, 'base')
    if (node.type === 'AccessAttribute' && base === undefined) return values.get(node.name) ?? NULL
    if (node.type === 'FuncCall') return {...node, args: children(node, 'args').map(replace)}
    if (base === undefined) return UNKNOWN
    const inner = replace(base)
    if (node.type === 'AccessElement' && inner.type === 'Array' && typeof node.index === 'number') {
      const items = children(inner, 'elements')
      const item = items.every(({isSplat}) => isSplat !== true) ? items.at(node.index)?.value : undefined
      if (isNode(item)) return item
    }
    return {...node, base: inner}
  }
}

const NULL: Node = {type: 'Value', value: null}

/** What is not known to mean the same before the projection. */
const UNKNOWN: Node = {type: 'Unknown'}
