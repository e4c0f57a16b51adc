import type {AnyNode, BlockStatement, CallExpression} from 'acorn'
import type {Advice} from '../advice.ts'
import {adviseNode, endOf, isFunction, methodOf, type NodeOf, offsetOf, wrapped} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'

/** Methods of lists that ask their callback a question. */
const TESTS: ReadonlySet<string> = new Set([
  ...['filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'some', 'every'],
])
/** Methods of lists that use what their callback returns. */
const USED: ReadonlySet<string> = new Set([...TESTS, 'map', 'flatMap', 'reduce', 'sort', 'toSorted'])

type Callback = NodeOf<'ArrowFunctionExpression' | 'FunctionExpression'>

function callbackOf({arguments: [callback]}: CallExpression): Callback | undefined {
  if (callback === undefined || callback.type === 'SpreadElement' || !isFunction(callback)) return undefined
  return callback.async || callback.generator ? undefined : callback
}

/** What a callback returns: the expression after the arrow, or those after each `return`. */
function resultsOf(callback: Callback, facts: ScriptFacts): AnyNode[] {
  if (callback.body.type !== 'BlockStatement') return [callback.body]
  return facts.returnsOf(callback).map((node) => node.argument ?? node)
}

/** `{…}` after an arrow is a block, not an object. */
export function adviseMissingResult(node: CallExpression, facts: ScriptFacts): Advice | undefined {
  const method = methodOf(node) ?? ''
  // A statement such as `rows.map((row) => { row.remove() });` does not use the result.
  if (!USED.has(method) || facts.parentOf(node)?.type === 'ExpressionStatement') return undefined
  const callback = callbackOf(node)
  if (callback === undefined || callback.body.type !== 'BlockStatement') return undefined
  if (resultsOf(callback, facts).length > 0 || callback.body.body.at(-1)?.type === 'ThrowStatement')
    return undefined
  const message = `The function in “${method}” returns nothing, so its result is a list of nothing. Write “return” in it, or for an object parentheses around the braces: (row) => ({title: row.title}).`
  const fix = readsAsObject(callback.body)
    ? {title: 'Return the object', edits: wrapped(callback.body, '(', ')')}
    : undefined
  return adviseNode('CALLBACK_WITHOUT_RESULT', callback.body, message, fix)
}

/** Whether a block reads the same as an object: `{title: row.title}` or `{title, date}`. */
function readsAsObject({body: [only, another]}: BlockStatement): boolean {
  if (another !== undefined) return false
  const isMember = only?.type === 'LabeledStatement' && only.body.type === 'ExpressionStatement'
  const parts =
    only?.type !== 'ExpressionStatement'
      ? []
      : only.expression.type === 'SequenceExpression'
        ? only.expression.expressions
        : [only.expression]
  const areNames = parts.length > 0 && parts.every(({type}) => type === 'Identifier')
  return isMember || areNames
}

/** Advice on a callback that assigns where it should compare. */
export function adviseAssignedResult(node: CallExpression, facts: ScriptFacts): Advice | undefined {
  const callback = TESTS.has(methodOf(node) ?? '') ? callbackOf(node) : undefined
  if (callback === undefined) return undefined
  return resultsOf(callback, facts).flatMap((result) => adviseAssignment(result) ?? [])[0]
}

/** Advice on a callback that compares where it should return a number. */
export function adviseSort(node: CallExpression, facts: ScriptFacts): Advice | undefined {
  const callback = /^(?:sort|toSorted)$/.test(methodOf(node) ?? '') ? callbackOf(node) : undefined
  if (callback === undefined) return undefined
  const comparison = resultsOf(callback, facts).find(
    (result) => result.type === 'BinaryExpression' && /^[<>]=?$/.test(result.operator),
  )
  if (comparison === undefined) return undefined
  const message =
    'Sorting needs a number, not yes or no, and leaves the list as it is. Write a - b for numbers, and a.localeCompare(b) for texts.'
  return adviseNode('SORT_BY_BOOLEAN', comparison, message)
}

/** Advice on `=` where `===` is meant. */
export function adviseAssignment(node: AnyNode): Advice | undefined {
  if (node.type !== 'AssignmentExpression' || node.operator !== '=') return undefined
  const message = 'One “=” changes the value instead of comparing it. Write “===” to compare.'
  const edit = {start: endOf(node.left), end: offsetOf(node.right), text: ' === '}
  return adviseNode('ASSIGNMENT_IN_CONDITION', node, message, {title: 'Compare with ===', edits: [edit]})
}
