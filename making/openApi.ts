import {upgradeFromTwoToThree} from '@scalar/openapi-upgrader/2.0-to-3.0'
import {parse, YAMLParseError} from 'yaml'
import {type Fields, isRecord, recordsIn} from '../schemas/record.ts'
import {accept, type Parsed, refuse} from '../schemas/rules/parsed.ts'
import {scalarText} from '../schemas/rules/text.ts'
import {type OperationPlace, type ProposedTool, toolOfOperation} from './openApi/operation.ts'
import {MAX_DEPTH, References, TooLargeError} from './openApi/references.ts'
import {baseOf} from './openApi/server.ts'

/** An operation of an API, which can become a tool. */
export type Operation = {
  /** Such as `GET /events/{id}`. */
  readonly id: string
  readonly summary: string
  /** Where its requests go, if that is none of the site's addresses: the variables of a server may name any. */
  readonly host?: string
}

const LARGEST_MB = 30
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/**
 * Reads a file of OpenAPI 3 or Swagger 2, in JSON or YAML. Large ones take seconds, and YAML can be made to take longer: call it
 * in a worker, with a limit of time.
 * @param addresses the site's addresses: requests to them are relative to the page
 */
export function parseOpenApi(text: string, addresses: readonly string[]) {
  if (text.length > LARGEST_MB * 1_000_000)
    return refuse(`The file has more than ${LARGEST_MB} MB: keep only the operations that you need.`)
  const read = documentIn(text.replace(/^\ufeff/, ''))
  if (!read.ok) return read
  const document = upgraded(read.value)
  if (document === undefined)
    return refuse(
      'This file of Swagger 2 cannot be read: convert it to OpenAPI 3, or keep only the operations that you need.',
    )
  if (!/^3(?:\.|$)/.test(scalarText(document.openapi)))
    return refuse('This is no OpenAPI 3 file: it has no member "openapi" with a version such as "3.1.0".')
  const references = new References(document)
  const found = unlessTooLarge(() => operationsIn(document, references))
  if (found === undefined)
    return refuse('The file has too many paths: keep only the operations that you need.')
  const [elsewhere] = references.lost
  if (elsewhere !== undefined && [...found.values()].every(({operation}) => isElsewhere(operation)))
    return refuse(
      `The operations are in other files, such as “${elsewhere}”: choose one file that has all of it.`,
    )
  if (found.size === 0) return refuse('The file has no operations: its "paths" are empty.')
  const info = isRecord(document.info) ? document.info : {}
  const baseOfPlace = ({operation, servers: ofPath}: OperationPlace) =>
    baseOf([operation.servers, ofPath, document.servers], addresses)
  return accept({
    title: typeof info.title === 'string' ? info.title : 'API',
    operations: [...found].map(([id, place]): Operation => {
      const base = baseOfPlace(place)
      const host = base.ok ? URL.parse(base.value)?.host : undefined
      return {id, summary: summaryOf(place.operation), ...(host !== undefined && {host})}
    }),
    /** The fields of a tool that calls an operation, and what is not taken over. */
    toolOf: (id: string): Parsed<ProposedTool> => {
      const place = found.get(id)
      if (place === undefined) return refuse(`The file has no operation “${id}”.`)
      const {$ref} = place.operation
      if (isElsewhere(place.operation))
        return refuse(`The operation is in another file, “${$ref}”: choose one file that has all of it.`)
      const base = baseOfPlace(place)
      if (!base.ok) return base
      const at = (depth: number) => {
        const known = new References(document, depth)
        const made = toolOfOperation(place, base.value, known)
        const {security = document.security} = place.operation
        if (!made.ok) return made
        const {fields, notes} = made.value
        const cut = depth < MAX_DEPTH ? [SHORTENED] : []
        return accept({fields, notes: [...notes, ...cut, ...notesOfSecurity(security, document, known)]})
      }
      const whole = unlessTooLarge(() => at(MAX_DEPTH)) ?? TOO_LARGE
      if (whole.ok) return whole
      for (const depth of SMALLER_DEPTHS) {
        const tool = unlessTooLarge(() => at(depth))
        if (tool?.ok) return tool
      }
      return whole
    },
  })
}

/** Swagger 2 as OpenAPI 3; undefined: its parts are no Swagger. */
function upgraded(document: Fields): Fields | undefined {
  if (!/^2(?:\.|$)/.test(scalarText(document.swagger))) return document
  try {
    // The format's own default is the address of the file, and most files are served with HTTPS.
    const upgraded: unknown = upgradeFromTwoToThree({schemes: ['https'], ...document})
    return isRecord(upgraded) ? upgraded : undefined
  } catch {
    return undefined
  }
}

/** Some schemas are longer than a tool may have: agents can do without their inner parts. */
const SMALLER_DEPTHS = [5, 3, 2]
const SHORTENED = 'The parameters are too long for a tool: their inner parts are not described to agents.'
const TOO_LARGE = refuse(
  'This operation is too large, or refers to itself too often: write the request by hand.',
)

function unlessTooLarge<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error
    return undefined
  }
}

function documentIn(text: string): Parsed<Fields> {
  const isJson = /^\s*\{/.test(text)
  if (/^\s*</.test(text))
    return refuse('This is a web page, and no OpenAPI file: open the page, and look for a link to the file.')
  const unknown = 'This is neither JSON nor YAML: choose an OpenAPI file.'
  try {
    const document = isJson ? JSON.parse(text) : parse(firstOf(text), YAML)
    return isRecord(document) ? accept(document) : refuse(unknown)
  } catch (error) {
    const [start] = error instanceof YAMLParseError ? (error.linePos ?? []) : []
    return refuse(start === undefined ? unknown : `${unknown} Line ${start.line} cannot be read.`)
  }
}

/** To look for equal keys takes the square of their number. */
const YAML = {maxAliasCount: 1_000, uniqueKeys: false, merge: true}

/** The first of several documents of YAML: https://yaml.org/spec/1.2.2/#91-documents */
function firstOf(text: string): string {
  return (
    text
      .split(/^---(?=\s|$)/m)
      .find((part) => !part.split('\n').every((line) => /^\s*(?:[#%]|$)/.test(line))) ?? ''
  )
}

/** @throws TooLargeError */
function operationsIn(document: Fields, references: References): Map<string, OperationPlace> {
  const found = new Map<string, OperationPlace>()
  const {paths} = document
  for (const [path, value] of Object.entries(isRecord(paths) ? paths : {})) {
    const item = references.resolve(value)
    for (const method of METHODS) {
      const written = item?.[method]
      if (!isRecord(written)) continue
      // One in another file keeps its reference.
      const operation = references.resolve(written) ?? written
      found.set(`${method.toUpperCase()} ${path}`, {
        method: method.toUpperCase(),
        path,
        operation,
        shared: item?.parameters,
        servers: item?.servers,
      })
    }
  }
  return found
}

function isElsewhere({$ref}: Fields): boolean {
  return typeof $ref === 'string'
}

function summaryOf({summary, description}: Fields): string {
  const text = [summary, description].find((one) => typeof one === 'string' && one.trim() !== '')
  return typeof text === 'string' ? text.trim() : ''
}

/**
 * What is said of the keys and tokens that an operation needs. The cookie of a visitor is sent, and is none.
 * @param security requirements, of which one is enough
 */
function notesOfSecurity(security: unknown, document: Fields, references: References): string[] {
  const {components} = document
  const schemes = isRecord(components) ? components.securitySchemes : undefined
  const isCookie = (name: string) =>
    isRecord(schemes) && Object.hasOwn(schemes, name) && references.resolve(schemes[name])?.in === 'cookie'
  const needed = recordsIn(security).map((one) => Object.keys(one).filter((name) => !isCookie(name)))
  const [first] = needed
  if (first === undefined || needed.some((names) => names.length === 0)) return []
  return [
    `The server asks for a key or a token (${first.join(', ')}), which every visitor could read in a tool: let a server of yours add it.`,
  ]
}
