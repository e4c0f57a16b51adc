import {formatMemberPath, type MemberPath} from '../actions/parts/steps.ts'
import {isRecord} from '../record.ts'
import {isSecret, looksRandom} from '../rules/names/secrets.ts'
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

/** A value that a request sends: what agents set, what is always sent, or what the tool leaves out. */
export type Input = {
  readonly place: 'path' | 'query' | 'body'
  /** As it is sent; in the path, the position of the part. */
  readonly name: string
  /** What was sent: text in the path and the query. */
  readonly value: unknown
  readonly use: 'parameter' | 'fixed' | 'leave'
  /** Of the parameter that it is, or would be. */
  readonly parameter: string
  readonly isRequired: boolean
  /** A password, a key, or another value that must be in no tool, not even as an example. */
  readonly isSecret: boolean
}

/** Names that are for the server, and that no agent sets. */
const TECHNICAL =
  /^(?:page|page_?size|page_?number|per_?page|limit|offset|skip|take|size|rows|start|first|after|before|cursor|sort(?:_?by)?|order(?:_?by)?|dir(?:ection)?|lang(?:uage)?|locale|hl|format|fields|include|expand|callback|v|version|api-version|client|source|type|operationname|query|extensions.*|utm_.*)$/i

/** Names of values that are others each time. */
const LEFT_OUT = /^(?:_|cache[-_]?bust(?:er)?|timestamp|utm_.*)$/i

/** Names of what people look for. */
const SEARCHED = /^(?:q|s|query|search|term|keywords?|text)$/i

const MAX_INPUTS = 50

/** What is wrong with a body that an action cannot send; undefined: it can. */
export function problemOfBody({method, body, contentType}: Exchange): string | undefined {
  if (method === 'GET' || body === undefined || body === '') return undefined
  return bodyOf(body, contentType) === undefined
    ? 'The request sends neither JSON nor a simple form, so it needs a script.'
    : undefined
}

/**
 * What a request sends, and which of it an agent would set: what a person typed on the page and ids in the path, else
 * what the body has, else what the query has.
 * @param typed texts of the page's fields
 * @param secrets texts of its fields for passwords, codes and cards
 */
export function inputsOf(
  exchange: Exchange,
  typed: readonly string[] = [],
  secrets: readonly string[] = [],
): Input[] {
  const url = new URL(exchange.address)
  const texts = new Set(typed.map(comparable).filter((text) => text !== ''))
  const isTyped = (value: unknown) =>
    [value].flat().some((one) => one !== '' && texts.has(comparable(String(one))))
  const values = [...pathValues(url), ...queryValues(url), ...bodyValues(exchange)]
    .slice(0, MAX_INPUTS)
    .map((value) => ({...value, isSecret: isSecretInput(value, secrets)}))
  const chosen = values.filter(
    (value) => value.place === 'path' || (!isLeftOut(value) && isTyped(value.value)),
  )
  const places = exchange.method === 'GET' ? (['query'] as const) : (['body', 'query'] as const)
  const usual = places
    .map((place) => values.filter((value) => value.place === place && isUsual(value)))
    .find((found) => found.length > 0)
  const parameters = chosen.some(({value, place}) => place !== 'path' || isTyped(value))
    ? chosen
    : [...chosen, ...(usual ?? [])]
  return values.map((value) => ({
    ...value,
    use: parameters.includes(value) ? 'parameter' : isLeftOut(value) ? 'leave' : 'fixed',
    isRequired: value.place === 'path' || (isTyped(value.value) && typeof value.value === 'string'),
  }))
}

type Value = Pick<Input, 'place' | 'name' | 'value' | 'parameter'>
type KnownValue = Value & Pick<Input, 'isSecret'>

function comparable(text: string): string {
  return text.trim().toLowerCase()
}

function lastName(name: string): string {
  return name.split('.').at(-1) ?? name
}

/** A short secret, such as a code of four digits, may be part of another text by chance. */
const SHORTEST_PART = 6

function isSecretInput({place, name, value}: Value, secrets: readonly string[]): boolean {
  // Servers know a query of GraphQL by its hash, which is no secret.
  if (/^extensions\b/.test(name)) return false
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const isInField = secrets.some(
    (secret) =>
      secret !== '' && (text === secret || (secret.length >= SHORTEST_PART && text.includes(secret))),
  )
  return isInField || isSecret(place === 'path' ? '' : name, value)
}

function isLeftOut({name, value, isSecret}: KnownValue): boolean {
  return isSecret || LEFT_OUT.test(lastName(name)) || value === ''
}

/** Whether it is a simple value with a name that is about the content. */
function isUsual(known: KnownValue): boolean {
  const {name, value} = known
  const isSimple = typeof value !== 'object' || Array.isArray(value)
  return isSimple && value !== null && !TECHNICAL.test(name) && !isLeftOut(known)
}

function pathValues(url: URL): Value[] {
  const segments = segmentsOf(url)
  return segments.flatMap((segment, at) => {
    const value = decodedSegment(segment).replace(EXTENSION, '')
    const above = nameFromWords(singularOf(decodedSegment(segments[at - 1] ?? '')))
    // What a path begins with is a version, as in “/1/indexes”.
    if ((at < 2 || !isId(value)) && !looksRandom(value)) return []
    return [{place: 'path' as const, name: String(at), value, parameter: above === '' ? 'id' : `${above}Id`}]
  })
}

/** After the id in “b1.json”. */
export const EXTENSION = /\.(?:json|xml|txt|html?|php|aspx?)$/i

function queryValues({searchParams}: URL): Value[] {
  return rowsOf(searchParams).map((row) => ({place: 'query', ...row}))
}

/** A name that is there several times has a list. One with `=` is no name, but a text that was encoded as a whole. */
function rowsOf(params: URLSearchParams): Omit<Value, 'place'>[] {
  const names = new Set([...params.keys()].filter((name) => !name.includes('=')))
  return [...names].map((name) => {
    const values = params.getAll(name)
    return {name, value: values.length > 1 ? values : values[0], parameter: parameterFor(name)}
  })
}

function parameterFor(name: string): string {
  const last = lastName(name)
  return /^(?:q|s|term)$/i.test(last) ? 'query' : nameFromWords(last)
}

function bodyValues({method, body, contentType}: Exchange): Value[] {
  const parsed = method === 'GET' || !body ? undefined : bodyOf(body, contentType)
  if (parsed === undefined) return []
  if (parsed.encoding === 'form') return rowsOf(parsed.form).map((row) => ({place: 'body', ...row}))
  const deep = [...leavesOf(parsed.json, [])]
  const leaves = deep.length > MAX_INPUTS ? [...leavesOf(parsed.json, [], 1)] : deep
  return leaves.map(({path, value}) => {
    const name = formatMemberPath(path)
    const named = path.findLast((step) => typeof step === 'string')
    return {place: 'body', name, value, parameter: parameterFor(String(named ?? 'value'))}
  })
}

type Body = {encoding: 'form'; form: URLSearchParams} | {encoding: 'json'; json: unknown}

/** A body that an action can send; undefined: it is something else. */
export function bodyOf(text: string, contentType = ''): Body | undefined {
  if (/^multipart\//i.test(contentType)) return undefined
  try {
    const json: unknown = JSON.parse(text.replace(JSON_PART, digitsKept))
    return typeof json === 'object' && json !== null ? {encoding: 'json', json} : undefined
  } catch {
    return /^[\w.~%+[\]-]+=/.test(text) ? {encoding: 'form', form: new URLSearchParams(text)} : undefined
  }
}

/** A text or a number of JSON. */
const JSON_PART = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi

/** A whole number that JavaScript would round, such as an identifier of 19 digits, becomes a text. */
function digitsKept(part: string): string {
  return /^-?\d{16,}$/.test(part) && !Number.isSafeInteger(Number(part)) ? `"${part}"` : part
}

/** The values of a body. A list of texts or numbers is one value, and so is what is empty. */
function* leavesOf(
  value: unknown,
  path: MemberPath,
  depth = 15,
): Generator<{path: MemberPath; value: unknown}> {
  const isGroup = isRecord(value) && Object.keys(value).length > 0
  const isListOfGroups = Array.isArray(value) && value.some((entry) => typeof entry === 'object' && entry)
  if (depth > 0 && (isGroup || (isListOfGroups && value.length < MAX_INPUTS))) {
    for (const [step, member] of Array.isArray(value) ? value.entries() : Object.entries(value))
      yield* leavesOf(member, [...path, step], depth - 1)
  } else if (path.length > 0 && !path.some((step) => typeof step === 'string' && isRefused(step)))
    yield {path, value}
}

/** The rules refuse members that every object has, and characters that are not seen. */
function isRefused(name: string): boolean {
  return name === '' || name in {} || /\p{C}/u.test(name)
}

/** Whether people look something up by this value, so that a tool without it finds nothing. */
export function isSearched(name: string): boolean {
  return SEARCHED.test(lastName(name))
}
