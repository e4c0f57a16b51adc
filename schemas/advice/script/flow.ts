import type {AnyNode} from 'acorn'
import {simple} from 'acorn-walk'
import {CONSUMERS} from '../../agents/consumers.ts'
import {advise} from '../advice.ts'
import type {NodeRule} from './nodeRules.ts'
import {isGlobalCall, methodOf, offsetOf, type ScriptFacts} from './tree/program.ts'
import {type Found, isFunction} from './tree/walk.ts'

/** Whether the end of a list of statements can be reached. */
export function canComplete(statements: readonly AnyNode[]): boolean {
  return statements.every(completes)
}

function completes(node: AnyNode): boolean {
  switch (node.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
      return false
    case 'BlockStatement':
      return canComplete(node.body)
    case 'IfStatement':
      return !node.alternate || completes(node.consequent) || completes(node.alternate)
    case 'TryStatement':
      if (node.finalizer && !completes(node.finalizer)) return false
      return completes(node.block) || (node.handler ? completes(node.handler.body) : false)
    case 'SwitchStatement':
      return (
        !node.cases.some(({test}) => !test) ||
        canComplete(node.cases.at(-1)?.consequent ?? []) ||
        node.cases.some((one) => one.consequent.some((statement) => hasExit(statement, ['BreakStatement'])))
      )
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
      return !isAlways(node.test) || hasExit(node.body, ['BreakStatement'])
    default:
      return true
  }
}

function isAlways(test: AnyNode | null | undefined): boolean {
  return !test || (test.type === 'Literal' && Boolean(test.value))
}

/** Whether a statement of one of these types is in a node, functions in it included. */
function hasExit(node: AnyNode, types: readonly string[]): boolean {
  let found = false
  const note = () => {
    found = true
  }
  simple(node, Object.fromEntries(types.map((type) => [type, note])))
  return found
}

/** Advice on loops that never end: the page stops to react. */
export const LOOP_RULE: NodeRule = {
  types: ['WhileStatement', 'DoWhileStatement', 'ForStatement'],
  advise: (found, facts) => {
    if (!isEndless(found, facts)) return undefined
    const message =
      'This loop never ends, and the page stops responding. Change what its condition reads, or leave it with “break”.'
    return advise('LOOP_ENDLESS', 'executeJs', message, {offset: offsetOf(found.node)})
  },
}

function isEndless({node}: Found, facts: ScriptFacts): boolean {
  if (node.type !== 'WhileStatement' && node.type !== 'DoWhileStatement' && node.type !== 'ForStatement')
    return false
  if (hasExit(node.body, ['BreakStatement', 'ReturnStatement', 'ThrowStatement'])) return false
  if (isAlways(node.test)) return !hasExit(node.body, ['AwaitExpression'])
  const {test} = node
  if (!test || !isSimple(test)) return false
  const names = identifiersIn(test)
  if (names.length > 0 && names.every((name) => facts.isConstant(name))) return true
  return node.type === 'ForStatement' && goesTheWrongWay(test, node.update)
}

/** Whether a condition only compares variables and values, so that no call can change its result. */
function isSimple(node: AnyNode): boolean {
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression')
    return isSimple(node.left) && isSimple(node.right)
  if (node.type === 'UnaryExpression') return isSimple(node.argument)
  return node.type === 'Identifier' || node.type === 'Literal'
}

function identifiersIn(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = []
  simple(node, {Identifier: (identifier) => found.push(identifier)})
  return found
}

function goesTheWrongWay(test: AnyNode, update: AnyNode | null | undefined): boolean {
  if (test.type !== 'BinaryExpression' || test.left.type !== 'Identifier') return false
  if (update?.type !== 'UpdateExpression' || update.argument.type !== 'Identifier') return false
  if (update.argument.name !== test.left.name) return false
  return test.operator.startsWith(update.operator === '++' ? '>' : '<')
}

/** Advice on promises that nothing can settle. */
export const PROMISE_RULE: NodeRule = {
  types: ['NewExpression'],
  advise: ({node}) => {
    if (node.type !== 'NewExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'Promise')
      return undefined
    const [executor] = node.arguments
    if (executor === undefined || !isFunction(executor)) return undefined
    if (executor.params.length > 0) return undefined
    const message =
      'This promise never settles, so the call never ends. Use its “resolve”: new Promise((resolve) => …).'
    return advise('PROMISE_NEVER_SETTLES', 'executeJs', message, {offset: offsetOf(node)})
  },
}

/** Seconds after which the most impatient agent ends a call. */
const SHORTEST_CALL = Math.min(...CONSUMERS.map(({callSeconds}) => callSeconds ?? Number.POSITIVE_INFINITY))

/** Advice on waiting longer than agents do. */
export const TIMER_RULE: NodeRule = {
  types: ['CallExpression'],
  advise: ({node}, facts) => {
    if (node.type !== 'CallExpression') return undefined
    const isTimer = isGlobalCall(node, 'setTimeout', facts)
    const time = isTimer ? node.arguments[1] : methodOf(node) === 'timeout' ? node.arguments[0] : undefined
    const seconds = time === undefined ? 0 : numberIn(time, facts) / 1_000
    if (!(seconds > SHORTEST_CALL)) return undefined
    const message = `This waits up to ${seconds} seconds, and some agents end a call after ${SHORTEST_CALL}. Wait for less time, and return what is there by then.`
    return advise('TIMER_LONG', 'executeJs', message, {offset: offsetOf(node)})
  },
}

/** The number that an expression of constants comes to; NaN if it is none. */
function numberIn(node: AnyNode, facts: ScriptFacts): number {
  if (node.type === 'Literal') return typeof node.value === 'number' ? node.value : Number.NaN
  if (node.type === 'Identifier') {
    const initial = facts.initialValue(node)
    return initial === undefined ? Number.NaN : numberIn(initial, facts)
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '*') return Number.NaN
  return numberIn(node.left, facts) * numberIn(node.right, facts)
}
