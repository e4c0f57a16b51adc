import {exact} from '../actions/run/json.ts'
import {isRecord, jsonIn} from '../schemas/record.ts'
import {formatMemberPath, type MemberPath} from '../schemas/rules/names/memberPath.ts'
import {looksRandom} from '../schemas/rules/names/secrets.ts'
import {multipartValues} from './multipart.ts'
import {decodedSegment, isId, nameFromWords, segmentsOf, singularOf} from './names.ts'

/** A request as it was recorded, or as a command says. It has no headers: they contain secrets. */
export type Exchange = {
  readonly method: string
  /** The whole address, such as `https://www.example.com/api/events?q=rope`. */
  readonly address: string
  readonly contentType?: string | undefined
  /** As it was sent. */
  readonly body?: string | undefined
  /** JSON as a value, any other answer as text; undefined if there is none. */
  readonly answer?: unknown
}

/** A value of a request, in its place. */
export type Value = {
  readonly place: 'path' | 'query' | 'body'
  /** As it is sent; in the path, the position of the part; empty for a body that is one value. */
  readonly name: string
  /** What was sent: text in the path and the query. */
  readonly value: unknown
  /** Of the parameter that it would be. */
  readonly parameter: string
  /** The value is a part of a text, which holds this… */
  readonly inside?: 'json' | 'query'
  /** …at this place. */
  readonly member?: string
}

/** Values of a body, and of a text, at most. */
const MAX_VALUES = 50
const MAX_IN_TEXT = 25

/**
 * The values that a request sends.
 * @param isWhole whether a text is one value, although it looks as if it held several
 * @param isOwn whether a value in a list that is a body is one of its own: otherwise the list is one value
 */
export function valuesOf(
  exchange: Exchange,
  isWhole: (text: string) => boolean = () => false,
  isOwn: (value: Value) => boolean = () => true,
): Value[] {
  const url = new URL(exchange.address)
  const sent = [...queryValues(url), ...bodyValues(exchange, isOwn)]
  return [...pathValues(url), ...sent.flatMap((value) => opened(value, isWhole))].slice(0, MAX_VALUES)
}

/** What is sent as one text is often several values: variables of GraphQL, the search of a shop. */
function opened(outer: Value, isWhole: (text: string) => boolean): Value[] {
  const {place, name, value} = outer
  if (typeof value !== 'string' || isWhole(value) || /^extensions\b/.test(name)) return [outer]
  const inner = QUERY_TEXT.test(value) ? bodyOf(value, '') : JSON_TEXT.test(value) && bodyOf(value, '')
  if (!inner) return [outer]
  const inside = inner.encoding === 'form' ? 'query' : 'json'
  const values = valuesIn(inner).map(
    ({name: member, ...one}) => ({...one, place, name, inside, member}) as const,
  )
  return values.length === 0 || values.length > MAX_IN_TEXT ? [outer] : values
}

const JSON_TEXT = /^\s*[[{]/

/** Names and values that are encoded: the first one is not empty, as that of another encoded text may be. */
const QUERY_TEXT = /^[\w.%[\]-]+=(?!')[\w.%+*!'()~-]+(?:&[\w.%[\]-]+=[\w.%+*!'()~-]*)*$/

function pathValues(url: URL): Value[] {
  const segments = segmentsOf(url)
  return segments.flatMap((segment, at) => {
    const value = decodedSegment(segment).replace(EXTENSION, '')
    const above = nameFromWords(singularOf(decodedSegment(segments[at - 1] ?? '')))
    // Of a stored operation, or a version.
    if (/^graphql$/i.test(above) || (/^(?:api|rest)$/i.test(above) && /^\d\d?$/.test(value))) return []
    // What a path begins with is a version, as in “/1/indexes”.
    if ((at < 2 || !isId(value)) && !looksRandom(value)) return []
    return [{place: 'path' as const, name: String(at), value, parameter: above === '' ? 'id' : `${above}Id`}]
  })
}

/** After the id in “b1.json”. */
export const EXTENSION = /\.(?:js|json|xml|txt|html?|php|aspx?)$/i

function queryValues({searchParams}: URL): Value[] {
  return rowsOf(searchParams).map((row) => ({place: 'query', ...row}))
}

/** A name that is there several times has a list. One with `=` is no name, but a text that was encoded as a whole. */
function rowsOf(params: URLSearchParams): Omit<Value, 'place'>[] {
  const names = new Set([...params.keys()].filter((name) => name !== '' && !name.includes('=')))
  return [...names].map((name) => {
    const values = params.getAll(name)
    return {name, value: values.length > 1 ? values : values[0], parameter: parameterFor(name)}
  })
}

/** What agents call a value. */
export function parameterFor(name: string): string {
  const last = lastName(name)
  return /^(?:q|s|term)$/i.test(last) ? 'query' : nameFromWords(last)
}

function bodyValues({method, body, contentType}: Exchange, isOwn: (value: Value) => boolean): Value[] {
  const parsed = method === 'GET' || !body ? undefined : bodyOf(body, contentType)
  if (parsed === undefined) return []
  const values = valuesIn(parsed).map((row): Value => ({place: 'body', ...row}))
  if (parsed.encoding !== 'json') return values
  const {json} = parsed
  const isOne = Array.isArray(json) ? !values.some(isOwn) : isMap(json) || Object.keys(json).length === 0
  return isOne
    ? [{place: 'body', name: '', value: json, parameter: Array.isArray(json) ? 'items' : 'values'}]
    : values
}

/** Whether an object has simple values by ids, such as quantities by the number of a product: its members differ from call to call. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false
  const members = Object.entries(value)
  return members.length > 0 && members.every(([name, one]) => ID.test(name) && typeof one !== 'object')
}

/** A number, or hexadecimal: names such as “addressLine1” are words. */
const ID = /^(?:\d{3,}|[\da-f-]{12,})$/i

function valuesIn(body: Body): Omit<Value, 'place'>[] {
  if (body.encoding !== 'json') return rowsOf(body.form)
  const deep = [...leavesOf(body.json, [])]
  const leaves = deep.length > MAX_VALUES ? [...leavesOf(body.json, [], 1)] : deep
  return leaves.map(({path, value}) => {
    const named = path.findLast((step) => typeof step === 'string')
    return {name: formatMemberPath(path), value, parameter: parameterFor(String(named ?? 'value'))}
  })
}

type Body = {encoding: 'form' | 'multipart'; form: URLSearchParams} | {encoding: 'json'; json: object}

/** A body that an action can send; undefined: it is something else. */
export function bodyOf(text: string, contentType = ''): Body | undefined {
  const form = multipartValues(text)
  if (form !== undefined) return {encoding: 'multipart', form}
  if (/^multipart\//i.test(contentType)) return undefined
  const json = jsonIn(exact(text))
  if (json !== undefined)
    return typeof json === 'object' && json !== null ? {encoding: 'json', json} : undefined
  return /^[\w.~%+[\]-]+=/.test(text) ? {encoding: 'form', form: new URLSearchParams(text)} : undefined
}

/** The values of a body. A list of texts or numbers is one value, and so is what is empty. */
function* leavesOf(
  value: unknown,
  path: MemberPath,
  depth = 15,
): Generator<{path: MemberPath; value: unknown}> {
  const isGroup = isRecord(value) && Object.keys(value).length > 0 && !isMap(value)
  const isListOfGroups = Array.isArray(value) && value.some((entry) => typeof entry === 'object' && entry)
  if (depth > 0 && (isGroup || (isListOfGroups && value.length < MAX_VALUES))) {
    for (const [step, member] of Array.isArray(value) ? value.entries() : Object.entries(value))
      yield* leavesOf(member, [...path, step], depth - 1)
  } else if (path.length > 0 && !path.some((step) => typeof step === 'string' && isRefused(step)))
    yield {path, value}
}

/** The rules refuse members that every object has, and characters that are not seen. */
function isRefused(name: string): boolean {
  return name === '' || name in {} || /\p{C}/u.test(name)
}

/** The last part of a name such as “variables.filter.city”, or “ctl00$Main$txtCity” of ASP.NET Web Forms. */
export function lastName(name: string): string {
  const last = name.split(/\.|(?<=\w)\$/).at(-1) ?? name
  return last.replace(/^(?:txt|ddl|cbo|chk|rbl)(?=[A-Z])/, '')
}
