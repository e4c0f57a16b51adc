import type {AnyNode, ReturnStatement} from 'acorn'
import {type Advice, advise} from '../advice.ts'
import {adviseNode, isFunction, isIdentifier, methodOf, offsetOf} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'

/** Advice on a script that gives the agent no result. */
export function adviseEnd(facts: ScriptFacts): Advice[] {
  const last = facts.body.at(-1)
  if (last?.type === 'ThrowStatement' || facts.returnsOf(facts.outer).length > 0) return []
  const message =
    'The script returns nothing, so the agent learns nothing. End it with “return” and a result.'
  return [advise('RETURN_MISSING', 'executeJs', message, {offset: last === undefined ? 0 : offsetOf(last)})]
}

/** Advice on what a script returns to the agent. */
export function adviseReturn(node: ReturnStatement, facts: ScriptFacts): Advice | undefined {
  if (facts.functionAround(node) !== facts.outer) return undefined
  if (!node.argument) {
    const parent = facts.parentOf(node)
    const siblings: readonly AnyNode[] = parent?.type === 'BlockStatement' ? parent.body : facts.body
    const after = siblings.find(({start}) => start >= node.end)
    const message =
      after === undefined
        ? "This “return” has no result, so the agent learns nothing. Say what happened, as in return 'Done'."
        : 'The script ends at this “return”, because the result is not on the same line. Put both on one line.'
    return adviseNode('RETURN_EMPTY', node, message)
  }
  const what = unusable(node.argument, facts)
  if (what === undefined) return undefined
  const remedy =
    what === 'a response of fetch'
      ? 'Return what it contains: return response.json().'
      : 'Return text, numbers, lists or plain objects instead.'
  const message = `The script returns ${what}, which cannot be sent to an agent. ${remedy}`
  return adviseNode('RESULT_NOT_JSON', node.argument, message)
}

/** Classes whose objects become `{}`. */
const NOT_JSON: ReadonlySet<string> = new Set([
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'FormData', 'Headers', 'URLSearchParams', 'Blob', 'File'],
])

/** The values in an object or a list that the script writes. */
function partsOf(node: AnyNode): AnyNode[] {
  if (node.type === 'ObjectExpression')
    return node.properties.flatMap((part) => (part.type === 'Property' ? [part.value] : []))
  if (node.type !== 'ArrayExpression') return []
  return node.elements.flatMap((part) => (part === null || part.type === 'SpreadElement' ? [] : [part]))
}

/** What a returned expression is that JSON cannot represent; undefined if JSON probably can. */
function unusable(node: AnyNode, facts: ScriptFacts): string | undefined {
  if (isFunction(node)) return 'a function'
  const parts = partsOf(node)
  if (parts.length > 0) {
    const [what] = parts.flatMap((part) => unusable(part, facts) ?? [])
    return what === undefined || what.startsWith('a response') ? undefined : `a result that contains ${what}`
  }
  if (facts.isGlobalCall(node, 'fetch')) return 'a response of fetch'
  if (node.type === 'AwaitExpression') return unusable(node.argument, facts)
  if (node.type === 'Identifier') {
    if (isIdentifier(node, 'document', 'window', 'globalThis', 'self') && facts.isGlobal(node))
      return `“${node.name}”`
    const initial = facts.initialValue(node)
    return initial === undefined ? undefined : unusable(initial, facts)
  }
  if (node.type === 'NewExpression' && node.callee.type === 'Identifier') {
    return NOT_JSON.has(node.callee.name) ? `a ${node.callee.name}` : undefined
  }
  const method = methodOf(node) ?? ''
  if (['querySelector', 'getElementById', 'closest', 'createElement'].includes(method)) return 'an element'
  return ['querySelectorAll', 'getElementsByClassName', 'getElementsByTagName'].includes(method)
    ? 'a list of elements'
    : undefined
}
