import {formatMemberPath} from '../rules/names/memberPath.ts'
import type {Row} from '../rules/text.ts'
import type {Action, ActionKind} from './action.ts'
import type {Address} from './parts/address.ts'
import {templateText} from './parts.ts'
import type {ItemField, Part} from './reading.ts'
import {type RequestAction, type SentRow, titleOf} from './request.ts'
import {isInColumns, type Member, type Result} from './result.ts'
import type {RowValue} from './row.ts'

/** What a tool does, as a choice. */
export const ACTION_TITLES: Readonly<Record<ActionKind, string>> = {
  request: 'Sends a request, and returns what comes back',
  reading: 'Reads something from the page',
  link: 'Opens a page',
  script: 'Runs a script',
}

/** An action as rows, such as “Returns: title, date (of data.items, at most 10)”. */
export function describeAction(action: Action): Row[] {
  switch (action.kind) {
    case 'request':
      return describeRequest(action)
    case 'reading':
      return [
        ...action.parts.map((part) => ({title: 'Reads', part: part.name, text: describePart(part)})),
        ...(action.pages === 1 ? [] : [{title: 'Presses “Load more”', text: `at most ${action.pages - 1}`}]),
        ...(action.nothing === undefined ? [] : [{title: NOTHING, text: action.nothing}]),
      ]
    case 'link':
      return [{title: 'Opens', text: addressText(action.address)}]
  }
}

const NOTHING = 'If there is nothing'

function describeRequest({
  method,
  address,
  headers,
  query,
  body,
  encoding,
  result,
  error,
  nothing,
}: RequestAction): Row[] {
  return [
    {title: 'Requests', text: `${method} ${addressText(address)}`},
    ...(headers.length === 0 ? [] : [{title: 'Sends as headers', text: rowsText(headers)}]),
    ...(query.length === 0 ? [] : [{title: 'Sends in the address', text: rowsText(query)}]),
    ...(body.length === 0
      ? []
      : [{title: 'Sends', text: `${rowsText(body)} (as ${ENCODING_WORDS[encoding]})`}]),
    {title: 'Returns', text: describeResult(result)},
    ...(error.length === 0 ? [] : [{title: 'Text of an error', text: formatMemberPath(error)}]),
    ...(nothing === undefined ? [] : [{title: NOTHING, text: templateText(nothing)}]),
  ]
}

const ENCODING_WORDS = {json: 'JSON', form: 'a form', multipart: 'a form in parts'}

function rowsText(rows: readonly SentRow[]): string {
  return rows.map((row) => `${titleOf(row)} = ${valueText(row.value)}`).join(', ')
}

function valueText(value: RowValue): string {
  if ('parameter' in value) return `{${value.parameter}}`
  if ('fixed' in value) return JSON.stringify(value.fixed)
  const {page} = value
  if ('cookie' in page) return `the cookie “${page.cookie}” of the page`
  return `${page.attribute === undefined ? '' : `${page.attribute} of `}“${page.selector}” of the page`
}

function addressText({origin = '', path, query, fragment}: Address): string {
  const values = query.map(({name, value}) => `${name}=${templateText(value)}`)
  const parts = [origin, templateText(path), values.length === 0 ? '' : `?${values.join('&')}`]
  return [...parts, fragment.length === 0 ? '' : `#${templateText(fragment)}`].join('')
}

function describeResult(result: Result): string {
  switch (result.kind) {
    case 'message':
      return `“${result.message}”`
    case 'text':
      return 'the answer as text'
    case 'parts':
      return `of ${result.pages === 1 ? 'the page' : `at most ${result.pages} pages`}: ${result.parts.map((part) => `${part.name} from ${describePart(part)}`).join(', ')}`
    case 'object':
      return `${membersText(result.members)}${result.path.length === 0 ? '' : ` (of ${formatMemberPath(result.path)})`}`
    case 'list': {
      const where = result.path.length === 0 ? 'each entry' : formatMemberPath(result.path)
      const rows = isInColumns(result) ? 'rows of the columns in ' : ''
      return `${membersText(result.members)} (of ${rows}${where}, at most ${result.limit})`
    }
  }
}

function membersText(members: readonly Member[]): string {
  if (members.length === 0) return 'everything'
  return members
    .map(({name, path}) => {
      const place = formatMemberPath(path)
      return place === name ? name : `${name} from ${place || 'the whole'}`
    })
    .join(', ')
}

const PART_WORDS: Readonly<Record<Part['kind'], string>> = {
  text: 'the text of',
  attribute: 'the attribute',
  table: 'the table',
  items: 'the entries',
  list: 'the list',
  definitions: 'the definitions',
  links: 'the links in',
}

function describeField(field: ItemField): string {
  const what =
    field.kind === 'attribute' ? `${field.attribute} of ` : field.kind === 'address' ? 'address of ' : ''
  return `${field.name} from ${what}${field.selector || 'the entry'}`
}

function describePart(part: Part): string {
  const details = [
    ...(part.kind === 'table' && part.columns.length > 0 ? [`columns ${part.columns.join(', ')}`] : []),
    ...(part.kind === 'items' ? [part.fields.map(describeField).join(', ')] : []),
    ...('limit' in part ? [`at most ${part.limit}`] : []),
  ]
  const what =
    part.kind === 'attribute' ? `${PART_WORDS[part.kind]} ${part.attribute} of` : PART_WORDS[part.kind]
  return `${what} ${part.selector}${details.length === 0 ? '' : ` (${details.join('; ')})`}`
}
