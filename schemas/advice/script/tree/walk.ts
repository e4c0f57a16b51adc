import type {AnyNode, ArrowFunctionExpression, FunctionDeclaration, FunctionExpression, Node} from 'acorn'
import {base} from 'acorn-walk'

/** A node, and the one around it. */
export type Found = {readonly node: AnyNode; readonly parent: Found | undefined}

/**
 * Calls a function for a node and all nodes in it, inner ones first.
 * @param onNode gets the type of the node. A name that is declared or assigned is a `VariablePattern`; names of members
 * and of keys are left out.
 */
export function walk(root: AnyNode, onNode: (found: Found, type: string) => void): void {
  const visit = (node: AnyNode, around: Found | undefined, group: string = node.type) => {
    const type = WALKERS[group] === PASS_ON ? node.type : group
    // acorn-walk visits a node once more for each group that does more than to pass it on.
    const found = node === around?.node ? around : {node, parent: around}
    WALKERS[type]?.(node, found, visit)
    onNode(found, type)
  }
  visit(root, undefined)
}

type Visit = (node: AnyNode, around: Found) => void
/** A method, because TypeScript then accepts walkers for one type of node. */
type Walker = {walk(node: Node, around: Found, visit: Visit): void}['walk']

const WALKERS: {readonly [type: string]: Walker | undefined} = base

/** The walker of groups such as `Expression`: it visits the node by its own type. */
const PASS_ON = WALKERS.Expression

/** Whether a node is a function of any kind. */
export function isFunction(
  node: AnyNode,
): node is FunctionDeclaration | FunctionExpression | ArrowFunctionExpression {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  )
}

/** The innermost function around a node. */
export function functionAround({parent}: Found): AnyNode | undefined {
  let around = parent
  while (around !== undefined && !isFunction(around.node)) around = around.parent
  return around?.node
}

/** Whether a node is inside of another one of a type. */
export function isInside({parent}: Found, type: AnyNode['type']): boolean {
  return parent !== undefined && (parent.node.type === type || isInside(parent, type))
}
