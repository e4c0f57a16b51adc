import type {AnyNode, AssignmentExpression, CallExpression} from 'acorn'
import {sendsData} from '../../schemas/rules/hints/effects.ts'
import {type Advice, advise} from '../advice.ts'
import {adviseArguments} from './arguments.ts'
import {adviseRequest} from './fetches.ts'
import {adviseSecret} from './secrets.ts'
import {adviseNode, isIdentifier, memberOf, methodOf, type NodeOf, objectOf, offsetOf} from './tree/nodes.ts'
import {readProgram, type ScriptFacts} from './tree/program.ts'

/** Advice on a script, and the facts that advice on hints needs. */
export type ScriptAdvice = {
  readonly advice: readonly Advice[]
  /** Whether it sends data in a way that usually changes something. */
  readonly changesData: boolean
  /** Whether it reads something, and changes nothing. Missing: that is not known of a script. */
  readonly onlyReads?: boolean
}

/** A method, because TypeScript then accepts rules for one type of node. */
type Rule<Type extends AnyNode['type']> = {
  advise(node: NodeOf<Type>, facts: ScriptFacts): Advice | readonly Advice[] | undefined
}['advise']

/** What is looked at in each type of node. */
const RULES: {readonly [Type in AnyNode['type']]?: readonly Rule<Type>[]} = {
  AssignmentExpression: [adviseMarkup, adviseNavigation],
  CallExpression: [adviseRequest, adviseDialog, adviseNavigation],
  Literal: [adviseSecret],
  TemplateLiteral: [adviseSecret],
}

const RULES_BY_TYPE: {readonly [type: string]: readonly Rule<AnyNode['type']>[] | undefined} = RULES

/**
 * Advice on a tool's script, in the order of the script: on what only agents, visitors and this site make a mistake. Other
 * mistakes are those of any program, which linters and a call of the tool show.
 * @param schema the tool's input schema, undefined if it is invalid
 */
export function adviseScript(script: string, schema: Record<string, unknown> | undefined): ScriptAdvice {
  // The rules say that a script is missing or broken.
  const facts = script.trim() === '' ? undefined : readProgram(script, schema)
  if (facts === undefined) return {advice: [], changesData: false}
  const onNodes = facts.nodes.flatMap((node) =>
    (RULES_BY_TYPE[node.type] ?? []).flatMap((advise) => advise(node, facts) ?? []),
  )
  const advice = [...adviseArguments(facts), ...adviseEnd(facts), ...onNodes]
  return {
    advice: advice.toSorted((a, b) => (a.offset ?? 0) - (b.offset ?? 0)),
    changesData: sendsData(script),
  }
}

/** Advice on a script that gives the agent no result. */
function adviseEnd(facts: ScriptFacts): Advice[] {
  const last = facts.body.at(-1)
  if (last?.type === 'ThrowStatement' || facts.hasResult) return []
  const message =
    'The script returns nothing, so the agent learns nothing. End it with “return” and a result.'
  return [advise('RETURN_MISSING', 'executeJs', message, {offset: last === undefined ? 0 : offsetOf(last)})]
}

function adviseDialog(node: CallExpression, facts: ScriptFacts): Advice | undefined {
  const name = ['alert', 'confirm', 'prompt'].find((dialog) => facts.isGlobalCall(node, dialog))
  if (name === undefined) return undefined
  const message = `“${name}” stops the page until a person closes the dialog, and the agent cannot see it. Use “return” to tell the agent something.`
  return adviseNode('DIALOG', node, message)
}

/** An argument in `innerHTML` could contain a script: agents pass on what they read elsewhere. */
function adviseMarkup(node: AssignmentExpression): Advice | undefined {
  const member = memberOf(node.left) ?? ''
  if (!['innerHTML', 'outerHTML'].includes(member) || !mentionsArguments(node.right)) return undefined
  const message = `What an agent wrote becomes part of the page’s HTML and could run as a script. Use “textContent” instead of “${member}”.`
  return adviseNode('HTML_FROM_ARGUMENTS', node, message)
}

function mentionsArguments(node: AnyNode): boolean {
  if (node.type === 'MemberExpression') return mentionsArguments(node.object)
  if (node.type === 'Identifier') return node.name === 'args'
  if (node.type === 'BinaryExpression') return [node.left, node.right].some(mentionsArguments)
  return node.type === 'TemplateLiteral' && node.expressions.some(mentionsArguments)
}

/** A page that starts to load takes the script with it, often before the agent has the result. */
function adviseNavigation(
  node: AssignmentExpression | CallExpression,
  facts: ScriptFacts,
): Advice | undefined {
  // In a function, such as that of `setTimeout`, it probably happens later.
  if (!navigates(node, facts) || facts.functionAround(node) !== facts.outer) return undefined
  const message =
    'The page may be gone before the agent gets the result. Return first: setTimeout(() => location.assign(…), 100), and then “return”.'
  return adviseNode('NAVIGATION_BEFORE_RETURN', node, message)
}

function navigates(node: AssignmentExpression | CallExpression, facts: ScriptFacts): boolean {
  if (node.type === 'CallExpression')
    return /^(?:assign|replace|reload)$/.test(methodOf(node) ?? '') && isLocation(objectOf(node), facts)
  const {left} = node
  return isLocation(left, facts) || (memberOf(left) === 'href' && isLocation(objectOf(left), facts))
}

/** `location`, `window.location` or `document.location`. */
function isLocation(node: AnyNode | undefined, facts: ScriptFacts): boolean {
  if (node?.type !== 'MemberExpression')
    return node !== undefined && isIdentifier(node, 'location') && facts.isGlobal(node)
  const isOfWindow = isIdentifier(node.object, 'window', 'document', 'globalThis', 'self', 'top')
  return isOfWindow && memberOf(node) === 'location'
}
