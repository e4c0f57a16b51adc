import type {Node} from 'acorn'
import {isRecord} from '../../schemas/record.ts'
import {type Advice, advise, type Fix} from '../advice.ts'
import {isIdentifier, memberOf, offsetOf} from './tree/nodes.ts'
import type {ScriptFacts} from './tree/program.ts'

const FIELD = 'executeJs'

/** Advice on the arguments that a script reads, compared with the tool's parameters. */
export function adviseArguments(facts: ScriptFacts): Advice[] {
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
