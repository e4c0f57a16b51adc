import {parse} from 'yaml'
import {isRecord} from '../rules/json.ts'
import {accept, type Parsed, refuse} from '../rules/parsed.ts'
import type {Fields} from '../rules/tool.ts'
import {type OperationPlace, type ProposedTool, toolOfOperation} from './operation.ts'
import {References, TooLargeError} from './references.ts'

/** An operation of an API, which can become a tool. */
type Operation = {
  /** Such as `GET /events/{id}`. */
  readonly id: string
  readonly summary: string
}

/** What a file says of an API. */
type OpenApi = {
  readonly title: string
  readonly operations: readonly Operation[]
  /** The fields of a tool that calls an operation, and what is not taken over. */
  readonly toolOf: (id: string) => Parsed<ProposedTool>
}

const LARGEST = 5_000_000

/** Reading YAML takes a second for about 40,000 values, and each anchor and each alias makes that longer. */
const LARGEST_YAML = 2_000_000
const MOST_PARTS = 100_000
const MOST_ANCHORS = 1_000
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/**
 * Reads an OpenAPI 3 file, in JSON or YAML.
 * @param addresses the site's addresses: requests to them are relative to the page
 */
export function parseOpenApi(text: string, addresses: readonly string[]): Parsed<OpenApi> {
  if (text.length > LARGEST)
    return refuse('The file has more than 5 MB: keep only the operations that you need.')
  const isJson = /^\s*\{/.test(text)
  if (!isJson && isLargeYaml(text))
    return refuse(
      'The file is too large to be read as YAML: choose it as JSON, or keep only the operations that you need.',
    )
  const document = documentIn(text, isJson)
  if (!isRecord(document)) return refuse('This is neither JSON nor YAML: choose an OpenAPI file.')
  if (document.swagger !== undefined)
    return refuse('This is a Swagger 2 file: convert it to OpenAPI 3 first.')
  if (typeof document.openapi !== 'string' || !document.openapi.startsWith('3.'))
    return refuse('This is no OpenAPI 3 file: it has no member "openapi" with a version such as "3.1.0".')
  const found = unlessTooLarge(() => operationsIn(document))
  if (found === undefined)
    return refuse('The file has too many paths: keep only the operations that you need.')
  if (found.size === 0) return refuse('The file has no operations: its "paths" are empty.')
  const info = isRecord(document.info) ? document.info : {}
  return accept({
    title: typeof info.title === 'string' ? info.title : 'API',
    operations: [...found].map(([id, {operation}]) => ({id, summary: summaryOf(operation)})),
    toolOf: (id) => {
      const place = found.get(id)
      if (place === undefined) return refuse(`The file has no operation “${id}”.`)
      const base = baseOf(document, place.operation, addresses)
      return (
        unlessTooLarge(() => toolOfOperation(place, base, new References(document))) ??
        refuse('This operation is too large, or refers to itself too often: write the request by hand.')
      )
    },
  })
}

function unlessTooLarge<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error
    return undefined
  }
}

function isLargeYaml(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return (
    text.length > LARGEST_YAML ||
    count(/[\n,]/g) > MOST_PARTS ||
    count(/(?<![^\s,[{])&[^\s,[\]{}]/g) > MOST_ANCHORS
  )
}

function documentIn(text: string, isJson: boolean): unknown {
  try {
    // To look for equal keys takes the square of their number.
    return isJson ? JSON.parse(text) : parse(text, {maxAliasCount: MOST_ANCHORS, uniqueKeys: false})
  } catch {
    return undefined
  }
}

/** @throws TooLargeError */
function operationsIn(document: Fields): Map<string, OperationPlace> {
  const references = new References(document)
  const found = new Map<string, OperationPlace>()
  const {paths} = document
  for (const [path, value] of Object.entries(isRecord(paths) ? paths : {})) {
    const item = references.resolve(value)
    for (const method of METHODS) {
      const operation = item?.[method]
      if (!isRecord(operation)) continue
      found.set(`${method.toUpperCase()} ${path}`, {
        method: method.toUpperCase(),
        path,
        operation,
        shared: item?.parameters,
      })
    }
  }
  return found
}

function summaryOf({summary, description}: Fields): string {
  const text = [summary, description].find((one) => typeof one === 'string' && one.trim() !== '')
  return typeof text === 'string' ? text.trim() : ''
}

/** What stands before the path of an operation: nothing if the server is one of the site's addresses. */
function baseOf(document: Fields, operation: Fields, addresses: readonly string[]): string {
  const [server] = [operation.servers, document.servers].flatMap((list) => (Array.isArray(list) ? list : []))
  if (!isRecord(server) || typeof server.url !== 'string') return ''
  const variables = isRecord(server.variables) ? server.variables : {}
  const url = server.url.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    return isRecord(variable) && typeof variable.default === 'string' ? variable.default : ''
  })
  const base = url.replace(/\/+$/, '')
  if (!URL.canParse(base)) return base.startsWith('/') || base === '' ? base : `/${base}`
  const {origin, pathname} = new URL(base)
  return addresses.includes(origin) ? pathname.replace(/\/+$/, '') : base
}
