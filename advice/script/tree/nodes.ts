import type {AnyNode, ArrowFunctionExpression, FunctionDeclaration, FunctionExpression, Node} from 'acorn'
import {HEAD} from '../../../schemas/rules/script.ts'
import {type Advice, type AdviceCode, advise, type Fix} from '../../advice.ts'

/** A node of a type, or of several. */
export type NodeOf<T extends AnyNode['type']> = Extract<AnyNode, {readonly type: T}>

/** Advice on a node of a script. */
export function adviseNode(code: AdviceCode, node: Node, message: string, fix?: Fix): Advice {
  return advise(code, 'executeJs', message, {offset: offsetOf(node), ...(fix && {fix})})
}

/** The offset of a node in the script. */
export function offsetOf(node: Node): number {
  return node.start - HEAD.length
}

/** Whether a node is an identifier with one of these names. */
export function isIdentifier(node: AnyNode | null | undefined, ...names: readonly string[]): boolean {
  return node?.type === 'Identifier' && names.includes(node.name)
}

/** Whether a node is a function of any kind. */
export function isFunction(
  node: AnyNode,
): node is FunctionDeclaration | FunctionExpression | ArrowFunctionExpression {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type)
}

/** The name of a key or of a member that is not computed. */
export function keyOf(key: AnyNode): string | undefined {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : undefined
}

/** The name of the member that a node reads, as in `object.name` and `object['name']`. */
export function memberOf(node: AnyNode): string | undefined {
  if (node.type !== 'MemberExpression') return undefined
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : undefined
  return node.property.type === 'Literal' ? String(node.property.value) : undefined
}

/** The method that a call calls. */
export function methodOf(node: AnyNode): string | undefined {
  return node.type === 'CallExpression' ? memberOf(node.callee) : undefined
}

/** The object whose member a node reads or calls. */
export function objectOf(node: AnyNode): AnyNode | undefined {
  if (node.type === 'CallExpression') return objectOf(node.callee)
  return node.type === 'MemberExpression' ? node.object : undefined
}

/** The text of a literal or of a template, without its `${…}`. */
export function textOf(node: AnyNode | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  return node?.type === 'TemplateLiteral' ? node.quasis.map(({value}) => value.raw).join('') : undefined
}
