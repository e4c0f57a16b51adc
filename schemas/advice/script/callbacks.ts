import type {AnyNode, CallExpression} from 'acorn'
import {type Advice, advise, type Edit} from '../advice.ts'
import type {NodeRule} from './nodeRules.ts'
import {endOf, methodOf, offsetOf} from './tree/program.ts'
import {type Found, functionAround, isFunction, walk} from './tree/walk.ts'

const FIELD = 'executeJs'

/** Methods of lists that use what their callback returns. */
const TESTS: ReadonlySet<string> = new Set([
  ...['filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'some', 'every'],
])
const USED: ReadonlySet<string> = new Set([...TESTS, 'map', 'flatMap', 'reduce', 'sort', 'toSorted'])

/** Advice on callbacks of `map`, `filter`, `sort` and the like that return something else than they seem to. */
export const CALLBACK_RULE: NodeRule = {
  types: ['CallExpression'],
  advise: (found) => {
    const {node} = found
    const method = methodOf(node) ?? ''
    if (node.type !== 'CallExpression' || !USED.has(method)) return undefined
    return adviseMissingResult(found, node, method) ?? adviseCompared(node, method)
  },
}

type Callback = Extract<AnyNode, {readonly type: 'ArrowFunctionExpression' | 'FunctionExpression'}>

function callbackOf({arguments: [callback]}: CallExpression): Callback | undefined {
  if (callback === undefined || callback.type === 'SpreadElement' || !isFunction(callback)) return undefined
  return callback.async || callback.generator ? undefined : callback
}

/** What a callback returns: the expression after the arrow, or those after each `return`. */
function resultsOf(callback: Callback): AnyNode[] {
  if (callback.body.type !== 'BlockStatement') return [callback.body]
  const results: AnyNode[] = []
  walk(callback, (found, type) => {
    if (found.node.type !== 'ReturnStatement' || type !== 'ReturnStatement') return
    if (functionAround(found) === callback) results.push(found.node.argument ?? found.node)
  })
  return results
}

/** `{…}` after an arrow is a block, not an object. */
function adviseMissingResult({parent}: Found, node: CallExpression, method: string): Advice | undefined {
  // A statement such as `rows.map((row) => { row.remove() });` does not use the result.
  if (parent?.node.type === 'ExpressionStatement') return undefined
  const callback = callbackOf(node)
  if (callback === undefined || callback.body.type !== 'BlockStatement') return undefined
  if (resultsOf(callback).length > 0 || endsWithThrow(callback.body.body)) return undefined
  const message = `The function in “${method}” returns nothing, so its result is a list of nothing. Write “return” in it, or for an object parentheses around the braces: (row) => ({title: row.title}).`
  const edits = parenthesesAround(callback)
  const fix = edits === undefined ? {} : {fix: {title: 'Return the object', edits}}
  return advise('CALLBACK_WITHOUT_RESULT', FIELD, message, {offset: offsetOf(callback.body), ...fix})
}

function endsWithThrow(statements: readonly AnyNode[]): boolean {
  return statements.at(-1)?.type === 'ThrowStatement'
}

/** The edits that make an object of a block that reads the same as one: `{title: row.title}` or `{title, date}`. */
function parenthesesAround({body}: Callback): Edit[] | undefined {
  if (body.type !== 'BlockStatement' || body.body.length !== 1) return undefined
  const [only] = body.body
  const isMember = only?.type === 'LabeledStatement' && only.body.type === 'ExpressionStatement'
  const parts =
    only?.type !== 'ExpressionStatement'
      ? []
      : only.expression.type === 'SequenceExpression'
        ? only.expression.expressions
        : [only.expression]
  const areNames = parts.length > 0 && parts.every(({type}) => type === 'Identifier')
  if (!isMember && !areNames) return undefined
  const [start, end] = [offsetOf(body), endOf(body)]
  return [
    {start, end: start, text: '('},
    {start: end, end, text: ')'},
  ]
}

/** An assignment where a comparison is meant, and a comparison where a number is needed. */
function adviseCompared(node: CallExpression, method: string): Advice | undefined {
  const callback = callbackOf(node)
  if (callback === undefined) return undefined
  const results = resultsOf(callback)
  if (TESTS.has(method)) {
    const assignment = results.find(
      (result) => result.type === 'AssignmentExpression' && result.operator === '=',
    )
    return assignment === undefined ? undefined : adviseAssignment(assignment)
  }
  if (method !== 'sort' && method !== 'toSorted') return undefined
  const comparison = results.find(
    (result) => result.type === 'BinaryExpression' && /^[<>]=?$/.test(result.operator),
  )
  if (comparison === undefined) return undefined
  const message =
    'Sorting needs a number, not yes or no, and leaves the list as it is. Write a - b for numbers, and a.localeCompare(b) for texts.'
  return advise('SORT_BY_BOOLEAN', FIELD, message, {offset: offsetOf(comparison)})
}

/** Advice on `=` where `===` is meant. */
export function adviseAssignment(node: AnyNode): Advice | undefined {
  if (node.type !== 'AssignmentExpression' || node.operator !== '=') return undefined
  const message = 'One “=” changes the value instead of comparing it. Write “===” to compare.'
  const edit = {start: endOf(node.left), end: offsetOf(node.right), text: ' === '}
  return advise('ASSIGNMENT_IN_CONDITION', FIELD, message, {
    offset: offsetOf(node),
    fix: {title: 'Compare with ===', edits: [edit]},
  })
}
