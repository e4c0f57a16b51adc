import {type Fields, isRecord} from '../record.ts'
import {changesSomething} from '../rules/hints/effects.ts'
import {type ObjectSchema, parseInputSchema} from '../rules/inputSchema.ts'
import {accept, BrokenRule, checked, orBrokenRule, type Parsed, refuse} from '../rules/parsed.ts'
import {type Action, type LinkAction, parseActionKind} from './action.ts'
import {checkParameters} from './parameters.ts'
import {parseAddress} from './parts/address.ts'
import {parseReading} from './reading.ts'
import {parseRequest} from './request.ts'

/**
 * Parses the action of a tool. Problems name the field, such as `request.query.0.name`.
 * @param schema the tool's parameters, if they are valid: the action uses these and no others
 * @returns undefined if the tool has a script
 * @throws BrokenRule
 */
export function parseAction(tool: Fields, schema: ObjectSchema | undefined): Action | undefined {
  const kind = checked('action', parseActionKind(tool.action))
  if (kind === 'script') return undefined
  const action = parseKind(kind, tool[kind], schema)
  return action.kind === 'request' ? {...action, changes: changesSomething(tool)} : action
}

type Described = keyof typeof PARSERS

/** As much as a script has. Every page gets it. */
const LONGEST = 100_000

/** @throws BrokenRule */
function parseKind(kind: Described, fields: unknown, schema: ObjectSchema | undefined): Action {
  if (!isRecord(fields)) throw new BrokenRule(kind, MISSING[kind])
  const {length} = JSON.stringify(fields)
  if (length > LONGEST)
    throw new BrokenRule(
      kind,
      `What the tool does has ${length.toLocaleString('en-US')} characters: shorten its values to ${LONGEST.toLocaleString('en-US')} or fewer together.`,
    )
  const action = PARSERS[kind](fields)
  if (schema !== undefined) checkParameters(action, schema)
  return action
}

function parseLink(link: Fields): LinkAction {
  return {kind: 'link', address: checked('link.address', parseAddress(link.address))}
}

const PARSERS = {request: parseRequest, reading: parseReading, link: parseLink} as const

const MISSING = {
  request: 'The request is missing: write its address.',
  reading: 'Say what the tool reads from the page.',
  link: 'Write the address of the page that the tool opens.',
} as const

/** The rule of the field that describes an action, of a tool that does it. */
export function partOfAction(kind: Described) {
  return (value: unknown, {inputSchema}: Fields): Parsed<Action> => {
    const schema = parseInputSchema(inputSchema)
    const read = orBrokenRule(() => parseKind(kind, value, schema.ok ? schema.value : undefined))
    // Problems name the whole path, such as `request.query.0.name`.
    return read instanceof BrokenRule ? refuse(read.message, read.field.split('.').slice(1)) : accept(read)
  }
}
