import type {AnyNode} from 'acorn'
import {type Advice, advise} from '../advice.ts'
import {canComplete} from './flow.ts'
import {isGlobalCall, memberOf, methodOf, offsetOf, type ScriptFacts} from './program.ts'
import {resultOf} from './values.ts'
import {isFunction} from './walk.ts'

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
  if (what === undefined) return []
  const remedy =
    what === 'a response of fetch'
      ? 'Return what it contains: return response.json().'
      : 'Return text, numbers, lists or plain objects instead.'
  const message = `The script returns ${what}, which cannot be sent to an agent. ${remedy}`
  return [advise('RESULT_NOT_JSON', FIELD, message, {offset: offsetOf(node.argument)})]
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
  return undefined
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
