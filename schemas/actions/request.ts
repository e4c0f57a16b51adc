import type {Fields} from '../record.ts'
import {requestChanges} from '../rules/hints/effects.ts'
import {type MemberPath, startsWith} from '../rules/names/memberPath.ts'
import {BrokenRule, checked, parseChoice} from '../rules/parsed.ts'
import {type Address, parseAddress, parseTemplate} from './parts/address.ts'
import {entriesOf, isMixed, parseName, parseOptionalText, parsePlainPath, type Template} from './parts.ts'
import {parseResult} from './result.ts'
import {type Inside, parseBodyPath, parseHeader, parseInside, parseRowValue, type RowValue} from './row.ts'

/** A request to a server, of which the tool returns a part of the answer. */
export type RequestAction = ReturnType<typeof parseRequest>

/** A value that is sent, and its place: in JSON a path, elsewhere a name. Without a name, it is all of a body in JSON. */
export type SentRow = {
  readonly path: MemberPath
  readonly name: string
  readonly value: RowValue
  readonly inside?: Inside | undefined
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const ENCODINGS = ['json', 'form', 'multipart'] as const
export type Encoding = (typeof ENCODINGS)[number]

const MAX_ROWS = 50

/** @throws BrokenRule */
export function parseRequest(request: Fields) {
  const method = checked('request.method', parseChoice(request.method, METHODS, 'The method'))
  const address = checked('request.address', parseAddress(request.address))
  if (address.fragment.length > 0)
    throw new BrokenRule('request.address', 'A request never sends what is after “#”: remove it.')
  const encoding = checked('request.encoding', parseChoice(request.encoding, ENCODINGS, 'The encoding'))
  const headers: SentRow[] = entriesOf(
    request.headers,
    'request.headers',
    'The list of headers',
    MAX_ROWS,
    parseHeader,
  )
  const query = parseRows(request.query, 'query', false)
  const body = parseRows(request.body, 'body', encoding === 'json')
  if (method === 'GET' && body.length > 0)
    throw new BrokenRule(
      'request.body',
      'Browsers send no body with GET: choose POST, or move the rows to the query.',
    )
  const result = parseResult(request.result)
  const lists = {headers, query, body}
  checkOwnWebsite(address, lists)
  return {
    kind: 'request' as const,
    method,
    address,
    ...lists,
    encoding,
    /** Whether it may change something. */
    changes: requestChanges({action: 'request', request}),
    result,
    /** Where the text of an error is in what the server sends; empty: in the usual places. */
    error: checked('request.error', parsePlainPath(request.error, 'The place of the text of an error')),
    /** What the agent reads if there is nothing: 404, an empty list, an empty answer. */
    nothing: parseNothing(request.nothing, 'request.nothing'),
  }
}

/** @throws BrokenRule */
function parseNothing(value: unknown, field: string): Template | undefined {
  const text = checked(field, parseOptionalText(value, 'The text', 300))
  return text === undefined ? undefined : checked(field, parseTemplate(text))
}

/** @throws BrokenRule if a row is broken, or two would be at the same place of JSON */
function parseRows(value: unknown, list: 'query' | 'body', isJson: boolean): SentRow[] {
  const what = list === 'query' ? 'The query' : 'The body'
  const rows = entriesOf(value, `request.${list}`, what, MAX_ROWS, (entry, field) => {
    const isWhole = isJson && Array.isArray(value) && value.length === 1 && (entry.name ?? '') === ''
    const name = isWhole ? '' : checked(`${field}.name`, parseName(entry.name, 'The name of a row'))
    const path = isJson ? checked(`${field}.name`, parseBodyPath(name)) : [name]
    return {path, name, ...parseInside(entry, field), value: parseRowValue(entry, field)}
  })
  const places = rows.flatMap((row, at) => (isJson || row.inside ? [{at, row, path: placeOf(row, at)}] : []))
  for (const {at, row, path} of places) {
    const refuse = (other: SentRow, problem: string) => {
      const names = `“${titleOf(row)}” and “${titleOf(other)}”`
      throw new BrokenRule(`request.${list}.${at}.name`, `${names} ${problem} one of them.`)
    }
    const other = places.find((one) => one.at !== at && startsWith(one.path, path))
    if (other) refuse(other.row, 'cannot both be sent: remove')
    const kinds = places.find((one) => isMixed(one.path, path))
    if (kinds) refuse(kinds.row, 'make the same thing a list and a group: change')
  }
  return rows
}

/** The name of a value, also inside a text. */
export function titleOf({name, inside}: SentRow): string {
  return inside ? `${name} › ${inside.member}` : name || 'the whole body'
}

/** The place in all that is sent. A text is like a group if it holds JSON, and like a list if it holds names and values. */
function placeOf({path, inside}: SentRow, at: number): MemberPath {
  if (inside === undefined) return path
  return inside.text === 'query' ? [...path, at] : [...path, '', ...inside.path]
}

/**
 * What stands on a page, such as a token of the visitor, is for its own website.
 * @throws BrokenRule
 */
function checkOwnWebsite({origin}: Address, lists: Readonly<Record<string, readonly SentRow[]>>): void {
  for (const [list, rows] of Object.entries(lists)) {
    const row = origin === undefined ? undefined : rows.find(({value}) => 'page' in value)
    if (row !== undefined)
      throw new BrokenRule(
        `request.${list}`,
        `“${titleOf(row)}” stands on the page, and is sent to its own website only: begin the address with “/”, or remove the row.`,
      )
  }
}
