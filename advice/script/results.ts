import type {AnyNode, ArrowFunctionExpression, ReturnStatement} from 'acorn'
import {type Advice, advise, type Fix} from '../advice.ts'
import {
  adviseNode,
  isFunction,
  isIdentifier,
  memberOf,
  methodOf,
  objectOf,
  offsetOf,
  textOf,
} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'

/** Advice on how a script ends: with a result for the agent. */
export function adviseEnd(facts: ScriptFacts): Advice[] {
  const {body, outer} = facts
  const [only, another] = body
  if (only !== undefined && another === undefined && isUncalledFunction(only)) {
    const message =
      'The script only defines a function and never calls it. Write what the function does without “function … { }” around it.'
    return [adviseNode('FUNCTION_UNCALLED', only, message)]
  }
  const last = body.at(-1)
  const offset = last === undefined ? 0 : offsetOf(last)
  const returns = facts.returnsOf(outer)
  if (!canComplete(body, facts)) return []
  if (returns.length === 0) {
    const message =
      'The script returns nothing, so the agent learns nothing. End it with “return” and a result.'
    return [advise('RETURN_MISSING', 'executeJs', message, {offset})]
  }
  if (!returns.some(({argument}) => argument)) return []
  const message =
    'In some cases the script ends without “return”, and the agent learns nothing. End it with “return” and a result for those cases.'
  return [advise('RETURN_SOMETIMES', 'executeJs', message, {offset})]
}

function isUncalledFunction(statement: AnyNode): boolean {
  return (
    statement.type === 'FunctionDeclaration' ||
    (statement.type === 'ExpressionStatement' && isFunction(statement.expression))
  )
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
  if (what === undefined) return adviseLeak(node.argument, facts)
  const remedy =
    what === 'a response of fetch'
      ? 'Return what it contains: return response.json().'
      : 'Return text, numbers, lists or plain objects instead.'
  const message = `The script returns ${what}, which cannot be sent to an agent. ${remedy}`
  return adviseNode('RESULT_NOT_JSON', node.argument, message)
}

/** Names under which pages store what only the visitor should have. */
const PRIVATE_KEY = /sess|token|auth|jwt|secret|passw|csrf|credential|api[_-]?key|^sid$/i

/** Advice on results that give agents what the page stores about the visitor. */
function adviseLeak(node: AnyNode, facts: ScriptFacts): Advice | undefined {
  const found = storedIn(node, facts)
  if (found === undefined) return undefined
  const message = `The result contains ${found}, and agents pass on what they read. Return only what the agent needs, such as whether the visitor is signed in.`
  return adviseNode('RESULT_PRIVATE', node, message)
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
  const object = objectOf(node)
  if (memberOf(node) === 'cookie')
    return isIdentifier(object, 'document') ? 'all cookies of the page' : undefined
  const isRead = node.type === 'CallExpression' && methodOf(node) === 'getItem'
  const key = isRead ? textOf(node.arguments[0]) : memberOf(node)
  if (object === undefined || !isStorage(object, facts) || !PRIVATE_KEY.test(key ?? '')) return undefined
  return `“${key}” from the page’s storage`
}

function isStorage(node: AnyNode, facts: ScriptFacts): boolean {
  return isIdentifier(node, 'localStorage', 'sessionStorage') && facts.isGlobal(node)
}

/** Advice on an error that is returned: it becomes `{}`, and the call seems to have succeeded. */
export function adviseReturnedError(node: ReturnStatement, facts: ScriptFacts): Advice | undefined {
  const {argument} = node
  if (!argument || !containsError(argument, node, facts)) return undefined
  const edit = {start: offsetOf(node), end: offsetOf(node) + 'return'.length, text: 'throw'}
  const isWhole = isError(argument, node, facts)
  return errorReturned(node, isWhole ? {title: 'Throw the error', edits: [edit]} : undefined)
}

/** Advice on `.catch((error) => error)`. */
export function adviseCaughtError(node: ArrowFunctionExpression, facts: ScriptFacts): Advice | undefined {
  const isReturned = isCatchCallback(node, facts) && containsError(node.body, node, facts)
  return isReturned ? errorReturned(node) : undefined
}

function errorReturned(node: AnyNode, fix?: Fix): Advice {
  const message =
    'An error that is returned becomes {}, and the agent is told that the call succeeded. Throw it instead: throw error.'
  return adviseNode('ERROR_RETURNED', node, message, fix)
}

function isCatchCallback(node: AnyNode, facts: ScriptFacts): boolean {
  const parent = facts.parentOf(node)
  return parent !== undefined && methodOf(parent) === 'catch'
}

function containsError(result: AnyNode, around: AnyNode, facts: ScriptFacts): boolean {
  return [result, ...partsOf(result)].some((part) => isError(part, around, facts))
}

/** Whether a result is an error that was caught around it, or a new one. */
function isError(result: AnyNode, inner: AnyNode, facts: ScriptFacts): boolean {
  if (result.type === 'NewExpression')
    return result.callee.type === 'Identifier' && /Error$/.test(result.callee.name)
  if (result.type !== 'Identifier') return false
  for (let node: AnyNode | undefined = inner; node !== undefined; node = facts.parentOf(node)) {
    const [name] =
      node.type === 'CatchClause'
        ? [node.param]
        : isFunction(node) && isCatchCallback(node, facts)
          ? node.params
          : []
    if (isIdentifier(name, result.name)) return true
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

/** Whether the end of a list of statements can be reached. */
function canComplete(statements: readonly AnyNode[], facts: ScriptFacts): boolean {
  return statements.every((statement) => completes(statement, facts))
}

function completes(node: AnyNode, facts: ScriptFacts): boolean {
  switch (node.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
      return false
    case 'BlockStatement':
      return canComplete(node.body, facts)
    case 'IfStatement':
      return !node.alternate || completes(node.consequent, facts) || completes(node.alternate, facts)
    case 'TryStatement':
      if (node.finalizer && !completes(node.finalizer, facts)) return false
      return completes(node.block, facts) || (node.handler ? completes(node.handler.body, facts) : false)
    case 'SwitchStatement':
      return (
        !node.cases.some(({test}) => !test) ||
        canComplete(node.cases.at(-1)?.consequent ?? [], facts) ||
        facts.within(node, 'BreakStatement').length > 0
      )
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
      return !isAlways(node.test) || facts.within(node.body, 'BreakStatement').length > 0
    default:
      return true
  }
}

function isAlways(test: AnyNode | null | undefined): boolean {
  return !test || (test.type === 'Literal' && Boolean(test.value))
}
