import type {AnyNode, CallExpression} from 'acorn'
import type {Advice} from '../advice.ts'
import {adviseNode, offsetOf, textOf} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'

/** Advice on a request. */
export function adviseRequest(node: CallExpression, facts: ScriptFacts): Advice[] {
  const [address] = node.arguments
  return facts.isGlobalCall(node, 'fetch') && address !== undefined ? adviseAddress(address, facts) : []
}

function adviseAddress(node: AnyNode, facts: ScriptFacts): Advice[] {
  const first = leftmost(node)
  const start = leftmost(facts.initialValue(first) ?? first)
  const text = startOf(start)
  if (text === undefined) return []
  const offset = offsetOf(start)
  if (isOfPage(text)) {
    const path = text.replace(/^(?:\.{1,2}\/)+/, '')
    const message = `Without a slash at its start, this address depends on the page: on /books/1 it is /books/${path}. Write /${path}.`
    const edit = {start: offset + 1, end: offset + 1 + text.length - path.length, text: '/'}
    return [adviseNode('ADDRESS_WRONG', start, message, {title: `Use /${path}`, edits: [edit]})]
  }
  const remark = addressRemark(text)
  return remark === undefined ? [] : [adviseNode('ADDRESS_WRONG', start, remark)]
}

/** The text with which a literal or a template starts. */
function startOf(node: AnyNode): string | undefined {
  const text = node.type === 'TemplateLiteral' ? node.quasis[0]?.value.raw : textOf(node)
  return text === '' ? undefined : text
}

/** Whether an address is relative to the page's folder, such as `api/events` and `./events.json`. */
function isOfPage(address: string): boolean {
  return /^(?:\.{1,2}\/|(?!www\.)[\w~-][\w.~-]*(?:[/?]|$))/i.test(address)
}

function leftmost(node: AnyNode): AnyNode {
  return node.type === 'BinaryExpression' ? leftmost(node.left) : node
}

/** What is wrong with the beginning of an address that pages load. */
export function addressRemark(address: string): string | undefined {
  if (/^(?:https?:)?\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i.test(address))
    return 'This address is your own computer, which visitors cannot reach. Write the address on your website, such as /api/stores.'
  if (/^http:\/\//i.test(address))
    return 'Pages of https: cannot load from http:. Write https:// if the server supports it.'
  if (/^www\./i.test(address))
    return `Without https:// this is a page of your own site. Write https://${address.split('/')[0]}/….`
  if (/^file:|^[a-z]:\\/i.test(address))
    return 'A page cannot read files of a computer. Put the file on your website, and write its address.'
  return undefined
}
