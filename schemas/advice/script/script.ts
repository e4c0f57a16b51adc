import type {Program} from 'acorn'
import type {Advice} from '../advice.ts'
import {adviseArguments} from './arguments.ts'
import {adviseExpressions, adviseUndeclared} from './expressions.ts'
import {adviseFetches, sendsData} from './fetches.ts'
import {adviseLoops, advisePromises} from './flow.ts'
import {advisePageUse} from './pageUse.ts'
import {readProgram} from './program.ts'
import {adviseResult} from './results.ts'
import {adviseSecrets} from './secrets.ts'

/** Advice on a script, and the facts that advice on hints needs. */
export type ScriptAdvice = {
  readonly advice: readonly Advice[]
  /** Whether the script sends data in a way that usually changes something. */
  readonly changesData: boolean
}

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
  if (facts === undefined) return {advice: [], changesData: false}
  const advice = [
    ...(schema === undefined ? [] : adviseArguments(facts, schema)),
    ...adviseUndeclared(facts),
    ...adviseResult(facts),
    ...adviseLoops(facts),
    ...advisePromises(facts),
    ...adviseExpressions(facts),
    ...adviseFetches(facts),
    ...advisePageUse(facts),
    ...adviseSecrets(facts.nodes, 'executeJs'),
  ]
  return {advice, changesData: facts.nodes.some(({node}) => sendsData(node))}
}
