import type {AnyNode} from 'acorn'
import {memberOf, methodOf, objectOf} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'

/** What a node evaluates to, as far as advice needs to know. */
export type Value = 'promise of a response' | 'response' | 'promise of a body'

/** Methods of a response that read its body. Each returns a promise. */
const READERS: ReadonlySet<string> = new Set(['json', 'text', 'blob', 'arrayBuffer', 'bytes', 'formData'])

/** What `fetch` returns, before and after `await`, and what the methods of a response return. */
export function resultOf(node: AnyNode, facts: ScriptFacts): Value | undefined {
  if (node.type === 'Identifier') {
    const initial = facts.initialValue(node)
    return initial === undefined ? undefined : resultOf(initial, facts)
  }
  if (node.type === 'AwaitExpression') {
    const awaited = resultOf(node.argument, facts)
    return awaited === 'promise of a response' ? 'response' : undefined
  }
  if (facts.isGlobalCall(node, 'fetch')) return 'promise of a response'
  const object = READERS.has(methodOf(node) ?? '') ? objectOf(node) : undefined
  return object && resultOf(object, facts) === 'response' ? 'promise of a body' : undefined
}

/** Whether a node is `response.json` without the parentheses that call it. */
export function isUncalledReader(node: AnyNode, parent: AnyNode | undefined): boolean {
  if (!READERS.has(memberOf(node) ?? '')) return false
  return !(parent?.type === 'CallExpression' && parent.callee === node)
}

/** The members of a response. */
export const RESPONSE_MEMBERS: ReadonlySet<string> = new Set([
  ...READERS,
  ...['body', 'bodyUsed', 'clone', 'headers', 'ok', 'redirected', 'status', 'statusText', 'type', 'url'],
])
