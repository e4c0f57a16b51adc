import {BrokenRule, checked} from '../rules/brokenRule.ts'
import type {Fields} from '../rules/tool.ts'
import {type Address, parseAddress, parseTemplate} from './parts/address.ts'
import {entriesOf} from './parts/entries.ts'
import {isMixed, type MemberPath, parsePlainPath, startsWith} from './parts/memberPath.ts'
import {parseChoice, parseName, parseOptionalText} from './parts/names.ts'
import type {Template} from './parts/template.ts'
import {parseResult, type Result} from './result.ts'
import {type Inside, parseBodyPath, parseHeader, parseInside, parseRowValue, type RowValue} from './row.ts'

/** A request to a server, of which the tool returns a part of the answer. */
export type RequestAction = {
  readonly kind: 'request'
  readonly method: Method
  readonly address: Address
  /** Besides those that a tool sends by itself. */
  readonly headers: readonly QueryRow[]
  readonly query: readonly QueryRow[]
  readonly encoding: Encoding
  readonly body: readonly BodyRow[]
  readonly result: Result
  /** Where the text of an error is in what the server sends; empty: in the usual places. */
  readonly error: MemberPath
  /** What the agent reads if there is nothing: 404, an empty list, an empty answer. */
  readonly nothing: Template | undefined
}

export type QueryRow = {readonly name: string; readonly value: RowValue; readonly inside?: Inside | undefined}
export type BodyRow = QueryRow & {readonly path: MemberPath}

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
    ...parseInside(entry, field),
    value: parseRowValue(entry, field),
  }))
  const headers = entriesOf(request.headers, 'request.headers', 'The list of headers', MAX_ROWS).map(
    ({entry, field}) => parseHeader(entry, field),
  )
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
  if (result.kind === 'parts' && headers.length > 0)
    throw new BrokenRule(
      'request.headers',
      'A tool that returns parts of a page sends no headers: remove them.',
    )
  checkPlaces(
    'query',
    query.map((row) => ({...row, path: [row.name]})),
    false,
  )
  checkPlaces('body', body, encoding === 'json')
  const parsed: RequestAction = {
    kind: 'request',
    method,
    address,
    headers,
    query,
    encoding,
    body,
    result,
    error: checked('request.error', parsePlainPath(request.error, 'The place of the text of an error')),
    nothing: parseNothing(request.nothing, 'request.nothing'),
  }
  checkOwnWebsite(parsed)
  return parsed
}

/** @throws BrokenRule */
function parseNothing(value: unknown, field: string): Template | undefined {
  const text = checked(field, parseOptionalText(value, 'The text', 300))
  return text === undefined ? undefined : checked(field, parseTemplate(text))
}

function parseBody(value: unknown, encoding: Encoding): BodyRow[] {
  return entriesOf(value, 'request.body', 'The body', MAX_ROWS).map(({entry, field}) => {
    const name = checked(`${field}.name`, parseName(entry.name, 'The name of a row'))
    const path = encoding === 'form' ? [name] : checked(`${field}.name`, parseBodyPath(name))
    return {path, name, ...parseInside(entry, field), value: parseRowValue(entry, field)}
  })
}

/** @throws BrokenRule if two rows would be at the same place of JSON */
function checkPlaces(list: 'query' | 'body', rows: readonly BodyRow[], isJson: boolean): void {
  const places = rows.flatMap((row, at) =>
    isJson || row.inside
      ? [{at, path: placeOf(row, at), name: [row.name, row.inside?.member].filter(Boolean).join(' › ')}]
      : [],
  )
  for (const {at, path, name} of places) {
    const other = places.find((one) => one.at !== at && startsWith(one.path, path))
    if (other !== undefined)
      throw new BrokenRule(
        `request.${list}.${at}.name`,
        `“${name}” and “${other.name}” cannot both be sent: remove one of them.`,
      )
    const kinds = places.find((one) => isMixed(one.path, path))
    if (kinds !== undefined)
      throw new BrokenRule(
        `request.${list}.${at}.name`,
        `“${name}” and “${kinds.name}” make the same thing a list and a group: change one of them.`,
      )
  }
}

/** The place in all that is sent. A text is like a group if it holds JSON, and like a list if it holds names and values. */
function placeOf({path, inside}: BodyRow, at: number): MemberPath {
  if (inside === undefined) return path
  return inside.text === 'query' ? [...path, at] : [...path, '', ...inside.path]
}

/**
 * What stands on a page, such as a token of the visitor, is for its own website.
 * @throws BrokenRule
 */
function checkOwnWebsite({address, headers, query, body, result}: RequestAction): void {
  for (const [list, rows] of Object.entries({headers, query, body}))
    for (const [at, {value}] of rows.entries()) {
      if (!('page' in value)) continue
      const field = `request.${list}.${at}`
      if (address.origin !== undefined)
        throw new BrokenRule(
          field,
          'What stands on the page is sent to its own website only: begin the address with “/”, or remove the row.',
        )
      if (result.kind === 'parts')
        throw new BrokenRule(
          field,
          'A tool that returns parts of a page sends nothing of the page: remove the row.',
        )
    }
}
