import type {AnyNode, CallExpression, SequenceExpression, ThrowStatement} from 'acorn'
import {type Advice, advise} from '../advice.ts'
import {adviseAssignment} from './callbacks.ts'
import {
  adviseNode,
  endOf,
  isIdentifier,
  methodOf,
  type NodeOf,
  objectOf,
  offsetOf,
  wrapped,
} from './tree/nodes.ts'
import type {ScriptFacts, Undeclared} from './tree/program.ts'

/** Advice on a condition that assigns. */
export function adviseCondition({
  test,
}: NodeOf<'IfStatement' | 'WhileStatement' | 'ConditionalExpression'>): Advice | undefined {
  // `while (node = next())` is a known idiom.
  const isIdiom = test.type === 'AssignmentExpression' && test.right.type === 'CallExpression'
  return isIdiom ? undefined : adviseAssignment(test)
}

export function adviseSequence({expressions}: SequenceExpression): Advice | undefined {
  return adviseDecimal(expressions)
}

/** Functions that take one number. */
const OF_ONE_NUMBER: ReadonlySet<string> = new Set(['abs', 'ceil', 'floor', 'round', 'sqrt', 'trunc'])

export function adviseRounded(node: CallExpression): Advice | undefined {
  const isOfOne = isIdentifier(objectOf(node), 'Math') && OF_ONE_NUMBER.has(methodOf(node) ?? '')
  return isOfOne ? adviseDecimal(node.arguments) : undefined
}

/** A comma between the digits of a number: `3,50` is two numbers. */
function adviseDecimal(parts: readonly AnyNode[]): Advice | undefined {
  const [before, after] = parts.slice(-2)
  if (before === undefined || after === undefined || !isNumber(after) || after.start !== before.end + 1)
    return undefined
  const number = before.type === 'BinaryExpression' ? before.right : before
  if (!isNumber(number)) return undefined
  const message = `A comma separates two values here. Write the number with a point: ${number.raw}.${after.raw}.`
  const point = {start: endOf(number), end: offsetOf(after), text: '.'}
  const fix = {title: `Write ${number.raw}.${after.raw}`, edits: [point]}
  return adviseNode('DECIMAL_COMMA', number, message, fix)
}

function isNumber(node: AnyNode): node is AnyNode & {readonly type: 'Literal'; readonly raw: string} {
  return node.type === 'Literal' && typeof node.value === 'number'
}

export function adviseThrow(node: ThrowStatement): Advice | undefined {
  if (!isNoError(node.argument)) return undefined
  const message =
    'Throw an Error, so that agents get its message, and the browser’s console shows where it came from: throw new Error(…).'
  const {argument} = node
  const isText =
    argument.type === 'TemplateLiteral' || (argument.type === 'Literal' && typeof argument.value === 'string')
  const fix = {title: 'Throw an Error', edits: wrapped(argument, 'new Error(', ')')}
  return adviseNode('THROW_WITHOUT_ERROR', node, message, isText ? fix : undefined)
}

/** Whether a thrown value is certainly something else than an error. */
function isNoError(node: AnyNode): boolean {
  if (node.type === 'Identifier') return node.name === 'undefined'
  return ['Literal', 'TemplateLiteral', 'ObjectExpression', 'ArrayExpression'].includes(node.type)
}

/** Names under which scripts of other systems find their arguments. */
const ARGUMENT_NAMES: ReadonlySet<string> = new Set(
  'arguments argument arg input inputs parameters params props req request'.split(' '),
)

/** Advice on variables that neither the script nor the browser declares. */
export function adviseUndeclared(facts: ScriptFacts): Advice[] {
  return facts.undeclared().map((variable) => {
    const message = `“${variable.name}” is not declared in this script. ${remedyFor(variable)}`
    return advise('VARIABLE_UNDECLARED', 'executeJs', message, {offset: variable.offset})
  })
}

function remedyFor({name, isAssigned}: Undeclared): string {
  if (name === '$' || name === 'jQuery') {
    return `If your page has jQuery, write window.${name}; else use document.querySelector(…).`
  }
  if (name === 'require' || name === 'process')
    return 'It exists in Node.js only, and a script runs on the page.'
  if (ARGUMENT_NAMES.has(name))
    return 'The arguments are in “args”: write args.city for the parameter “city”.'
  if (isAssigned) return `Declare it where it gets its first value: let ${name} = ….`
  return `If it is a parameter, write args.${name}. If your page defines it, write window.${name}.`
}
