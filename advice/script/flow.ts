import type {AnyNode, CallExpression} from 'acorn'
import type {Advice} from '../advice.ts'
import {adviseNode, methodOf, type NodeOf} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'

/** Whether the end of a list of statements can be reached. */
export function canComplete(statements: readonly AnyNode[], facts: ScriptFacts): boolean {
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

type Loop = NodeOf<'WhileStatement' | 'DoWhileStatement' | 'ForStatement'>

/** Advice on loops that never end: the page stops to react. */
export function adviseLoop(node: Loop, facts: ScriptFacts): Advice | undefined {
  if (!isEndless(node, facts)) return undefined
  const message =
    'This loop never ends, and the page stops responding. Change what its condition reads, or leave it with “break”.'
  return adviseNode('LOOP_ENDLESS', node, message)
}

function isEndless(node: Loop, facts: ScriptFacts): boolean {
  const {test, body} = node
  if (facts.within(body, 'BreakStatement', 'ReturnStatement', 'ThrowStatement').length > 0) return false
  if (isAlways(test)) return facts.within(body, 'AwaitExpression').length === 0
  if (!test || !isSimple(test)) return false
  const names = facts.within(test, 'Identifier')
  return names.length > 0 && names.every((name) => facts.isConstant(name))
}

/** Whether a condition only compares variables and values, so that no call can change its result. */
function isSimple(node: AnyNode): boolean {
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression')
    return isSimple(node.left) && isSimple(node.right)
  if (node.type === 'UnaryExpression') return isSimple(node.argument)
  return node.type === 'Identifier' || node.type === 'Literal'
}

/** Seconds after which the most impatient agent, agent-browser 0.41.2, ends a call. */
const SHORTEST_CALL = 25

/** Advice on waiting longer than agents do. */
export function adviseTimer(node: CallExpression, facts: ScriptFacts): Advice | undefined {
  const isTimer = facts.isGlobalCall(node, 'setTimeout')
  const time = isTimer ? node.arguments[1] : methodOf(node) === 'timeout' ? node.arguments[0] : undefined
  const seconds = time === undefined ? 0 : numberIn(time, facts) / 1_000
  if (!(seconds > SHORTEST_CALL)) return undefined
  const message = `This waits up to ${seconds} seconds, and some agents end a call after ${SHORTEST_CALL}. Wait for less time, and return what is there by then.`
  return adviseNode('TIMER_LONG', node, message)
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
