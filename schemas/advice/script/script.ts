import type {Program} from 'acorn'
import type {Advice} from '../advice.ts'
import {ARGUMENT_RULE, adviseArguments} from './arguments.ts'
import {CALLBACK_RULE} from './callbacks.ts'
import {adviseUndeclared, EXPRESSION_RULE} from './expressions.ts'
import {FETCH_RULE, IMPORT_RULE, sendsData} from './fetches.ts'
import {LOOP_RULE, PROMISE_RULE, TIMER_RULE} from './flow.ts'
import {NodeRules} from './nodeRules.ts'
import {onlyReads} from './onlyReads.ts'
import {PAGE_RULE} from './pageUse.ts'
import {adviseResult, ERROR_RULE} from './results.ts'
import {SECRET_RULE} from './secrets.ts'
import {readProgram} from './tree/program.ts'

/** Advice on a script, and the facts that advice on hints needs. */
export type ScriptAdvice = {
  readonly advice: readonly Advice[]
  /** Whether the script sends data in a way that usually changes something. */
  readonly changesData: boolean
  /** Whether it reads something, and seems to change nothing. */
  readonly onlyReads: boolean
}

const RULES = new NodeRules([
  ARGUMENT_RULE,
  LOOP_RULE,
  PROMISE_RULE,
  TIMER_RULE,
  EXPRESSION_RULE,
  CALLBACK_RULE,
  ERROR_RULE,
  FETCH_RULE,
  IMPORT_RULE,
  PAGE_RULE,
  SECRET_RULE,
])

/**
 * Advice on a tool's script.
 * @param schema the tool's input schema, undefined if it is invalid
 * @param program the syntax tree that `parseScript` made of the script, if it did
 */
export function adviseScript(
  script: string,
  schema: Record<string, unknown> | undefined,
  program?: Program,
): ScriptAdvice {
  // The rules say that a script is missing or broken.
  const facts = script.trim() === '' ? undefined : readProgram(script, program)
  if (facts === undefined) return {advice: [], changesData: false, onlyReads: false}
  const [onArguments = [], ...onOthers] = RULES.apply(facts, schema)
  const advice = [
    ...(schema === undefined ? [] : adviseArguments(facts, schema)),
    ...onArguments,
    ...adviseUndeclared(facts),
    ...adviseResult(facts),
    ...onOthers.flat(),
  ]
  const changesData = facts.nodes.some(({node}) => sendsData(node))
  return {advice, changesData, onlyReads: !changesData && onlyReads(facts)}
}
