import type {AnyNode, BinaryExpression, Literal, Node, TemplateLiteral} from 'acorn'
import {isRecord} from '../../schemas/record.ts'
import {shortened} from '../../schemas/rules/text.ts'
import {type Advice, advise, type Fix} from '../advice.ts'
import {adviseNode, isIdentifier, memberOf, methodOf, objectOf, offsetOf, textOf} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'

const FIELD = 'executeJs'

/** Advice on the arguments that a script reads, compared with the tool's parameters. */
export function adviseArguments(facts: ScriptFacts): Advice[] {
  const {additionalProperties = false} = facts.schema ?? {}
  const isOpen = additionalProperties !== false
  const properties = propertiesOf(facts)
  if (properties === undefined) return []
  const {read, readsAny} = argumentsIn(facts)
  return [
    ...(isOpen ? [] : adviseUnknown(read, Object.keys(properties))),
    ...(readsAny ? [] : adviseUnread(read, properties)),
  ]
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

function adviseUnread(read: Read, properties: Record<string, unknown>): Advice[] {
  return Object.keys(properties)
    .filter((name) => !read.has(name))
    .map((name) => {
      const message = `The script never reads args.${name}, so what an agent puts there has no effect. Use it, or remove the parameter.`
      const title = `Remove the parameter “${name}”`
      const fix = {title, field: 'inputSchema', member: ['properties', name], value: undefined}
      return advise('PARAMETER_UNREAD', FIELD, message, {fix})
    })
}

/** Characters of a text in a message. */
const LONGEST_SHOWN = 60

/** Advice on `'args.city'` and `'{city}'` in a text, where the script needs the value of the argument. */
export function adviseQuoted(node: Literal | TemplateLiteral, facts: ScriptFacts): Advice | undefined {
  const properties = propertiesOf(facts)
  const text = textOf(node)
  if (properties === undefined || text === undefined || !/\{|args\./.test(text)) return undefined
  if (facts.isInside(node, 'ThrowStatement')) return undefined
  // The script fills in the text itself.
  const parent = facts.parentOf(node)
  if (parent !== undefined && /^replace/.test(methodOf(parent) ?? '')) return undefined
  const isTemplate = node.type === 'TemplateLiteral'
  if (isTemplate && node.expressions.length > 0) return undefined
  const [written, inTemplate, inArgs, inBraces] =
    /\$\{([^{}]*)\}|\bargs\.(\w+)|(?<!\$)\{(\w+)\}/.exec(text) ?? []
  if (written === undefined) return undefined
  if (inTemplate !== undefined) {
    if (isTemplate) return undefined
    const message = `“${written}” is ordinary text between ' or ". Put the text between backticks instead: \`${shortened(text, LONGEST_SHOWN)}\`.`
    return adviseNode('TEXT_NOT_TEMPLATE', node, message)
  }
  const name = inArgs ?? inBraces ?? ''
  if (!Object.hasOwn(properties, name)) return undefined
  // Data that the script fills with what it reads by names.
  if (parent?.type === 'Property' && argumentsIn(facts).readsAny) return undefined
  const template = shortened(text.replace(written, `\${args.${name}}`), LONGEST_SHOWN)
  const message = `“${written}” is ordinary text here, not what the agent wrote. Write \`${template}\`, between backticks.`
  return adviseNode('TEXT_NOT_TEMPLATE', node, message)
}

/** Advice on a comparison of an argument with a value that it cannot have. */
export function adviseComparison(node: BinaryExpression, facts: ScriptFacts): Advice | undefined {
  const properties = propertiesOf(facts)
  if (properties === undefined || !/^[=!]==?$/.test(node.operator)) return undefined
  const isStrict = node.operator.length === 3
  return (
    compare(node.left, node.right, properties, isStrict) ??
    compare(node.right, node.left, properties, isStrict)
  )
}

function compare(
  argument: AnyNode,
  other: AnyNode,
  properties: Record<string, unknown>,
  isStrict: boolean,
): Advice | undefined {
  const name = memberOf(argument)
  if (name === undefined || !isIdentifier(objectOf(argument), 'args')) return undefined
  const parameter = properties[name]
  if (other.type !== 'Literal' || !isRecord(parameter) || !Object.hasOwn(properties, name)) return undefined
  const {value} = other
  if (Array.isArray(parameter.enum)) {
    if (parameter.enum.includes(value) || !isStrict) return undefined
    const message = `args.${name} is never ${JSON.stringify(value)}: it is one of ${parameter.enum.map((choice) => JSON.stringify(choice)).join(', ')}.`
    return adviseNode('COMPARISON_IMPOSSIBLE', other, message)
  }
  const expected = TYPES.get(parameter.type)
  if (expected === undefined || typeof value === expected || value === null) return undefined
  if (!isStrict && expected !== 'boolean') return undefined
  const message = `args.${name} is ${WORDS[expected]}, so comparing it with ${JSON.stringify(value)} never succeeds. ${
    expected === 'boolean' ? `Write args.${name} === true.` : `Write ${unquoted(value, expected)}.`
  }`
  return adviseNode('COMPARISON_IMPOSSIBLE', other, message)
}

type Primitive = 'boolean' | 'number' | 'string'

const TYPES: ReadonlyMap<unknown, Primitive> = new Map([
  ['boolean', 'boolean'],
  ['number', 'number'],
  ['integer', 'number'],
  ['string', 'string'],
])

const WORDS: Readonly<Record<Primitive, string>> = {boolean: 'yes or no', number: 'a number', string: 'text'}

function unquoted(value: unknown, expected: Primitive): string {
  if (expected === 'string') return `'${value}', between quotation marks`
  return `the number without quotation marks`
}
