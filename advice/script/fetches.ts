import type {
  AnyNode,
  CallExpression,
  Identifier,
  ImportExpression,
  MemberExpression,
  ObjectExpression,
  Property,
  VariableDeclarator,
} from 'acorn'
import {isRelativeAddress} from '../../schemas/rules/script.ts'
import type {Advice, Edit} from '../advice.ts'
import {
  adviseNode,
  endOf,
  insertion,
  isIdentifier,
  keyOf,
  memberOf,
  offsetOf,
  replacement,
  textOf,
  wrapped,
} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'
import {isUncalledReader, RESPONSE_MEMBERS, resultOf, type Value} from './values.ts'

/** Advice on a request. */
export function adviseRequest(node: CallExpression, facts: ScriptFacts): Advice[] {
  const [address, options] = node.arguments
  if (!facts.isGlobalCall(node, 'fetch') || address === undefined) return []
  const signal = adviseSignal(node, address)
  return [
    ...adviseAddress(address, facts),
    ...(signal === undefined ? [] : [signal]),
    ...(options?.type === 'ObjectExpression' ? adviseBody(options, facts) : []),
  ]
}

function adviseSignal(node: CallExpression, address: AnyNode): Advice | undefined {
  const [, options] = node.arguments
  const isAlone = isIdentifier(options, 'signal')
  const mayHaveSignal =
    options !== undefined &&
    (options.type !== 'ObjectExpression' ||
      options.properties.some((part) => part.type === 'SpreadElement' || keyOf(part.key) === 'signal'))
  if (mayHaveSignal && !isAlone) return undefined
  const message =
    'Pass “signal” to fetch, so that the request ends when the agent cancels the call: fetch(…, {signal}).'
  const fix = {title: 'Pass signal', edits: [signalEdit(address, options)]}
  return adviseNode('FETCH_WITHOUT_SIGNAL', node, message, fix)
}

function signalEdit(address: AnyNode, options: AnyNode | undefined): Edit {
  if (options === undefined) return insertion(endOf(address), ', {signal}')
  if (options.type !== 'ObjectExpression') return replacement(options, '{signal}')
  return insertion(offsetOf(options) + 1, options.properties.length === 0 ? 'signal' : 'signal, ')
}

/** Advice on the body of a request: text, and not with GET. */
function adviseBody(options: ObjectExpression, facts: ScriptFacts): Advice[] {
  if (options.properties.some(({type}) => type === 'SpreadElement')) return []
  const part = partOf(options, 'body')
  const body = part?.value
  if (part === undefined || body === undefined || isIdentifier(body, 'undefined')) return []
  const advice: Advice[] = []
  const written = facts.initialValue(body) ?? body
  if (
    isIdentifier(written, 'args') ||
    written.type === 'ObjectExpression' ||
    written.type === 'ArrayExpression'
  ) {
    const message =
      'This sends “[object Object]”, because a body must be text. Write body: JSON.stringify(…), with the header Content-Type: application/json.'
    const key = part.shorthand ? 'body: ' : ''
    const fix = {title: 'Send it as JSON', edits: wrapped(body, `${key}JSON.stringify(`, ')')}
    advice.push(adviseNode('BODY_NOT_TEXT', body, message, fix))
  }
  const method = partOf(options, 'method')?.value
  if (method === undefined || /^(?:get|head)$/i.test(textOf(method) ?? '')) {
    const message =
      "This call always fails, because a GET request has no body. Add method: 'POST', or put the values into the address."
    const edit =
      method === undefined
        ? insertion(offsetOf(options) + 1, "method: 'POST', ")
        : replacement(method, "'POST'")
    advice.push(adviseNode('GET_WITH_BODY', body, message, {title: 'Send it with POST', edits: [edit]}))
  }
  return advice
}

function partOf({properties}: ObjectExpression, name: string): Property | undefined {
  return properties
    .filter((part) => part.type === 'Property')
    .find(({computed, key}) => !computed && keyOf(key) === name)
}

/** Advice on `import()` of an address in a variable. The rule refuses others (schemas/rules/script.ts). */
export function adviseImport(node: ImportExpression, facts: ScriptFacts): Advice | undefined {
  const address = facts.initialValue(node.source)
  if (address === undefined || !isRelativeAddress(textOf(leftmost(address)) ?? '')) return undefined
  const message =
    'Browsers look for this file on the server of the snippet, not on your website. Write import(new URL(…, document.baseURI)).'
  return adviseNode('ADDRESS_WRONG', node, message)
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
  const [host] = TEST_HOST.exec(text) ?? []
  if (host !== undefined) {
    const message = testHostMessage(host)
    const edits = [{start: offset + 1, end: offset + 1 + host.length, text: ''}]
    return [adviseNode('HOST_FOR_TESTS', start, message, {title: 'Use the path alone', edits})]
  }
  const remark = addressRemark(text)
  return remark === undefined ? [] : [adviseNode('ADDRESS_WRONG', start, remark)]
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

/** Advice on reading a member of what `fetch` returns. */
export function adviseMember(node: MemberExpression, facts: ScriptFacts): Advice | undefined {
  const value = resultOf(node.object, facts)
  const member = memberOf(node)
  if (value === undefined || member === undefined) return undefined
  if (value !== 'response') return PROMISE_MEMBERS.has(member) ? undefined : missingAwait(node, value)
  if (isUncalledReader(node, facts.parentOf(node))) {
    const message = `Parentheses are missing: write ${member}(), as in await response.${member}().`
    const fix = {title: `Write ${member}()`, edits: [insertion(endOf(node), '()')]}
    return adviseNode('RESPONSE_UNREAD', node.property, message, fix)
  }
  return RESPONSE_MEMBERS.has(member) ? undefined : unread(member, node.property)
}

/** Advice on `const {title} = await fetch(…)`. */
export function adviseDestructured({id, init}: VariableDeclarator, facts: ScriptFacts): Advice | undefined {
  if (id.type !== 'ObjectPattern' || !init) return undefined
  const value = resultOf(init, facts)
  if (value !== 'response') return value && missingAwait(init, value)
  const [foreign] = id.properties.flatMap((part) => {
    const name = part.type === 'Property' ? keyOf(part.key) : undefined
    return name === undefined || RESPONSE_MEMBERS.has(name) ? [] : [{name, part}]
  })
  return foreign && unread(foreign.name, foreign.part)
}

/** Advice on a promise as a part of an object or of a text. */
export function adviseInserted(node: CallExpression | Identifier, facts: ScriptFacts): Advice | undefined {
  const parent = facts.parentOf(node)
  const isInside =
    (parent?.type === 'Property' && parent.value === node) ||
    parent?.type === 'TemplateLiteral' ||
    parent?.type === 'SpreadElement'
  const value = isInside ? resultOf(node, facts) : undefined
  return value === undefined || value === 'response' ? undefined : missingAwait(node, value)
}

const PROMISE_MEMBERS: ReadonlySet<string> = new Set(['then', 'catch', 'finally'])

function missingAwait(node: AnyNode, value: Value): Advice {
  const before =
    value === 'promise of a response' ? 'fetch(…)' : 'response.json() and others that read the response'
  const message = `“await” is missing: without it, the script goes on before there is a result. Write it before ${before}.`
  return adviseNode('AWAIT_MISSING', node, message)
}

function unread(member: string, node: AnyNode): Advice {
  const message = `What fetch returns has no “${member}”. Read the response first: const data = await response.json(), then data.${member}.`
  return adviseNode('RESPONSE_UNREAD', node, message)
}
