import type {AnyNode, AssignmentExpression, CallExpression, Node} from 'acorn'
import {isRecord} from '../../schemas/record.ts'
import {sendsData} from '../../schemas/rules/hints/effects.ts'
import {type Advice, advise, type Fix} from '../advice.ts'
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

const FIELD = 'executeJs'

/** Advice on the arguments that a script reads, compared with the tool's parameters. */
function adviseArguments(facts: ScriptFacts): Advice[] {
  const {additionalProperties = false} = facts.schema ?? {}
  const isOpen = additionalProperties !== false
  const properties = propertiesOf(facts)
  if (properties === undefined) return []
  const {read, readsAny} = argumentsIn(facts)
  const data = dataIn(facts)
  const unread = Object.keys(properties).filter((name) =>
    data ? !data.some((text) => text === name || text.includes(`{${name}}`)) : !readsAny && !read.has(name),
  )
  return [
    ...(isOpen ? [] : adviseUnknown(read, Object.keys(properties))),
    ...unread.map((name) => adviseUnread(name, data ? 'Write it into “action”' : 'Use it')),
  ]
}

/** The texts in the data that a script of an action begins with: they name its parameters. */
function dataIn({body: [first], nodes}: ScriptFacts): string[] | undefined {
  const declared = first?.type === 'VariableDeclaration' ? first.declarations[0] : undefined
  const {init} = declared?.id.type === 'Identifier' && declared.id.name === 'action' ? declared : {}
  if (init?.type !== 'ObjectExpression') return undefined
  return nodes.flatMap((node) =>
    node.type === 'Literal' && node.start > init.start && node.end < init.end ? [String(node.value)] : [],
  )
}

/** The tool's parameters; undefined if its schema is invalid. */
function propertiesOf({schema}: ScriptFacts): Record<string, unknown> | undefined {
  return schema && (isRecord(schema.properties) ? schema.properties : {})
}

/** Names of the arguments that a script reads, with the first offset. */
type Read = ReadonlyMap<string, number>

function argumentsIn(facts: ScriptFacts): {readonly read: Read; readonly readsAny: boolean} {
  const read = new Map<string, number>()
  /** Whether the script may read arguments whose names are not known, as in `JSON.stringify(args)`. */
  let readsAny = false
  const note = (name: string | undefined, node: Node) => {
    if (name === undefined) readsAny = true
    else if (!read.has(name)) read.set(name, offsetOf(node))
  }
  for (const node of facts.nodes) {
    if (!isIdentifier(node, 'args')) continue
    const parent = facts.parentOf(node)
    if (parent?.type === 'MemberExpression' && parent.object === node) {
      note(memberOf(parent), parent.property)
    } else if (
      parent?.type === 'VariableDeclarator' &&
      parent.init === node &&
      parent.id.type === 'ObjectPattern'
    ) {
      for (const part of parent.id.properties) {
        const isNamed = part.type === 'Property' && !part.computed && part.key.type === 'Identifier'
        note(isNamed && part.key.type === 'Identifier' ? part.key.name : undefined, part)
      }
    } else readsAny = true
  }
  return {read, readsAny}
}

function adviseUnknown(read: Read, names: readonly string[]): Advice[] {
  return Array.from(read)
    .filter(([name]) => !names.includes(name))
    .map(([name, offset]) => {
      const problem = `The script reads args.${name}, but there is no parameter “${name}”: it is always undefined.`
      const fix = /^[A-Za-z_]\w*$/.test(name) ? {fix: fixFor(name, names, offset)} : {}
      return advise('ARGUMENT_UNKNOWN', FIELD, `${problem} ${remedyFor(name, names)}`, {offset, ...fix})
    })
}

function fixFor(name: string, names: readonly string[], offset: number): Fix {
  const meant = names.find((known) => known.toLowerCase() === name.toLowerCase())
  if (meant !== undefined)
    return {title: `Use args.${meant}`, edits: [{start: offset, end: offset + name.length, text: meant}]}
  const value = {type: 'string', description: ''}
  return {title: `Add the parameter “${name}”`, field: 'inputSchema', member: ['properties', name], value}
}

function remedyFor(name: string, names: readonly string[]): string {
  if (names.length === 0) return 'The tool has no parameters: add one.'
  if (/^\d+$/.test(name)) return `Arguments have names, not numbers: write args.${names[0]}.`
  const meant = names.find((known) => known.toLowerCase() === name.toLowerCase())
  if (meant !== undefined) return `Upper and lower case differ: write args.${meant}.`
  return `The parameters are ${names.map((known) => `“${known}”`).join(', ')}.`
}

function adviseUnread(name: string, remedy: string): Advice {
  const message = `The script never reads args.${name}, so what an agent puts there has no effect. ${remedy}, or remove the parameter.`
  const title = `Remove the parameter “${name}”`
  const fix = {title, field: 'inputSchema', member: ['properties', name], value: undefined}
  return advise('PARAMETER_UNREAD', FIELD, message, {fix})
}
