import {SEARCHED, TECHNICAL} from '../actions/plan.ts'
import type {PageValue} from '../schemas/actions/row.ts'
import {isNothing} from '../schemas/calls/counts.ts'
import {isSecret, secretKindOf} from '../schemas/rules/names/secrets.ts'
import {scalarText} from '../schemas/rules/text.ts'
import {isInAnswers, type Source, sourceOf} from './answers.ts'
import {bodyOf, type Exchange, isMap, lastName, parameterFor, type Value, valuesOf} from './values.ts'

/** A value that a request sends: what agents set, what is always sent or stands on the page, or what the tool leaves out. */
export type Input = Value & {
  readonly use: 'parameter' | 'fixed' | 'page' | 'leave'
  readonly isRequired: boolean
  /** A password, a key, or another value that must be in no tool, not even as an example. */
  readonly isSecret: boolean
  /** Where the value stands on the page. */
  readonly page?: PageValue | undefined
  /** What a person can choose on the page instead. */
  readonly choices?: readonly Choice[] | undefined
  /** What a person reads next to its field. */
  readonly label?: string
  /** Of its field: https://html.spec.whatwg.org/multipage/input.html#attr-input-type */
  readonly type?: string
  /** Where the page had the value from. */
  readonly source?: Source | undefined
  /** Whether it tells the page from pages like it. */
  readonly isOfPage?: boolean
  /** Whether the answer is the same without it. */
  readonly isIdle?: boolean
}

/** A value of a field, and what a person reads there. An empty one is none of those that agents choose. */
export type Choice = {readonly value: string; readonly label: string}

/** The fields of one name of a form, as the form has them. */
export type FormField = Required<Pick<Input, 'name' | 'label' | 'type' | 'isRequired'>> & {
  readonly choices?: readonly Choice[]
  /** Whether it is sent as often as there are values. */
  readonly isList: boolean
}

/** What is known of the page that sent a request. */
export type Clues = {
  /** Where a value stands on the page. */
  readonly placeOf?: (value: string) => PageValue | undefined
  /** What a person could choose on the page when they chose a value. */
  readonly choicesOf?: ((value: string, name: string) => readonly Choice[] | undefined) | undefined
  /** What tells the page from pages like it. */
  readonly ids?: readonly string[]
  /** Requests that the page sent before. */
  readonly earlier?: readonly Exchange[]
  /** Whether texts that hold several values stay as they are. */
  readonly isClosed?: boolean
}

/** Names of values that are others each time. */
const LEFT_OUT = /^(?:_|cache[-_]?bust(?:er)?|timestamp|utm_.*)$/i

/** Names of what says where a list goes on. */
export const PAGED = /^(?:page|page_?number|offset|skip|start|cursor|after|before|next)$/i

/** Of GraphQL, GROQ and JSON-RPC: which operation is meant. An agent could send any other in the visitor's session. */
const OPERATION = /^(?:operation_?name|doc_?id|sha256_?hash|extensions|jsonrpc)$/i
const OF_STORED_OPERATION =
  /^(?:\[\d+\]\.)?(?:(?:document|query)_?(?:id|hash)|id|hash|(?:params\.)?(?:method|model))$/i
const WITH_STORED_OPERATION = /^(?:\[\d+\]\.)?(?:variables\b|jsonrpc$)/
const DOCUMENT = /^\s*(?:(?:query|mutation|subscription|fragment)\b[^{]*)?\{|^\s*\*\s*\[/

/** What ASP.NET Web Forms and Jakarta Faces keep in the page. */
const PAGE_STATE = /^__(?:VIEWSTATE|EVENTVALIDATION|PREVIOUSPAGE)|faces\.ViewState$/

/** Shorter values stand on a page by chance. */
export const SHORTEST_TOKEN = 8

/** What is wrong with a body that an action cannot send; undefined: it can. */
export function problemOfBody({method, body, contentType}: Exchange): string | undefined {
  if (method === 'GET' || body === undefined || body === '') return undefined
  return bodyOf(body, contentType) === undefined
    ? 'The request sends a file, or neither JSON nor a form, so it needs a script.'
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
  {placeOf, choicesOf, ids = [], earlier = [], isClosed = false}: Clues = {},
): Input[] {
  const texts = new Set(typed.map(comparable).filter((text) => text !== ''))
  const isTyped = (value: unknown) =>
    (isMap(value) ? Object.values(value) : [value].flat()).some(
      (one) => one !== '' && texts.has(comparable(scalarText(one))),
    )
  const isOwn = (value: Value) =>
    isTyped(value.value) ||
    isInField(value, secrets) ||
    isSecret(nameOf(value), value.value) ||
    isOfOperation(value, false) ||
    WITH_STORED_OPERATION.test(value.name)
  const plain = valuesOf(exchange, (text) => isClosed || isTyped(text), isOwn)
  const isStored = plain.some(({name}) => WITH_STORED_OPERATION.test(name))
  const values = plain.map((value): KnownValue => {
    const isOperation = isOfOperation(value, isStored)
    const isOfField = !isOperation && isInField(value, secrets)
    const name = value.place === 'path' ? '' : nameOf(value)
    const secret = isOfField || (!isOperation && isSecret(name, value.value))
    const isToken =
      (secret || PAGE_STATE.test(value.name)) &&
      !isOfField &&
      value.place !== 'path' &&
      !isTyped(value.value) &&
      typeof value.value === 'string' &&
      value.value.length >= SHORTEST_TOKEN
    const page = isToken ? placeOf?.(scalarText(value.value)) : undefined
    const isKept = page && (secretKindOf(name) || !isInAnswers(value.value, earlier))
    const isMeant = value.place === 'path' || OF_ONE.test(name)
    const isGiven = isMeant && !secret && !isOperation && !isTyped(value.value)
    const source = isGiven && sourceOf(value.value, earlier)
    const isOfPage = isGiven && value.place !== 'path' && ids.includes(scalarText(value.value))
    const known = {...value, isOperation, isSecret: secret, ...(isKept && {page})}
    return {...known, ...(source && {source}), ...(isOfPage && {isOfPage})}
  })
  const chosen = values.filter(
    (value) => value.place === 'path' || (!isLeftOut(value) && !value.isOperation && isTyped(value.value)),
  )
  const given = values.filter(({source, isOfPage}) => source || isOfPage)
  const places = exchange.method === 'GET' ? (['query'] as const) : (['body', 'query'] as const)
  const usual = places
    .map((place) => values.filter((value) => value.place === place && isUsual(value)))
    .find((found) => found.length > 0)
  const paged = values.filter((value) => isPaged(value, exchange, earlier))
  const parameters = chosen.some(({value, place}) => place !== 'path' || isTyped(value))
    ? [...chosen, ...given, ...paged]
    : [...chosen, ...(usual ?? given), ...paged]
  return values.map(({isOperation, ...value}) => {
    const isIdle =
      value.place === 'query' &&
      isTyped(value.value) &&
      hasNoEffect({...value, isOperation}, exchange, earlier)
    const isParameter = !isIdle && parameters.some((one) => isSame(one, value))
    const choices = isParameter ? choicesOf?.(scalarText(value.value), lastName(nameOf(value))) : undefined
    const mayLack = choices && (exchange.method === 'GET' || choices.some((choice) => choice.value === ''))
    return {
      ...value,
      ...(choices && {choices: choices.filter((choice) => choice.value !== '')}),
      ...(isIdle && {isIdle}),
      use: isParameter ? 'parameter' : value.page ? 'page' : isIdle || isLeftOut(value) ? 'leave' : 'fixed',
      isRequired:
        value.place === 'path' ||
        value.name === '' ||
        value.source !== undefined ||
        value.isOfPage === true ||
        isSearched(nameOf(value)) ||
        (!mayLack &&
          isTyped(value.value) &&
          typeof value.value === 'string' &&
          !PAGED.test(lastName(nameOf(value)))),
    }
  })
}

/** Parameters of one tool: agents are confused by more. */
const MOST_FIELDS = 12

/**
 * What a form sends: agents set its fields, also those that the request lacks, and the rest is always the same.
 * @param fields those that a person fills in
 */
export function inputsOfForm(exchange: Exchange, fields: readonly FormField[], clues: Clues = {}): Input[] {
  const place = exchange.method === 'GET' ? 'query' : 'body'
  const sent = inputsOf(exchange, [], [], {...clues, isClosed: true})
  const isOf = (input: Value, {name}: FormField) => input.place === place && input.name === name
  const isFilled = (field: FormField) => sent.some((input) => isOf(input, field) && input.value !== '')
  const used = fields
    .toSorted((one, other) => Number(isFilled(other)) - Number(isFilled(one)))
    .slice(0, MOST_FIELDS)
  const set = used.map(({isList, ...field}): Input => {
    const value: unknown = sent.find((input) => isOf(input, {isList, ...field}))?.value ?? ''
    const parameter = parameterFor(field.name)
    const known = {
      place,
      value: isList ? [value].flat().filter(Boolean) : value,
      parameter,
      isSecret: false,
    } as const
    const choices = field.choices?.filter((choice) => choice.value !== '')
    return {...known, ...field, ...(choices && {choices}), use: 'parameter'}
  })
  const others = sent.filter((input) => !used.some((field) => isOf(input, field)))
  return [
    ...set,
    ...others.map((input) =>
      PAGED.test(lastName(input.name))
        ? {...input, use: 'leave' as const}
        : input.use === 'parameter' || isFlag(input)
          ? {...input, use: 'fixed' as const}
          : input,
    ),
  ]
}

/** Whether a name without a value says which page it is, as in `?variables=`. */
export function isFlag({place, value, isSecret}: Input): boolean {
  return place === 'query' && value === '' && !isSecret
}

/** Names of what says which of many things is meant. */
export const OF_ONE =
  /(?:^|[^A-Za-z\d])(?:id|uuid|guid|slug|sku|handle|isbn|ean)\]?$|(?<=[a-z\d])(?:Id|ID|Uuid|Slug|Sku|Handle)$/

type KnownValue = Value &
  Pick<Input, 'isSecret' | 'page' | 'source' | 'isOfPage'> & {readonly isOperation: boolean}

/** The name of the value itself. */
export function nameOf({name, member}: Pick<Value, 'name' | 'member'>): string {
  return member ?? name
}

function isSame(one: Value, other: Value): boolean {
  return one.place === other.place && one.name === other.name && one.member === other.member
}

/** @param isStored whether the server may know the operation by a number or a hash */
function isOfOperation(value: Value, isStored: boolean): boolean {
  const name = lastName(nameOf(value))
  const text = scalarText(value.value)
  if (OPERATION.test(name) || /^extensions\b/.test(value.name) || /^[\da-f]{64}$/i.test(text)) return true
  if (isStored && value.member === undefined && OF_STORED_OPERATION.test(value.name)) return true
  return name === 'query' && DOCUMENT.test(text)
}

/** Whether a server ignores it: it sent the same answer for another text, and the page itself looks for what is searched. */
function hasNoEffect(value: KnownValue, exchange: Exchange, earlier: readonly Exchange[]): boolean {
  if (exchange.method !== 'GET' || typeof exchange.answer !== 'object' || isNothing(exchange.answer))
    return false
  const answer = JSON.stringify(exchange.answer)
  return others(value, exchange, earlier).some((one) => JSON.stringify(one.answer) === answer)
}

/** Requests for the same with another value, or without it. */
function others(value: Value, {method, address}: Exchange, earlier: readonly Exchange[]): Exchange[] {
  const {origin, pathname} = new URL(address)
  return earlier.filter((one) => {
    const before = new URL(one.address)
    if (one.method !== method || before.origin !== origin || before.pathname !== pathname) return false
    return valuesOf(one).find((other) => isSame(other, value))?.value !== value.value
  })
}

/** Whether the page says with it where its list goes on: it sent the same with another value, or without it. */
function isPaged(value: KnownValue, exchange: Exchange, earlier: readonly Exchange[]): boolean {
  const isOne = PAGED.test(lastName(nameOf(value))) && typeof value.value !== 'object'
  return isOne && others(value, exchange, earlier).length > 0
}

function comparable(text: string): string {
  return text.trim().toLowerCase()
}

/** A short secret, such as a code of four digits, may be part of another text by chance. */
const SHORTEST_PART = 6

function isInField({value}: Value, secrets: readonly string[]): boolean {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return secrets.some(
    (secret) =>
      secret !== '' && (text === secret || (secret.length >= SHORTEST_PART && text.includes(secret))),
  )
}

type Judged = Value & Pick<Input, 'isSecret'>

function isLeftOut(known: Judged): boolean {
  // A form of SvelteKit is sent to `?/name`.
  const isEmpty = known.value === '' && !known.name.startsWith('/')
  return known.isSecret || LEFT_OUT.test(lastName(nameOf(known))) || isEmpty
}

/** Whether it is a simple value with a name that is about the content. */
function isUsual(known: KnownValue): boolean {
  const {value, isOperation} = known
  const isSimple = typeof value !== 'object' || Array.isArray(value) || isMap(value)
  const isTechnical = TECHNICAL.test(nameOf(known)) || /^(?:geo)?json$/i.test(scalarText(value))
  return isSimple && value !== null && !isOperation && !isTechnical && !isLeftOut(known)
}

/** Whether people look something up by this value, so that a tool without it finds nothing. */
export function isSearched(name: string): boolean {
  return SEARCHED.test(lastName(name))
}
