import {isRecord} from '../rules/json.ts'
import {isSecret} from '../rules/names/secrets.ts'
import {accept, type Parsed, refuse} from '../rules/parsed.ts'
import type {Fields} from '../rules/tool.ts'
import type {References} from './references.ts'
import {resultOfSchema} from './resultOfSchema.ts'

/** An operation and where it stands. */
export type OperationPlace = {
  readonly method: string
  readonly path: string
  readonly operation: Fields
  /** Parameters of all operations of the path. */
  readonly shared: unknown
}

/** The fields of a tool, and what it lacks of the operation. */
export type ProposedTool = {readonly fields: Fields; readonly notes: readonly string[]}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i

/**
 * The tool that calls an operation of an API.
 * @param base what stands before the path, such as `https://api.example.com/v1`
 * @throws TooLargeError
 */
export function toolOfOperation(
  place: OperationPlace,
  base: string,
  references: References,
): Parsed<ProposedTool> {
  const {operation, method, path, shared} = place
  const notes: string[] = []
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  const add = (name: string, schema: Fields, isRequired: boolean) => {
    properties[name] = schema
    if (isRequired) required.push(name)
  }
  const query: Fields[] = []
  for (const {name, place: where, schema, isRequired} of parametersOf(
    [shared, operation.parameters],
    references,
  )) {
    if (where === 'header' || where === 'cookie') {
      if (isRequired)
        notes.push(`The ${where} “${name}” is not sent: requests of pages send the visitor’s cookies only.`)
    } else if (schema.type === 'object')
      notes.push(`The parameter “${name}” is a group, which an address cannot have.`)
    else {
      add(name, withoutSecrets(name, schema), isRequired || where === 'path')
      if (where === 'query') query.push(rowOf(name, query.length))
    }
  }
  const body = bodyOf(operation.requestBody, references)
  if (!body.ok) return body
  const {encoding, schema: {properties: members = {}, required: needed} = {}} = body.value ?? {}
  const rows: Fields[] = []
  for (const [member, schema] of Object.entries(isRecord(members) ? members : {})) {
    const name = Object.hasOwn(properties, member) ? `${member}InBody` : member
    add(
      name,
      withoutSecrets(member, isRecord(schema) ? schema : {}),
      Array.isArray(needed) && needed.includes(member),
    )
    rows.push({...rowOf(member, rows.length), parameter: name})
  }
  if (method === 'GET' && rows.length > 0)
    return refuse('The operation sends a body with GET, which browsers cannot.')
  const inputSchema = {type: 'object', properties, ...(required.length > 0 ? {required} : {})}
  return accept({
    notes,
    fields: {
      name: nameOf(place),
      description: descriptionOf(operation),
      inputSchema: JSON.stringify(inputSchema, null, 2),
      action: 'request',
      request: {
        method,
        address: `${base}${path}`,
        ...(query.length > 0 ? {query} : {}),
        ...(rows.length > 0 ? {encoding, body: rows} : {}),
        result: resultOfSchema(answerOf(operation, references)),
      },
      annotations: {
        readOnlyHint: method === 'GET' ? 'true' : 'false',
        consequentialHint: method === 'DELETE' ? 'true' : 'auto',
        untrustedContentHint: 'auto',
      },
    },
  })
}

/** Keywords that show values: agents would send those of an example. */
const SHOWING: readonly string[] = ['default', 'example', 'examples', 'const']

/** A schema without passwords, keys and the like as examples: they may work. */
function withoutSecrets(name: string, schema: Fields): Fields {
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => !SHOWING.includes(keyword) || !isSecret(name, value),
  )
  const inner = (member: string, value: unknown) => (isRecord(value) ? withoutSecrets(member, value) : value)
  return Object.fromEntries(
    kept.map(([keyword, value]): [string, unknown] => {
      if (keyword === 'items') return [keyword, inner(name, value)]
      if (Array.isArray(value) && ['oneOf', 'anyOf'].includes(keyword))
        return [keyword, value.map((choice) => inner(name, choice))]
      if (keyword !== 'properties' || !isRecord(value)) return [keyword, value]
      const members = Object.entries(value).map(([member, one]) => [member, inner(member, one)])
      return [keyword, Object.fromEntries(members)]
    }),
  )
}

function rowOf(name: string, at: number): Fields {
  return {_type: 'row', _key: `row${at}`, name, parameter: name}
}

type Parameter = {
  readonly name: string
  readonly place: string
  readonly schema: Record<string, unknown>
  readonly isRequired: boolean
}

/** The parameters of a path and of its operation, which replace those of the same name and place. */
function parametersOf(lists: readonly unknown[], references: References): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const value of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parameter = references.resolve(value)
    const {name, in: place, description, required, example} = parameter ?? {}
    if (typeof name !== 'string' || typeof place !== 'string') continue
    const [content] = Object.values(isRecord(parameter?.content) ? parameter.content : {})
    const schema = references.schemaOf(parameter?.schema ?? (isRecord(content) ? content.schema : undefined))
    const texts = {
      ...(typeof description === 'string' ? {description} : {}),
      ...(example === undefined ? {} : {examples: [example]}),
    }
    const typed = schema.type === undefined && schema.enum === undefined ? {type: 'string'} : {}
    found.set(`${place} ${name}`, {
      name,
      place,
      schema: {...typed, ...schema, ...texts},
      isRequired: required === true,
    })
  }
  return [...found.values()]
}

type Body = {readonly encoding: 'json' | 'form'; readonly schema: Record<string, unknown>}

function bodyOf(value: unknown, references: References): Parsed<Body | undefined> {
  const content = references.resolve(value)?.content
  if (!isRecord(content) || Object.keys(content).length === 0) return accept(undefined)
  const found = [JSON_TYPE, FORM_TYPE].flatMap((type) =>
    Object.entries(content).filter(([name]) => type.test(name)),
  )
  const [first] = found
  if (first === undefined)
    return refuse(`The operation sends ${Object.keys(content)[0]}, which only a script can do.`)
  const [type, media] = first
  const schema = references.schemaOf(isRecord(media) ? media.schema : undefined)
  if (!isRecord(schema.properties))
    return refuse('The operation sends a body without named members, which only a script can do.')
  return accept({encoding: JSON_TYPE.test(type) ? 'json' : 'form', schema})
}

/** The schema of what comes back if all is well; undefined if it is no JSON. */
function answerOf({responses}: Fields, references: References): Record<string, unknown> | undefined {
  const good = Object.entries(isRecord(responses) ? responses : {}).find(([status]) =>
    /^2(?:\d\d|XX)$/i.test(status),
  )
  const content = references.resolve(good?.[1])?.content
  const media = Object.entries(isRecord(content) ? content : {}).find(([type]) => JSON_TYPE.test(type))?.[1]
  return isRecord(media) && media.schema !== undefined ? references.schemaOf(media.schema) : undefined
}

/** The operation's own id, or method and path, as a name that agents accept: `get /books/{id}` → `getBooksById`. */
function nameOf({method, path, operation: {operationId}}: OperationPlace): string {
  const text =
    typeof operationId === 'string' && /[A-Za-z0-9]/.test(operationId)
      ? operationId
      : `${method.toLowerCase()} ${path.replace(/\{(\w+)\}/g, 'by $1')}`
  const words = text.match(/[A-Za-z0-9]+/g) ?? ['call']
  const [first = 'call', ...others] = words
  const start = /^[A-Z]+$/.test(first) ? first.toLowerCase() : first.charAt(0).toLowerCase() + first.slice(1)
  return [start, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('').slice(0, 57)
}

function descriptionOf({summary, description}: Fields): string {
  const texts = [summary, description].flatMap((text) =>
    typeof text === 'string' && text.trim() !== ''
      ? [
          text
            .trim()
            .replace(/\s+/g, ' ')
            .replace(/([^.!?])$/, '$1.'),
        ]
      : [],
  )
  return [...new Set(texts)].join(' ').slice(0, 500)
}
