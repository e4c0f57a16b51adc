import type {AnyNode} from 'acorn'
import {type Advice, advise, type Place} from '../advice.ts'
import {canComplete} from './flow.ts'
import type {NodeRule} from './nodeRules.ts'
import {endOf, isGlobalCall, memberOf, methodOf, offsetOf, type ScriptFacts, textOf} from './tree/program.ts'
import {type Found, isFunction} from './tree/walk.ts'
import {resultOf} from './values.ts'

const FIELD = 'executeJs'

/** Advice on what a script returns to the agent. */
export function adviseResult(facts: ScriptFacts): Advice[] {
  const {body, returns} = facts
  const [only, another] = body
  if (only !== undefined && another === undefined && isUncalledFunction(only)) {
    const message =
      'The script only defines a function and never calls it. Write what the function does without “function … { }” around it.'
    return [advise('FUNCTION_UNCALLED', FIELD, message, {offset: offsetOf(only)})]
  }
  const last = body.at(-1)
  const offset = last === undefined ? 0 : offsetOf(last)
  if (returns.length === 0) {
    if (!canComplete(body)) return []
    const message =
      'The script returns nothing, so the agent learns nothing. End it with “return” and a result.'
    return [advise('RETURN_MISSING', FIELD, message, {offset})]
  }
  const advice = returns.flatMap((found) => adviseReturn(found, facts))
  if (canComplete(body) && returns.some(({node}) => node.argument)) {
    const message =
      'In some cases the script ends without “return”, and the agent learns nothing. End it with “return” and a result for those cases.'
    advice.push(advise('RETURN_SOMETIMES', FIELD, message, {offset}))
  }
  return advice
}

function isUncalledFunction(statement: AnyNode): boolean {
  return (
    statement.type === 'FunctionDeclaration' ||
    (statement.type === 'ExpressionStatement' && isFunction(statement.expression))
  )
}

function adviseReturn({node, parent}: ScriptFacts['returns'][number], facts: ScriptFacts): Advice[] {
  if (!node.argument) {
    const siblings = parent?.node.type === 'BlockStatement' ? parent.node.body : facts.body
    const after = siblings.find(({start}) => start >= node.end)
    const message =
      after === undefined
        ? "This “return” has no result, so the agent learns nothing. Say what happened, as in return 'Done'."
        : 'The script ends at this “return”, because the result is not on the same line. Put both on one line.'
    return [advise('RETURN_EMPTY', FIELD, message, {offset: offsetOf(node)})]
  }
  const what = unusable(node.argument, facts)
  if (what === undefined) return adviseLeak(node.argument, facts)
  const remedy =
    what === 'a response of fetch'
      ? 'Return what it contains: return response.json().'
      : 'Return text, numbers, lists or plain objects instead.'
  const message = `The script returns ${what}, which cannot be sent to an agent. ${remedy}`
  const fix = what === 'an element' ? textFix(node.argument) : {}
  return [advise('RESULT_NOT_JSON', FIELD, message, {offset: offsetOf(node.argument), ...fix})]
}

/** Returns the text of an element that a call finds, or the rows of a table. */
function textFix(node: AnyNode): Place {
  if (node.type !== 'CallExpression') return {}
  const [start, end] = [offsetOf(node), endOf(node)]
  const [selector] = node.arguments
  if (selector === undefined || !TABLE.test(textOf(selector) ?? ''))
    return {fix: {title: 'Return its text', edits: [{start: end, end, text: '?.textContent'}]}}
  const rows = '?.rows ?? [], (row) => Array.from(row.cells, (cell) => cell.textContent.trim()))'
  const edits = [
    {start, end: start, text: 'Array.from('},
    {start: end, end, text: rows},
  ]
  return {fix: {title: 'Return the rows of the table', edits}}
}

/** A selector whose last part is a table. */
const TABLE = /(?:^|[\s>+~])table(?:[.#:[][^\s>+~]*)?$/

/** Names under which pages store what only the visitor should have. */
const PRIVATE_KEY = /sess|token|auth|jwt|secret|passw|csrf|credential|api[_-]?key|^sid$/i

/** Advice on results that give agents what the page stores about the visitor. */
function adviseLeak(node: AnyNode, facts: ScriptFacts): Advice[] {
  const found = storedIn(node, facts)
  if (found === undefined) return []
  const message = `The result contains ${found}, and agents pass on what they read. Return only what the agent needs, such as whether the visitor is signed in.`
  return [advise('RESULT_PRIVATE', FIELD, message, {offset: offsetOf(node)})]
}

function storedIn(node: AnyNode, facts: ScriptFacts): string | undefined {
  for (const part of [...partsOf(node), ...textsOf(node)]) {
    const found = storedIn(part, facts)
    if (found !== undefined) return found
  }
  if (node.type === 'Identifier') {
    const initial = facts.initialValue(node)
    if (initial !== undefined) return storedIn(initial, facts)
    return isStorage(node, facts) ? `all that the page keeps in “${node.name}”` : undefined
  }
  if (memberOf(node) === 'cookie' && node.type === 'MemberExpression') {
    const {object} = node
    return object.type === 'Identifier' && object.name === 'document' ? 'all cookies of the page' : undefined
  }
  const read =
    methodOf(node) === 'getItem' && node.type === 'CallExpression' && node.callee.type === 'MemberExpression'
      ? {storage: node.callee.object, key: node.arguments[0] && textOf(node.arguments[0])}
      : node.type === 'MemberExpression'
        ? {storage: node.object, key: memberOf(node)}
        : undefined
  if (read === undefined || !isStorage(read.storage, facts) || !PRIVATE_KEY.test(read.key ?? ''))
    return undefined
  return `“${read.key}” from the page’s storage`
}

function isStorage(node: AnyNode, facts: ScriptFacts): boolean {
  return (
    node.type === 'Identifier' &&
    (node.name === 'localStorage' || node.name === 'sessionStorage') &&
    facts.isGlobal(node)
  )
}

/** Advice on an error that is returned: it becomes `{}`, and the call seems to have succeeded. */
export const ERROR_RULE: NodeRule = {
  types: ['ReturnStatement', 'ArrowFunctionExpression'],
  advise: (found) => {
    const {node} = found
    const result =
      node.type === 'ReturnStatement'
        ? node.argument
        : node.type === 'ArrowFunctionExpression' && isCatchCallback(found)
          ? node.body
          : undefined
    if (!result || ![result, ...partsOf(result)].some((part) => isError(part, found))) return undefined
    const message =
      'An error that is returned becomes {}, and the agent is told that the call succeeded. Throw it instead: throw error.'
    const edit = {start: offsetOf(node), end: offsetOf(node) + 'return'.length, text: 'throw'}
    const isWhole = node.type === 'ReturnStatement' && isError(result, found)
    const fix = isWhole ? {fix: {title: 'Throw the error', edits: [edit]}} : {}
    return advise('ERROR_RETURNED', FIELD, message, {offset: offsetOf(node), ...fix})
  },
}

function isCatchCallback({node, parent}: Found): boolean {
  return parent !== undefined && methodOf(parent.node) === 'catch' && node !== parent.node
}

/** Whether a result is an error that was caught around it, or a new one. */
function isError(result: AnyNode, found: Found): boolean {
  if (result.type === 'NewExpression')
    return result.callee.type === 'Identifier' && /Error$/.test(result.callee.name)
  if (result.type !== 'Identifier') return false
  for (let around: Found | undefined = found; around !== undefined; around = around.parent) {
    const {node} = around
    const name =
      node.type === 'CatchClause'
        ? node.param
        : isFunction(node) && isCatchCallback(around)
          ? node.params[0]
          : undefined
    if (name?.type === 'Identifier' && name.name === result.name) return true
  }
  return false
}

/** Classes whose objects become `{}`. */
const NOT_JSON: ReadonlySet<string> = new Set([
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'FormData', 'Headers', 'URLSearchParams', 'Blob', 'File'],
])

/** The parts of a text that the script puts together. */
function textsOf(node: AnyNode): AnyNode[] {
  if (node.type === 'TemplateLiteral') return node.expressions
  return node.type === 'BinaryExpression' && node.operator === '+' && node.left.type !== 'PrivateIdentifier'
    ? [node.left, node.right]
    : []
}

/** The values in an object or a list that the script writes. */
function partsOf(node: AnyNode): AnyNode[] {
  if (node.type === 'ObjectExpression')
    return node.properties.flatMap((part) => (part.type === 'Property' ? [part.value] : []))
  if (node.type !== 'ArrayExpression') return []
  return node.elements.flatMap((part) => (part === null || part.type === 'SpreadElement' ? [] : [part]))
}

const ELEMENTS: ReadonlySet<string> = new Set([
  'body',
  'head',
  'documentElement',
  'activeElement',
  'currentScript',
])
const COLLECTIONS: ReadonlySet<string> = new Set(['forms', 'images', 'links', 'scripts', 'children'])

/** What a member of the document is, such as `document.body` and `document.forms[0]`. */
function documentPart(node: AnyNode, facts: ScriptFacts): string | undefined {
  if (node.type !== 'MemberExpression') return undefined
  const {object} = node
  if (node.computed && documentPart(object, facts) === 'a list of elements') return 'an element'
  if (object.type !== 'Identifier' || object.name !== 'document' || !facts.isGlobal(object)) return undefined
  const member = memberOf(node) ?? ''
  if (ELEMENTS.has(member)) return 'an element'
  return COLLECTIONS.has(member) ? 'a list of elements' : undefined
}

/** What a returned expression is that JSON cannot represent; undefined if JSON probably can. */
function unusable(node: AnyNode, facts: ScriptFacts): string | undefined {
  if (isFunction(node)) return 'a function'
  const parts = partsOf(node)
  if (parts.length > 0) {
    const [what] = parts.flatMap((part) => unusable(part, facts) ?? [])
    return what === undefined || what.startsWith('a response') ? undefined : `a result that contains ${what}`
  }
  if (node.type === 'Literal' && typeof node.value === 'bigint') return 'a BigInt'
  if (isGlobalCall(node, 'BigInt', facts)) return 'a BigInt'
  const ofDocument = documentPart(node, facts)
  if (ofDocument !== undefined) return ofDocument
  const value = resultOf(node, facts)
  if (value === 'response' || value === 'promise of a response') return 'a response of fetch'
  if (node.type === 'AwaitExpression') return unusable(node.argument, facts)
  if (node.type === 'Identifier') {
    if (['document', 'window', 'globalThis', 'self'].includes(node.name) && facts.isGlobal(node))
      return `“${node.name}”`
    if (containsItself(node.name, facts)) return 'an object that contains itself'
    const initial = facts.initialValue(node)
    return initial === undefined ? undefined : unusable(initial, facts)
  }
  if (node.type === 'NewExpression' && node.callee.type === 'Identifier') {
    return NOT_JSON.has(node.callee.name) ? `a ${node.callee.name}` : undefined
  }
  const method = methodOf(node) ?? ''
  if (['querySelector', 'getElementById', 'closest', 'createElement'].includes(method)) return 'an element'
  if (['querySelectorAll', 'getElementsByClassName', 'getElementsByTagName'].includes(method))
    return 'a list of elements'
  const copied = copiedList(node)
  const original = copied && unusable(copied, facts)
  return original === 'a list of elements' ? original : undefined
}

/** The list of which `[...list]` and `Array.from(list)` are a copy. */
function copiedList(node: AnyNode): AnyNode | undefined {
  if (node.type === 'ArrayExpression') {
    const [only, another] = node.elements
    return only?.type === 'SpreadElement' && another === undefined ? only.argument : undefined
  }
  if (node.type !== 'CallExpression' || methodOf(node) !== 'from') return undefined
  const [only, another] = node.arguments
  return another === undefined ? only : undefined
}

/** Whether the script assigns an object to one of its own members. */
function containsItself(name: string, {nodes}: ScriptFacts): boolean {
  return nodes.some(
    ({node}) =>
      node.type === 'AssignmentExpression' &&
      node.left.type === 'MemberExpression' &&
      node.left.object.type === 'Identifier' &&
      node.left.object.name === name &&
      node.right.type === 'Identifier' &&
      node.right.name === name,
  )
}
