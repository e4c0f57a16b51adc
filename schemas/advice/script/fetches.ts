import type {AnyNode, CallExpression} from 'acorn'
import {isRelativeAddress} from '../../rules/script.ts'
import {type Advice, advise} from '../advice.ts'
import type {NodeRule} from './nodeRules.ts'
import {isGlobalCall, keyOf, memberOf, methodOf, offsetOf, type ScriptFacts, textOf} from './program.ts'
import {isUncalledReader, RESPONSE_MEMBERS, resultOf, type Value} from './values.ts'
import type {Found} from './walk.ts'

const FIELD = 'executeJs'

/** Advice on requests and on what the script does with their responses. */
export const FETCH_RULE: NodeRule = {
  types: ['CallExpression', 'Identifier', 'MemberExpression', 'VariableDeclarator'],
  advise: (found, facts) => {
    const {node} = found
    const response = adviseResponse(found, facts)
    if (node.type !== 'CallExpression' || !isGlobalCall(node, 'fetch', facts)) return response
    return [...adviseRequest(node), ...(response === undefined ? [] : [response])]
  },
}

function adviseRequest(node: CallExpression): Advice[] {
  const [address, options] = node.arguments
  const advice = address === undefined ? [] : adviseAddress(address)
  const mayHaveSignal =
    options !== undefined &&
    (options.type !== 'ObjectExpression' ||
      options.properties.some((part) => part.type === 'SpreadElement' || keyOf(part.key) === 'signal'))
  if (mayHaveSignal) return advice
  const message =
    'Pass “signal” to fetch, so that the request ends when the agent cancels the call: fetch(…, {signal}).'
  return [...advice, advise('FETCH_WITHOUT_SIGNAL', FIELD, message, {offset: offsetOf(node)})]
}

/** Advice on `import()` of an address in a variable. The rule refuses others (schemas/rules/script.ts). */
export const IMPORT_RULE: NodeRule = {
  types: ['ImportExpression'],
  advise: ({node}, facts) => {
    if (node.type !== 'ImportExpression') return []
    const address = facts.initialValue(node.source)
    const start = address?.type === 'BinaryExpression' ? leftmost(address) : address
    if (start === undefined || !isRelativeAddress(textOf(start) ?? '')) return []
    const message =
      'Browsers look for this file on the server of the snippet, not on your website. Write import(new URL(…, document.baseURI)).'
    return [advise('ADDRESS_WRONG', FIELD, message, {offset: offsetOf(node)})]
  },
}

function adviseAddress(node: AnyNode): Advice[] {
  const start = node.type === 'BinaryExpression' ? leftmost(node) : node
  const text = textOf(start)
  const remark = text === undefined ? undefined : remarkOn(text)
  return remark === undefined ? [] : [advise('ADDRESS_WRONG', FIELD, remark, {offset: offsetOf(start)})]
}

function leftmost(node: AnyNode): AnyNode {
  return node.type === 'BinaryExpression' ? leftmost(node.left) : node
}

function remarkOn(address: string): string | undefined {
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

/** Whether a script sends data in a way that usually changes something. */
export function sendsData(node: AnyNode): boolean {
  if (node.type !== 'CallExpression') return false
  if (methodOf(node) === 'sendBeacon') return true
  const [, options] = node.arguments
  if (
    node.callee.type !== 'Identifier' ||
    node.callee.name !== 'fetch' ||
    options?.type !== 'ObjectExpression'
  )
    return false
  return options.properties.some(
    (part) =>
      part.type === 'Property' &&
      keyOf(part.key) === 'method' &&
      part.value.type === 'Literal' &&
      /^(?:post|put|patch|delete)$/i.test(String(part.value.value)),
  )
}

function adviseResponse({node, parent: around}: Found, facts: ScriptFacts): Advice | undefined {
  const parent = around?.node
  if (node.type === 'MemberExpression') {
    const value = resultOf(node.object, facts)
    const member = memberOf(node)
    if (value === undefined || member === undefined) return undefined
    if (value !== 'response') return PROMISE_MEMBERS.has(member) ? undefined : missingAwait(node, value)
    if (isUncalledReader(node, parent)) {
      const message = `Parentheses are missing: write ${member}(), as in await response.${member}().`
      return advise('RESPONSE_UNREAD', FIELD, message, {offset: offsetOf(node.property)})
    }
    return RESPONSE_MEMBERS.has(member) ? undefined : unread(member, node.property)
  }
  if (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern' && node.init) {
    const value = resultOf(node.init, facts)
    if (value === undefined) return undefined
    if (value !== 'response') return missingAwait(node.init, value)
    const [foreign] = node.id.properties.flatMap((part) => {
      const name = part.type === 'Property' ? keyOf(part.key) : undefined
      return name === undefined || RESPONSE_MEMBERS.has(name) ? [] : [{name, part}]
    })
    return foreign === undefined ? undefined : unread(foreign.name, foreign.part)
  }
  const isInside =
    (parent?.type === 'Property' && parent.value === node) ||
    parent?.type === 'TemplateLiteral' ||
    parent?.type === 'SpreadElement'
  if (!isInside || (node.type !== 'CallExpression' && node.type !== 'Identifier')) return undefined
  const value = resultOf(node, facts)
  return value === 'promise of a body' || value === 'promise of a response'
    ? missingAwait(node, value)
    : undefined
}

const PROMISE_MEMBERS: ReadonlySet<string> = new Set(['then', 'catch', 'finally'])

function missingAwait(node: AnyNode, value: Value): Advice {
  const before =
    value === 'promise of a response' ? 'fetch(…)' : 'response.json() and others that read the response'
  const message = `“await” is missing: without it, the script goes on before there is a result. Write it before ${before}.`
  return advise('AWAIT_MISSING', FIELD, message, {offset: offsetOf(node)})
}

function unread(member: string, node: AnyNode): Advice {
  const message = `What fetch returns has no “${member}”. Read the response first: const data = await response.json(), then data.${member}.`
  return advise('RESPONSE_UNREAD', FIELD, message, {offset: offsetOf(node)})
}
