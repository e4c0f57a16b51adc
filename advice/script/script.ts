import type {AnyNode} from 'acorn'
import {sendsData} from '../../schemas/rules/hints/effects.ts'
import type {Advice} from '../advice.ts'
import {adviseArguments, adviseComparison, adviseQuoted} from './arguments.ts'
import {adviseAssignedResult, adviseMissingResult, adviseSort} from './callbacks.ts'
import {adviseCondition, adviseThrow, adviseUndeclared} from './expressions.ts'
import {adviseDestructured, adviseImport, adviseInserted, adviseMember, adviseRequest} from './fetches.ts'
import {adviseLoop, adviseTimer} from './flow.ts'
import {onlyReads} from './onlyReads.ts'
import {adviseCode, adviseDialog, adviseId, adviseMarkup, adviseNavigation, adviseWrite} from './pageUse.ts'
import {adviseCaughtError, adviseEnd, adviseReturn, adviseReturnedError} from './results.ts'
import {adviseSecret} from './secrets.ts'
import type {NodeOf} from './tree/nodes.ts'
import {readProgram, type ScriptFacts} from './tree/program.ts'

/** Advice on a script, and the facts that advice on hints needs. */
export type ScriptAdvice = {
  readonly advice: readonly Advice[]
  /** Whether the script sends data in a way that usually changes something. */
  readonly changesData: boolean
  /** Whether it reads something, and seems to change nothing. */
  readonly onlyReads: boolean
}

/** A method, because TypeScript then accepts rules for one type of node. */
type Rule<Type extends AnyNode['type']> = {
  advise(node: NodeOf<Type>, facts: ScriptFacts): Advice | readonly Advice[] | undefined
}['advise']

/** What is looked at in each type of node. */
const RULES: {readonly [Type in AnyNode['type']]?: readonly Rule<Type>[]} = {
  ArrowFunctionExpression: [adviseCaughtError],
  AssignmentExpression: [adviseMarkup, adviseNavigation],
  BinaryExpression: [adviseComparison],
  CallExpression: [
    ...[adviseTimer, adviseMissingResult, adviseAssignedResult, adviseSort],
    ...[adviseRequest, adviseInserted, adviseDialog, adviseCode, adviseId, adviseWrite, adviseNavigation],
  ],
  ConditionalExpression: [adviseCondition],
  DoWhileStatement: [adviseLoop],
  ForStatement: [adviseLoop],
  Identifier: [adviseInserted],
  IfStatement: [adviseCondition],
  ImportExpression: [adviseImport],
  Literal: [adviseQuoted, adviseSecret],
  MemberExpression: [adviseMember],
  NewExpression: [adviseCode],
  ReturnStatement: [adviseReturn, adviseReturnedError],
  TemplateLiteral: [adviseQuoted, adviseSecret],
  ThrowStatement: [adviseThrow],
  VariableDeclarator: [adviseDestructured],
  WhileStatement: [adviseLoop, adviseCondition],
}

const RULES_BY_TYPE: {readonly [type: string]: readonly Rule<AnyNode['type']>[] | undefined} = RULES

/**
 * Advice on a tool's script, in the order of the script.
 * @param schema the tool's input schema, undefined if it is invalid
 */
export function adviseScript(script: string, schema: Record<string, unknown> | undefined): ScriptAdvice {
  // The rules say that a script is missing or broken.
  const facts = script.trim() === '' ? undefined : readProgram(script, schema)
  if (facts === undefined) return {advice: [], changesData: false, onlyReads: false}
  const onNodes = facts.nodes.flatMap((node) =>
    (RULES_BY_TYPE[node.type] ?? []).flatMap((advise) => advise(node, facts) ?? []),
  )
  const advice = [...adviseArguments(facts), ...adviseUndeclared(facts), ...adviseEnd(facts), ...onNodes]
  const changesData = sendsData(script)
  return {
    advice: advice.toSorted((a, b) => (a.offset ?? 0) - (b.offset ?? 0)),
    changesData,
    onlyReads: !changesData && onlyReads(facts),
  }
}
