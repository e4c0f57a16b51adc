import type {AnyNode, CallExpression, ObjectExpression} from 'acorn'
import {isRelativeAddress} from '../../rules/script.ts'
import {type Advice, advise, type Edit} from '../advice.ts'
import type {NodeRule} from './nodeRules.ts'
import {
  endOf,
  isGlobalCall,
  keyOf,
  memberOf,
  methodOf,
  offsetOf,
  type ScriptFacts,
  textOf,
} from './tree/program.ts'
import type {Found} from './tree/walk.ts'
import {isUncalledReader, RESPONSE_MEMBERS, resultOf, type Value} from './values.ts'

const FIELD = 'executeJs'

/** Advice on requests and on what the script does with their responses. */
export const FETCH_RULE: NodeRule = {
  types: ['CallExpression', 'Identifier', 'MemberExpression', 'VariableDeclarator'],
  advise: (found, facts) => {
    const {node} = found
    const response = adviseResponse(found, facts)
    if (node.type !== 'CallExpression' || !isGlobalCall(node, 'fetch', facts)) return response
    return [...adviseRequest(node, facts), ...(response === undefined ? [] : [response])]
  },
}

function adviseRequest(node: CallExpression, facts: ScriptFacts): Advice[] {
  const [address, options] = node.arguments
  if (address === undefined) return []
  const signal = adviseSignal(node, address)
  return [
    ...adviseAddress(address, facts),
    ...(signal === undefined ? [] : [signal]),
    ...(options?.type === 'ObjectExpression' ? adviseBody(options, facts) : []),
  ]
}

function adviseSignal(node: CallExpression, address: AnyNode): Advice | undefined {
  const [, options] = node.arguments
  const isAlone = options?.type === 'Identifier' && options.name === 'signal'
  const mayHaveSignal =
    options !== undefined &&
    (options.type !== 'ObjectExpression' ||
      options.properties.some((part) => part.type === 'SpreadElement' || keyOf(part.key) === 'signal'))
  if (mayHaveSignal && !isAlone) return undefined
  const message =
    'Pass “signal” to fetch, so that the request ends when the agent cancels the call: fetch(…, {signal}).'
  return advise('FETCH_WITHOUT_SIGNAL', FIELD, message, {
    offset: offsetOf(node),
    fix: {title: 'Pass signal', edits: [signalEdit(address, options)]},
  })
}

function signalEdit(address: AnyNode, options: AnyNode | undefined): Edit {
  if (options === undefined) return insertion(endOf(address), ', {signal}')
  if (options.type !== 'ObjectExpression')
    return {start: offsetOf(options), end: endOf(options), text: '{signal}'}
  return insertion(offsetOf(options) + 1, options.properties.length === 0 ? 'signal' : 'signal, ')
}

/** Advice on the body of a request: text, and not with GET. */
function adviseBody(options: ObjectExpression, facts: ScriptFacts): Advice[] {
  if (options.properties.some(({type}) => type === 'SpreadElement')) return []
  const body = valueIn(options, 'body')
  if (body === undefined || (body.type === 'Identifier' && body.name === 'undefined')) return []
  const advice: Advice[] = []
  const written = body.type === 'Identifier' ? (facts.initialValue(body) ?? body) : body
  const isArgs = written.type === 'Identifier' && written.name === 'args'
  if (isArgs || written.type === 'ObjectExpression' || written.type === 'ArrayExpression') {
    const message =
      'This sends “[object Object]”, because a body must be text. Write body: JSON.stringify(…), with the header Content-Type: application/json.'
    const value = body.start === valueKeyStart(options) ? 'body: ' : ''
    const edits = [insertion(offsetOf(body), `${value}JSON.stringify(`), insertion(endOf(body), ')')]
    const fix = {title: 'Send it as JSON', edits}
    advice.push(advise('BODY_NOT_TEXT', FIELD, message, {offset: offsetOf(body), fix}))
  }
  const method = valueIn(options, 'method')
  if (method === undefined || /^(?:get|head)$/i.test(textOf(method) ?? '')) {
    const message =
      "This call always fails, because a GET request has no body. Add method: 'POST', or put the values into the address."
    const edit =
      method === undefined
        ? insertion(offsetOf(options) + 1, "method: 'POST', ")
        : {start: offsetOf(method), end: endOf(method), text: "'POST'"}
    const fix = {title: 'Send it with POST', edits: [edit]}
    advice.push(advise('GET_WITH_BODY', FIELD, message, {offset: offsetOf(body), fix}))
  }
  return advice
}

function valueIn(object: ObjectExpression, name: string): AnyNode | undefined {
  for (const part of object.properties) {
    if (part.type === 'Property' && !part.computed && keyOf(part.key) === name) return part.value
  }
  return undefined
}

/** Where the shorthand `{body}` stands, if it does. */
function valueKeyStart(object: ObjectExpression): number | undefined {
  const part = object.properties.find(
    (one) => one.type === 'Property' && one.shorthand && keyOf(one.key) === 'body',
  )
  return part?.start
}

function insertion(at: number, text: string): Edit {
  return {start: at, end: at, text}
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

function adviseAddress(node: AnyNode, facts: ScriptFacts): Advice[] {
  const first = leftmost(node)
  const start = first.type === 'Identifier' ? leftmost(facts.initialValue(first) ?? first) : first
  const text = startOf(start)
  if (text === undefined) return []
  const offset = offsetOf(start)
  if (isOfPage(text)) {
    const path = text.replace(/^(?:\.{1,2}\/)+/, '')
    const message = `Without a slash at its start, this address depends on the page: on /books/1 it is /books/${path}. Write /${path}.`
    const edit = {start: offset + 1, end: offset + 1 + text.length - path.length, text: '/'}
    return [advise('ADDRESS_WRONG', FIELD, message, {offset, fix: {title: `Use /${path}`, edits: [edit]}})]
  }
  const [host] = TEST_HOST.exec(text) ?? []
  if (host !== undefined) {
    const message = testHostMessage(host)
    const edits = [{start: offset + 1, end: offset + 1 + host.length, text: ''}]
    return [advise('HOST_FOR_TESTS', FIELD, message, {offset, fix: {title: 'Use the path alone', edits}})]
  }
  const remark = addressRemark(text)
  return remark === undefined ? [] : [advise('ADDRESS_WRONG', FIELD, remark, {offset})]
}

/** What is wrong with the address of a website that only its makers use; undefined if it is none. */
export function testHostRemark(address: string): string | undefined {
  const [host] = TEST_HOST.exec(address) ?? []
  return host === undefined ? undefined : testHostMessage(host)
}

function testHostMessage(host: string): string {
  return `“${new URL(host).host}” looks like a website for tests, and visitors’ pages may not read it. For an address of this website write only its path, such as /api/events.`
}

/** The start of an address of a website that only its makers use. */
const TEST_HOST =
  /^https:\/\/(?:[\w-]+\.)*(?:[\w-]+-)?(?:staging|stage|test|testing|dev|preview|qa|uat)(?:-[\w-]+)?\.[\w.-]+(?=\/)/i

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
      return advise('RESPONSE_UNREAD', FIELD, message, {
        offset: offsetOf(node.property),
        fix: {title: `Write ${member}()`, edits: [insertion(endOf(node), '()')]},
      })
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
