import type {AnyNode} from 'acorn'
import {isGlobalCall, memberOf, methodOf, type ScriptFacts} from './tree/program.ts'

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
  if (node.type !== 'CallExpression') return undefined
  if (isGlobalCall(node, 'fetch', facts)) return 'promise of a response'
  if (!READERS.has(methodOf(node) ?? '') || node.callee.type !== 'MemberExpression') return undefined
  return resultOf(node.callee.object, facts) === 'response' ? 'promise of a body' : undefined
}

/** Whether a node is `response.json` without the parentheses that call it. */
export function isUncalledReader(node: AnyNode, parent: AnyNode | undefined): boolean {
  if (!READERS.has(memberOf(node) ?? '')) return false
  return !(parent?.type === 'CallExpression' && parent.callee === node)
}

/** The members of a response. */
export const RESPONSE_MEMBERS: ReadonlySet<string> = new Set([
  ...READERS,
  'body',
  'bodyUsed',
  'clone',
  'headers',
  'ok',
  'redirected',
  'status',
  'statusText',
  'type',
  'url',
])
