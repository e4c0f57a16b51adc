import type {AnyNode, CallExpression, ThrowStatement} from 'acorn'
import {type Advice, advise} from '../advice.ts'
import {adviseAssignment} from './callbacks.ts'
import type {NodeRule} from './nodeRules.ts'
import {endOf, methodOf, offsetOf, type ScriptFacts} from './tree/program.ts'

const FIELD = 'executeJs'

/** Advice on single expressions that mean something else than they look like. */
export const EXPRESSION_RULE: NodeRule = {
  types: [
    'IfStatement',
    'WhileStatement',
    'ConditionalExpression',
    'SequenceExpression',
    'CallExpression',
    'ThrowStatement',
  ],
  advise: ({node}) => adviseExpression(node),
}

function adviseExpression(node: AnyNode): Advice | undefined {
  switch (node.type) {
    case 'IfStatement':
    case 'WhileStatement':
    case 'ConditionalExpression':
      return adviseCondition(node.test)
    case 'SequenceExpression':
      return adviseDecimal(node.expressions)
    case 'CallExpression':
      return adviseDecimal(argumentsOfOneNumber(node))
    case 'ThrowStatement':
      return adviseThrow(node)
    default:
      return undefined
  }
}

function adviseCondition(test: AnyNode): Advice | undefined {
  // `while (node = next())` is a known idiom.
  const isIdiom = test.type === 'AssignmentExpression' && test.right.type === 'CallExpression'
  return isIdiom ? undefined : adviseAssignment(test)
}

/** Functions that take one number. */
const OF_ONE_NUMBER: ReadonlySet<string> = new Set(['abs', 'ceil', 'floor', 'round', 'sqrt', 'trunc'])

/** A comma between the digits of a number: `3,50` is two numbers. */
function adviseDecimal(parts: readonly AnyNode[]): Advice | undefined {
  const [before, after] = parts.slice(-2)
  if (before === undefined || after === undefined || !isNumber(after) || after.start !== before.end + 1)
    return undefined
  const number = before.type === 'BinaryExpression' ? before.right : before
  if (!isNumber(number)) return undefined
  const message = `A comma separates two values here. Write the number with a point: ${number.raw}.${after.raw}.`
  const point = {start: endOf(number), end: offsetOf(after), text: '.'}
  return advise('DECIMAL_COMMA', FIELD, message, {
    offset: offsetOf(number),
    fix: {title: `Write ${number.raw}.${after.raw}`, edits: [point]},
  })
}

function argumentsOfOneNumber(node: CallExpression): readonly AnyNode[] {
  if (node.callee.type !== 'MemberExpression') return []
  const {object} = node.callee
  const isMath = object.type === 'Identifier' && object.name === 'Math'
  return isMath && OF_ONE_NUMBER.has(methodOf(node) ?? '') ? node.arguments : []
}

function isNumber(node: AnyNode): node is AnyNode & {readonly type: 'Literal'; readonly raw: string} {
  return node.type === 'Literal' && typeof node.value === 'number'
}

function adviseThrow(node: ThrowStatement): Advice | undefined {
  if (!isNoError(node.argument)) return undefined
  const message =
    'Throw an Error, so that agents get its message, and the browser’s console shows where it came from: throw new Error(…).'
  const {argument} = node
  const isText =
    argument.type === 'TemplateLiteral' || (argument.type === 'Literal' && typeof argument.value === 'string')
  const edits = [
    {start: offsetOf(argument), end: offsetOf(argument), text: 'new Error('},
    {start: endOf(argument), end: endOf(argument), text: ')'},
  ]
  const fix = isText ? {fix: {title: 'Throw an Error', edits}} : {}
  return advise('THROW_WITHOUT_ERROR', FIELD, message, {offset: offsetOf(node), ...fix})
}

/** Whether a thrown value is certainly something else than an error. */
function isNoError(node: AnyNode): boolean {
  if (node.type === 'Identifier') return node.name === 'undefined'
  return ['Literal', 'TemplateLiteral', 'ObjectExpression', 'ArrayExpression'].includes(node.type)
}

/** Names under which scripts of other systems find their arguments. */
const ARGUMENT_NAMES: ReadonlySet<string> = new Set([
  'arguments',
  'argument',
  'arg',
  'input',
  'inputs',
  'parameters',
  'params',
  'props',
  'req',
  'request',
])

/** Advice on variables that neither the script nor the browser declares. */
export function adviseUndeclared({undeclared, nodes}: ScriptFacts): Advice[] {
  return Array.from(undeclared, ([name, offset]) =>
    advise(
      'VARIABLE_UNDECLARED',
      FIELD,
      `“${name}” is not declared in this script. ${remedyFor(name, nodes)}`,
      {offset},
    ),
  )
}

function remedyFor(name: string, nodes: ScriptFacts['nodes']): string {
  if (name === '$' || name === 'jQuery') {
    return `If your page has jQuery, write window.${name}; else use document.querySelector(…).`
  }
  if (name === 'require' || name === 'process')
    return 'It exists in Node.js only, and a script runs on the page.'
  if (ARGUMENT_NAMES.has(name))
    return 'The arguments are in “args”: write args.city for the parameter “city”.'
  const isAssigned = nodes.some(
    ({node}) =>
      node.type === 'AssignmentExpression' && node.left.type === 'Identifier' && node.left.name === name,
  )
  if (isAssigned) return `Declare it where it gets its first value: let ${name} = ….`
  return `If it is a parameter, write args.${name}. If your page defines it, write window.${name}.`
}
