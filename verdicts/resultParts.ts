import {parseAction} from '../schemas/actions/parseAction.ts'
import type {Part} from '../schemas/actions/reading.ts'
import {type Fields, isRecord} from '../schemas/record.ts'
import {parseOutputSchema} from '../schemas/rules/inputSchema.ts'
import {formatMemberPath, type MemberPath, plainStepsOf} from '../schemas/rules/names/memberPath.ts'
import {BrokenRule, orBrokenRule} from '../schemas/rules/parsed.ts'

/** Parts that are proposed, and how deep they are nested. */
const MOST_PARTS = 50
const MOST_STEPS = 6

/** The parts of what a tool returns, such as `data[0].title`: those of its output schema, or else of its action. */
export function resultParts(tool: Fields): string[] {
  const output = parseOutputSchema(tool.outputSchema)
  const schema = output.ok ? output.value : undefined
  const paths = schema === undefined ? partsOfAction(tool) : partsOfSchema(schema, [])
  const texts = paths.map(formatMemberPath).filter((text) => plainStepsOf(text) !== undefined)
  return [...new Set(texts)].slice(0, MOST_PARTS)
}

function partsOfSchema(schema: unknown, path: MemberPath): MemberPath[] {
  if (!isRecord(schema) || path.length === MOST_STEPS) return []
  const {properties, items} = schema
  const named = Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, property]) => [
    [...path, name],
    ...partsOfSchema(property, [...path, name]),
  ])
  return isRecord(items) ? [...named, [...path, 0], ...partsOfSchema(items, [...path, 0])] : named
}

function partsOfAction(tool: Fields): MemberPath[] {
  const action = orBrokenRule(() => parseAction(tool, undefined))
  // A script, or an action that is not complete.
  if (action === undefined || action instanceof BrokenRule) return []
  if (action.kind === 'reading') return action.parts.flatMap(partsOfReading)
  if (action.kind !== 'request') return []
  const {result} = action
  if (result.kind === 'parts') return result.parts.flatMap(partsOfReading)
  const start = result.kind === 'list' ? [0] : []
  return 'members' in result ? result.members.map(({name}) => [...start, name]) : []
}

function partsOfReading(part: Part): MemberPath[] {
  const {name, kind} = part
  switch (kind) {
    case 'table':
      return [[name], ...part.columns.map((column) => [name, 0, column])]
    case 'list':
      return [[name], [name, 0]]
    case 'links':
      return [[name], [name, 0, 'text'], [name, 0, 'address']]
    default:
      return [[name]]
  }
}
