import {BrokenRule, checked} from '../rules/brokenRule.ts'
import type {ObjectSchema} from '../rules/inputSchema.ts'
import {isRecord} from '../rules/json.ts'
import {accept, type Parsed, refuse} from '../rules/parsed.ts'
import type {Fields} from '../rules/tool.ts'
import type {Action} from './action.ts'
import {parseLink} from './link.ts'
import {checkParameters} from './parameters.ts'
import {parseReading} from './reading.ts'
import {parseRequest} from './request.ts'

/** The values of the field `action`. Each but `script` is also the name of the field that describes it. */
export const ACTION_KINDS = ['request', 'reading', 'link', 'script'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

/** What a tool does. A tool without a choice has a script. */
export function parseActionKind(value: unknown): Parsed<ActionKind> {
  if (value === undefined || value === null) return accept('script')
  const kind = ACTION_KINDS.find((known) => known === value)
  return kind === undefined ? refuse(`Choose what the tool does: ${ACTION_KINDS.join(', ')}.`) : accept(kind)
}

/**
 * Parses the action of a tool. Problems name the field, such as `request.query.0.name`.
 * @param schema the tool's parameters, if they are valid: the action uses these and no others
 * @returns undefined if the tool has a script
 * @throws BrokenRule
 */
export function parseAction(tool: Fields, schema: ObjectSchema | undefined): Action | undefined {
  const kind = checked('action', parseActionKind(tool.action))
  if (kind === 'script') return undefined
  const fields = tool[kind]
  if (!isRecord(fields)) throw new BrokenRule(kind, MISSING[kind])
  const action = PARSERS[kind](fields)
  if (schema !== undefined) checkParameters(action, schema)
  return action
}

const PARSERS = {request: parseRequest, reading: parseReading, link: parseLink} as const

const MISSING = {
  request: 'The request is missing: write its address.',
  reading: 'Say what the tool reads from the page.',
  link: 'Write the address of the page that the tool opens.',
} as const
