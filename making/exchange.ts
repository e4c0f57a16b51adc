import type {Encoding} from '../schemas/actions/request.ts'
import {isRecord} from '../schemas/record.ts'
import {type Input, isSearched, nameOf} from './inputs.ts'
import {
  decodedSegment,
  freeName,
  idsIn,
  isCount,
  isId,
  nameFromWords,
  segmentsOf,
  singularOf,
} from './names.ts'
import type {Asked} from './proposeResult.ts'
import type {ProposedResult} from './tree.ts'
import {bodyOf, EXTENSION, type Exchange, isMap} from './values.ts'

/** Fields of a tool that sends a request. */
export type ProposedTool = {
  readonly action: 'request'
  readonly request: {
    readonly method: string
    readonly address: string
    readonly headers?: readonly Row[]
    readonly query?: readonly Row[]
    readonly encoding?: Encoding
    readonly body?: readonly Row[]
    readonly result: ProposedResult
  }
  /** JSON Schema as text. */
  readonly inputSchema: string
}

export type Row = {
  readonly name: string
  readonly parameter?: string
  readonly value?: string
  readonly format?: 'json'
  readonly selector?: string
  readonly attribute?: string | undefined
  readonly cookie?: string
  readonly inside?: 'json' | 'query'
  readonly member?: string | undefined
}

/** What an editor chose. */
type Choices = {
  /** Of the page: addresses of its own are written without it. */
  readonly origin: string
  readonly inputs: readonly Input[]
  readonly headers?: readonly Row[]
  readonly result: ProposedResult
}

/** A tool that sends the request of an exchange. */
export function toolOf(exchange: Exchange, {origin, inputs, headers = [], result}: Choices): ProposedTool {
  const {method, body, contentType} = exchange
  const named = withFreeNames(inputs)
  const query = rowsAt('query', named)
  const sent = rowsAt('body', named)
  const {encoding = 'json'} = bodyOf(body ?? '', contentType) ?? {}
  return {
    action: 'request',
    request: {
      method,
      address: addressOf(exchange.address, origin, named),
      ...(headers.length > 0 && {headers}),
      ...(query.length > 0 && {query}),
      ...(sent.length > 0 && {encoding, body: sent}),
      result,
    },
    inputSchema: JSON.stringify(schemaOf(named, encoding === 'json'), null, 2),
  }
}

/** A tool that opens the page of an exchange. */
export function linkOf(exchange: Exchange, choices: Omit<Choices, 'result'>) {
  const {request, inputSchema} = toolOf(exchange, {...choices, result: {kind: 'text'}})
  const query = (request.query ?? []).map(({name, parameter, value = ''}) => {
    const sent = parameter ? `{${parameter}}` : encodeURIComponent(value)
    return `${encodeURIComponent(name)}=${sent}`
  })
  return {action: 'link', link: {address: `${request.address}?${query.join('&')}`}, inputSchema}
}

/** What the answer of an exchange is an answer to. */
export function askedOf({method, address}: Exchange): Asked {
  const path = new URL(address).pathname
  const ids = idsIn(path.replace(EXTENSION, ''))
  const shown = path.split('/').map((part) => (ids.includes(part.replace(EXTENSION, '')) ? '{id}' : part))
  return {method, path: shown.join('/')}
}

/** What an agent passes that sends what was sent. */
export function argumentsOf(inputs: readonly Input[]): Readonly<Record<string, unknown>> {
  const parameters = withFreeNames(inputs).filter(({use}) => use === 'parameter')
  const sent = parameters.filter(({value}) => String(value) !== '')
  return Object.fromEntries(sent.map(({parameter, value}) => [parameter, value]))
}

function withFreeNames(inputs: readonly Input[]): Input[] {
  const taken = new Set<string>()
  return inputs.map((input) => {
    if (input.use !== 'parameter') return input
    const parameter = freeName(input.parameter, taken)
    taken.add(parameter)
    return {...input, parameter}
  })
}

function addressOf(address: string, origin: string, inputs: readonly Input[]): string {
  const url = new URL(address)
  const segments = segmentsOf(url).map((segment, at) => {
    const input = inputs.find(({place, name}) => place === 'path' && name === String(at))
    if (input?.use !== 'parameter') return segment
    return `{${input.parameter}}${EXTENSION.exec(segment)?.[0] ?? ''}`
  })
  return `${url.origin === origin ? '' : url.origin}${segments.join('/')}`
}

function rowsAt(place: Input['place'], inputs: readonly Input[]): Row[] {
  return inputs
    .filter((input) => input.place === place && input.use !== 'leave')
    .flatMap(({name, value, use, parameter, inside, member, page}): Row[] => {
      const row = {name, ...(inside && {inside, member})}
      if (use === 'parameter') return [{...row, parameter}]
      if (use === 'page') return [{...row, ...page}]
      const isQuery = inside === undefined ? place === 'query' : inside === 'query'
      const values: unknown[] = isQuery && Array.isArray(value) ? value : [value]
      return values.map((one) => ({...row, ...fixedValue(one)}))
    })
}

/** Text is sent as it is. An empty one would count as missing. */
function fixedValue(value: unknown): Pick<Row, 'value' | 'format'> {
  const isText = typeof value === 'string' && value !== ''
  return isText ? {value} : {value: JSON.stringify(value), format: 'json'}
}

/** @param isJson whether the body is sent as JSON, where a number and its text differ */
function schemaOf(inputs: readonly Input[], isJson: boolean): object {
  const parameters = inputs.filter(({use}) => use === 'parameter')
  const required = parameters.filter(({isRequired}) => isRequired).map(({parameter}) => parameter)
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((input) => [input.parameter, propertyOf(input, isJson)])),
    ...(required.length > 0 && {required}),
  }
}

function propertyOf(input: Input, isJson: boolean): object {
  const {place, value, isSecret, inside, choices = [], label, source, isOfPage} = input
  const [one = '']: unknown[] = [value].flat()
  const isText = place === 'path' || isSearched(nameOf(input))
  const isValueOfJson = inside === undefined ? isJson && place === 'body' : inside === 'json'
  const type =
    TYPES[input.type ?? ''] ?? (isText ? 'string' : typeOf(one, isValueOfJson ? undefined : nameOf(input)))
  const sample =
    isSecret || choices.length > 0 ? '' : sampleText(isMap(value) ? Object.values(value)[0] : one)
  const named = choices.filter((choice) => choice.label !== choice.value)
  const described = source
    ? `The ${source.member} that ${askedOf(source.exchange).path} returns.`
    : [
        label,
        named.map((choice) => `“${choice.value}” is “${choice.label}”`).join(', '),
        sample &&
          `${isMap(value) ? 'Ids, each with a value such' : label ? 'such' : 'Such'} as “${sample}”${isOfPage ? ', as in the address of its page' : ''}`,
      ]
        .filter(Boolean)
        .join(label && named.length > 0 ? ': ' : ', ')
        .replace(/(?<!^)$/, '.')
  const isNumber = type === 'integer' || type === 'number'
  const values = choices.map((choice) => (isNumber ? Number(choice.value) : choice.value))
  const schema = {...typeSchema(type), ...(values.length > 0 && {enum: values})}
  return {
    ...(typeof one === 'object' && one
      ? shapeOf(value)
      : Array.isArray(value)
        ? {type: 'array', items: schema}
        : schema),
    ...(described !== '' && {description: described}),
  }
}

/** The schema of a value of JSON; entries of a list have the members of all. */
function shapeOf(value: unknown): object {
  if (Array.isArray(value)) {
    const entries: unknown[] = value
    const merged = entries.every(isRecord) ? Object.assign({}, ...entries) : entries[0]
    return {type: 'array', items: shapeOf(merged)}
  }
  if (!isRecord(value)) return typeSchema(typeOf(value, undefined))
  const members = Object.entries(value).map(([name, one]) => [name, shapeOf(one)])
  return {type: 'object', ...(!isMap(value) && {properties: Object.fromEntries(members)})}
}

/** Of fields of forms. */
const TYPES: Readonly<Record<string, Type>> = {date: 'date', number: 'number', range: 'number'}

type Type = 'string' | 'date' | 'integer' | 'number' | 'boolean' | undefined

function typeSchema(type: Type): object {
  if (type === 'date') return {type: 'string', format: 'date'}
  return type === undefined ? {} : {type}
}

/**
 * JSON says what a value is. In a query and a form all are texts, such as a postcode that begins with 0, but for yes or
 * no, and for how many.
 * @param name of a value in a query or a form
 */
function typeOf(value: unknown, name: string | undefined): Type {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value !== 'string') return undefined
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date'
  if (name === undefined) return 'string'
  if (/^(?:true|false)$/.test(value)) return 'boolean'
  return isCount(name) && /^(?:0|[1-9]\d{0,8})$/.test(value) ? 'integer' : 'string'
}

const SAMPLE_LENGTH = 40

function sampleText(value: unknown): string {
  if (typeof value === 'object') return ''
  const text = String(value)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
  // Such as an e-mail address or a number of a customer.
  return text.length > SAMPLE_LENGTH || /@|\d{5,}/.test(text) ? '' : text
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'send',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'remove',
}

/** The operation of GraphQL in a body or an address. */
export function operationOf({body = '', address = ''}: Partial<Exchange>): string | undefined {
  const inAddress = URL.parse(address)?.searchParams.get('operationName')
  if (inAddress) return inAddress
  const [, named, inQuery] =
    /"operationName"\s*:\s*"([A-Za-z]\w*)"|"query"\s*:\s*"(?:\s|\\n)*(?:query|mutation)\s+([A-Za-z]\w*)/.exec(
      body,
    ) ?? []
  return named ?? inQuery
}

/** The operations of GraphQL that a page sends as one list, each as a request of its own. */
export function operationsIn(exchange: Exchange): Exchange[] {
  const {body = '', contentType, answer} = exchange
  const sent = /^\s*\[/.test(body) ? bodyOf(body, contentType) : undefined
  const entries: unknown[] = sent?.encoding === 'json' && Array.isArray(sent.json) ? sent.json : []
  const areOperations = entries.every((one) => isRecord(one) && ('query' in one || 'operationName' in one))
  if (entries.length === 0 || !areOperations) return [exchange]
  const answers: unknown[] = Array.isArray(answer) ? answer : []
  return entries.map((one, at) => ({...exchange, body: JSON.stringify(one), answer: answers[at]}))
}

/** Words of a button that name a tool. */
const MAX_WORDS = 5

/**
 * A name for a tool that sends this request: `searchEvents`, `getBook`.
 * @param pressed the text of the button that sent it, such as “Add to cart”
 */
export function proposeName(
  {method, address, body}: Exchange,
  inputs: readonly Input[],
  pressed = '',
): string {
  const words = pressed.trim().split(/\s+/).slice(0, MAX_WORDS)
  if (method !== 'GET' && words.length > 1) return nameFromWords(words.join(' ')) || 'send'
  const operation = operationOf({body, address})
  if (operation !== undefined) return nameFromWords(operation)
  const segments = segmentsOf(new URL(address))
    .map((segment) => decodedSegment(segment).replace(EXTENSION, ''))
    .filter((segment) => segment !== '' && !/^(?:api|rest|ajax|v\d.*|graphql)$/i.test(segment))
  const at = segments.findLastIndex((segment) => /[A-Za-z]{2}/.test(segment) && !isId(segment))
  const named = segments[at] ?? 'data'
  if (/^_?(?:search|find|list|get)/i.test(named)) return nameFromWords(named)
  const isSearch = method === 'GET' && inputs.some(({use, place}) => use === 'parameter' && place !== 'path')
  const isOfOne = !isSearch && isId(segments[at + 1] ?? '')
  const verb = VERBS[method] ?? (isSearch ? 'search' : 'get')
  return nameFromWords(`${verb} ${isOfOne ? singularOf(named) : named}`)
}
