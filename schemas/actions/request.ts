import {BrokenRule, checked} from '../rules/brokenRule.ts'
import {parseJson} from '../rules/json.ts'
import {accept, type Parsed, refuse} from '../rules/parsed.ts'
import type {Fields} from '../rules/tool.ts'
import {type Address, parseAddress, parseTemplate} from './parts/address.ts'
import {entriesOf} from './parts/entries.ts'
import {EACH, type MemberPath, parseMemberPath} from './parts/memberPath.ts'
import {parseName, parseOptionalText} from './parts/names.ts'
import {parameterProblem, type Template} from './parts/template.ts'
import {parseResult, type Result} from './result.ts'

/** A request to a server, of which the tool returns a part of the answer. */
export type RequestAction = {
  readonly kind: 'request'
  readonly method: Method
  readonly address: Address
  readonly query: readonly QueryRow[]
  readonly encoding: Encoding
  readonly body: readonly BodyRow[]
  readonly result: Result
  /** Where the text of an error is in what the server sends; empty: in the usual places. */
  readonly error: MemberPath
  /** What the agent reads if there is nothing: 404, an empty list, an empty answer. */
  readonly nothing: Template | undefined
}

/** What a row sends: the argument of a parameter, or always the same. */
export type RowValue = {readonly parameter: string} | {readonly fixed: unknown}
type QueryRow = {readonly name: string; readonly value: RowValue}
export type BodyRow = {readonly path: MemberPath; readonly name: string; readonly value: RowValue}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

export const ENCODINGS = ['json', 'form'] as const
type Encoding = (typeof ENCODINGS)[number]

const MAX_ROWS = 50

/** @throws BrokenRule */
export function parseRequest(request: Fields): RequestAction {
  const method = checked('request.method', parseChoice(request.method, METHODS, 'The method'))
  const address = checked('request.address', parseAddress(request.address))
  if (address.fragment.length > 0)
    throw new BrokenRule('request.address', 'A request never sends what is after “#”: remove it.')
  const query = entriesOf(request.query, 'request.query', 'The query', MAX_ROWS).map(({entry, field}) => ({
    name: checked(`${field}.name`, parseName(entry.name, 'The name of a row')),
    value: parseRowValue(entry, field),
  }))
  const encoding = checked('request.encoding', parseChoice(request.encoding, ENCODINGS, 'The encoding'))
  const body = parseBody(request.body, encoding)
  if (method === 'GET' && body.length > 0)
    throw new BrokenRule(
      'request.body',
      'Browsers send no body with GET: choose POST, or move the rows to the query.',
    )
  const result = parseResult(request.result)
  if (result.kind === 'parts' && method !== 'GET')
    throw new BrokenRule('request.result.kind', 'Parts of a page come from a request with GET: choose GET.')
  return {
    kind: 'request',
    method,
    address,
    query,
    encoding,
    body,
    result,
    error: checked('request.error', parsePlainPath(request.error, 'The place of the text of an error')),
    nothing: parseNothing(request.nothing, 'request.nothing'),
  }
}

/** @throws BrokenRule */
function parseNothing(value: unknown, field: string): Template | undefined {
  const text = checked(field, parseOptionalText(value, 'The text', 300))
  return text === undefined ? undefined : checked(field, parseTemplate(text))
}

/** One of the choices; without a value the first. */
function parseChoice<Choice extends string>(
  value: unknown,
  choices: readonly [Choice, ...Choice[]],
  what: string,
): Parsed<Choice> {
  if (value === undefined || value === null) return accept(choices[0])
  const choice = choices.find((known) => known === value)
  return choice === undefined ? refuse(`${what} must be one of: ${choices.join(', ')}.`) : accept(choice)
}

function parseBody(value: unknown, encoding: Encoding): BodyRow[] {
  const rows = entriesOf(value, 'request.body', 'The body', MAX_ROWS).map(({entry, field}) => {
    const name = checked(`${field}.name`, parseName(entry.name, 'The name of a row'))
    const path = encoding === 'form' ? [name] : checked(`${field}.name`, parseBodyPath(name))
    return {field, row: {path, name, value: parseRowValue(entry, field)}}
  })
  if (encoding === 'json') {
    for (const {field, row} of rows) {
      const other = rows.find((one) => one.field !== field && startsWith(one.row.path, row.path))
      if (other !== undefined)
        throw new BrokenRule(
          `${field}.name`,
          `“${row.name}” and “${other.row.name}” cannot both be sent: remove one of them.`,
        )
      const kinds = rows.find((one) => isMixed(one.row.path, row.path))
      if (kinds !== undefined)
        throw new BrokenRule(
          `${field}.name`,
          `“${row.name}” and “${kinds.row.name}” make the same thing a list and a group: change one of them.`,
        )
    }
  }
  return rows.map(({row}) => row)
}

/** A list of a body begins at 0 and has no gap: others would be sent as `null`. */
const MAX_POSITION = 50

function parseBodyPath(name: string): Parsed<MemberPath> {
  const path = parsePlainPath(name, `The name “${name}”`)
  if (!path.ok) return path
  if (path.value.some((step) => typeof step === 'number' && step >= MAX_POSITION))
    return refuse(`The position in “${name}” is too high: a list begins with “[0]”.`)
  return path
}

/** A path to one value. */
function parsePlainPath(value: unknown, what: string): Parsed<MemberPath> {
  const path = parseMemberPath(value, what)
  if (path.ok && path.value.includes(EACH))
    return refuse(`${what} contains “[]”: write a position instead, as in “items[0].id”.`)
  return path
}

function startsWith(path: MemberPath, start: MemberPath): boolean {
  return start.every((step, at) => path[at] === step)
}

/** Whether two paths differ first where one has a position and the other a name. */
function isMixed(one: MemberPath, other: MemberPath): boolean {
  const at = one.findIndex((step, place) => step !== other[place])
  return at >= 0 && typeof one[at] !== typeof other[at] && other[at] !== undefined
}

function parseRowValue({parameter, value, format}: Fields, field: string): RowValue {
  const isFixed = value !== undefined && value !== null && value !== ''
  if (parameter !== undefined && parameter !== null && parameter !== '') {
    if (isFixed)
      throw new BrokenRule(`${field}.value`, 'The row has a parameter and a value: remove one of them.')
    return {parameter: checked(`${field}.parameter`, parseParameter(parameter))}
  }
  if (!isFixed)
    throw new BrokenRule(
      field,
      'The row sends nothing: choose a parameter, write a value, or remove the row.',
    )
  return {fixed: checked(`${field}.value`, parseFixed(value, format))}
}

function parseParameter(value: unknown): Parsed<string> {
  if (typeof value !== 'string') return refuse('The parameter of a row must be text.')
  const problem = parameterProblem(value)
  return problem === undefined ? accept(value) : refuse(problem)
}

function parseFixed(value: unknown, format: unknown): Parsed<unknown> {
  if (typeof value !== 'string') return refuse('The value of a row must be text.')
  if (value.length > 20_000) return refuse('The value of a row is longer than 20,000 characters: shorten it.')
  const kind = parseChoice(format, VALUE_FORMATS, 'The format of a value')
  if (!kind.ok) return kind
  return kind.value === 'text' ? accept(value) : parseJson(value, `The value “${value.slice(0, 40)}”`)
}

/** How the value of a row is sent in JSON: as a text, or as the number, the yes or no, or the list that it is. */
export const VALUE_FORMATS = ['text', 'json'] as const
