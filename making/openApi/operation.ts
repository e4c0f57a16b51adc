import {problemOfAction} from '../../schemas/actions/problem.ts'
import {type Fields, isRecord, recordsIn} from '../../schemas/record.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {subschemasOf} from '../../schemas/rules/jsonSchema/subschemas.ts'
import {formatMemberPath} from '../../schemas/rules/names/memberPath.ts'
import {isSecret} from '../../schemas/rules/names/secrets.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {replaceHidden} from '../../schemas/rules/text.ts'
import {freeName, nameFromWords, sentenceOf} from '../names.ts'
import {type Asked, proposeResult} from '../proposeResult.ts'
import type {ProposedResult} from '../tree.ts'
import {bodyOf} from './body.ts'
import {ANY_TYPE, JSON_LIKE, JSON_TYPE, mediaOf, noteOfType} from './media.ts'
import type {Schema} from './nullable.ts'
import {parametersOf} from './parameters.ts'
import {plainText} from './plainText.ts'
import type {References} from './references.ts'
import {textSchemaOf} from './textSchema.ts'

/** An operation and where it stands. */
export type OperationPlace = {
  readonly method: string
  readonly path: string
  readonly operation: Fields
  /** Parameters and servers of all operations of the path. */
  readonly shared: unknown
  readonly servers: unknown
}

/** The fields of a tool, and what it lacks of the operation. */
export type ProposedTool = {readonly fields: Fields; readonly notes: readonly string[]}

/** Rows of a query and of a body, as the rules allow. */
const MOST_ROWS = 50

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
  const {operation, method, shared} = place
  const inputs = new Inputs()
  const {sent, headers, styles, notes: left} = parametersOf([shared, operation.parameters], references)
  const notes = [...left]
  const path = place.path.replace(/[?#].*$/s, '').replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const known = sent.find((one) => one.place === 'path' && one.name === name)
    return `${styles.get(name) ?? ''}{${inputs.add(name, known?.schema ?? {type: 'string'}, true, 'Path')}}`
  })
  const query = sent
    .filter((one) => one.place === 'query')
    .map(({name, schema, isRequired}) => ({name, schema, isRequired}))
  const queryRows = inputs.rowsOf(query, 'Query')
  const body = bodyOf(operation.requestBody, references)
  if (!body.ok) return body
  const {encoding = 'json', members = [], required = [], notes: ofBody = []} = body.value ?? {}
  const bodyRows = inputs.rowsOf(
    members.flatMap(([member, schema]) => {
      const used = encoding === 'json' ? schema : textSchemaOf(member, schema)
      if (used === undefined) notes.push(`“${member}” is a group, which a form cannot have.`)
      const name = encoding === 'json' && member !== '' ? formatMemberPath([member]) : member
      const shown = member || (schema.items === undefined ? 'values' : 'items')
      return used === undefined
        ? []
        : [{name, member: shown, schema: used, isRequired: required.includes(member)}]
    }),
    'Body',
  )
  if (method === 'GET' && bodyRows.length > 0)
    return refuse('The operation sends a body with GET, which browsers cannot.')
  const texts = (...values: unknown[]) => values.flat().filter((one) => typeof one === 'string')
  const says = texts(operation.summary, operation.operationId)
  const asked = {method, path: place.path, says, about: texts(operation.tags)}
  const answer = answerOf(asked, operation, references)
  if (!answer.ok) return answer
  if (inputs.dropped > 0)
    notes.push(`The operation has too many values: ${inputs.dropped} that may be missing are left out.`)
  const lost = references.lost.filter((reference) => reference !== '').slice(0, 3)
  if (lost.length > 0)
    notes.push(
      `The file does not have ${lost.map((one) => `“${one}”`).join(', ')}: what stands there is left out.`,
    )
  const name = nameOf(place)
  const fields: Fields = {
    name,
    description: descriptionOf(operation) || sentenceOf(name),
    // The rules refuse characters that readers do not see.
    inputSchema: replaceHidden(JSON.stringify(inputs.schema, null, 2), () => ''),
    action: 'request',
    request: {
      method,
      address: `${base}${path}`,
      ...(headers.length > 0 ? {headers} : {}),
      ...(queryRows.length > 0 ? {query: queryRows} : {}),
      ...(bodyRows.length > 0 ? {encoding, body: bodyRows} : {}),
      result: answer.value.result,
    },
    annotations: {
      readOnlyHint: method === 'GET' ? 'true' : 'false',
      consequentialHint: method === 'DELETE' ? 'true' : 'auto',
      untrustedContentHint: 'auto',
    },
  }
  const problem = problemOf(fields)
  if (problem !== undefined) return refuse(`This operation cannot become a tool. ${problem}`)
  return accept({fields, notes: [...new Set([...notes, ...ofBody, ...answer.value.notes])]})
}

/** What the rules would say of a tool. */
function problemOf(fields: Fields): string | undefined {
  const schema = parseInputSchema(fields.inputSchema)
  return schema.ok ? problemOfAction(fields)?.message : schema.problem
}

type Value = {
  /** As it is sent. */
  readonly name: string
  /** As people know it. */
  readonly member?: string
  readonly schema: Schema
  readonly isRequired: boolean
}

/** The parameters of a tool, whose names differ. */
class Inputs {
  readonly #properties = new Map<string, Schema>()
  readonly #required: string[] = []
  /** Values that are left out. */
  dropped = 0

  get schema(): Fields {
    const properties = Object.fromEntries(this.#properties)
    return {type: 'object', properties, ...(this.#required.length > 0 && {required: this.#required})}
  }

  /** @returns the name of the parameter */
  add(wanted: string, schema: Schema, isRequired: boolean, place: string): string {
    // Some agents refuse tools whose parameters have other characters.
    const plain = /^[\w-]{1,64}$/.test(wanted) ? wanted : nameFromWords(wanted) || 'value'
    const taken = new Set(this.#properties.keys())
    const name = freeName(taken.has(plain) ? `${plain}In${place}` : plain, taken)
    this.#properties.set(name, withoutSecrets(wanted, schema))
    if (isRequired) this.#required.push(name)
    return name
  }

  rowsOf(values: readonly Value[], place: string): Fields[] {
    let free = MOST_ROWS - values.filter(({isRequired}) => isRequired).length
    return values.flatMap(({name, member = name, schema, isRequired}): Fields[] => {
      if (!isRequired) free -= 1
      if (!isRequired && free < 0) {
        this.dropped += 1
        return []
      }
      return [{name, parameter: this.add(member, schema, isRequired, place)}]
    })
  }
}

/** Keywords that show values: agents would send those of an example. */
const SHOWING: readonly string[] = ['default', 'example', 'examples', 'const']

/** A schema without passwords, keys and the like as examples: they may work. */
function withoutSecrets(name: string, schema: Schema): Schema {
  const kept = structuredClone(schema)
  for (const {schema: inner, path} of subschemasOf(kept)) {
    const member = path.findLast((_, at) => path[at - 1] === 'properties') ?? name
    for (const keyword of SHOWING) if (isSecret(String(member), inner[keyword])) delete inner[keyword]
  }
  return kept
}

/** The operation's own id, or method and path, as a name that agents accept: `get /books/{id}` → `getBooksById`. */
function nameOf({method, path, operation: {operationId}}: OperationPlace): string {
  const text =
    typeof operationId === 'string' && /[A-Za-z0-9]/.test(operationId)
      ? operationId
      : `${method.toLowerCase()} ${path.replace(/\{(\w+)\}/g, 'by $1')}`
  return nameFromWords(text)
}

function descriptionOf({summary, description}: Fields): string {
  const texts = [summary, description].flatMap((text) =>
    typeof text === 'string' && text.trim() !== ''
      ? [
          plainText(text)
            .trim()
            .replace(/\s+/g, ' ')
            .replace(/([^.!?])$/, '$1.'),
        ]
      : [],
  )
  const text = [...new Set(texts)].join(' ').slice(0, 500).toWellFormed()
  return replaceHidden(text, () => '').trim()
}

type Answer = {readonly result: ProposedResult; readonly notes: readonly string[]}

const UNREADABLE =
  /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|vnd\.ms-|vnd\.openxml)/i

const TEXT: Answer = {result: {kind: 'text'}, notes: []}

/**
 * What a tool returns of what comes back if all is well.
 * @throws TooLargeError
 */
function answerOf(asked: Asked, {responses}: Fields, references: References): Parsed<Answer> {
  const all = Object.entries(isRecord(responses) ? responses : {})
  const good = all
    .filter(([status]) => /^2(?:\d\d|XX)$/i.test(status))
    .map(([, one]) => references.resolve(one))
  const found = good.find((one) => isRecord(one?.content)) ?? good[0]
  const usual = isRecord(responses) ? references.resolve(responses.default) : undefined
  const {content} = found ?? usual ?? {}
  const media = mediaOf(content, [JSON_TYPE, JSON_LIKE, ANY_TYPE, /^text\//i, /^/])
  if (media === undefined)
    return accept(
      asked.method === 'GET' || found === undefined ? TEXT : {result: proposeResult(undefined), notes: []},
    )
  if (UNREADABLE.test(media.type))
    return refuse(`The operation sends back ${media.type}, which agents cannot read.`)
  if (![JSON_TYPE, JSON_LIKE, ANY_TYPE].some((type) => type.test(media.type))) return accept(TEXT)
  const result = proposeResult(sampleOf(references.answerOf(media.schema)), asked)
  return accept({result, notes: result.kind === 'text' ? [] : noteOfType(media)})
}

/** An answer that has such a schema. */
function sampleOf({type, properties, required, items, oneOf, anyOf}: Schema): unknown {
  const kinds = [type].flat()
  if (kinds.includes('array') || isRecord(items)) {
    const entry: Schema = isRecord(items) ? items : {}
    // Entries of which nothing is said can be anything, and are returned whole.
    const isUnknown =
      Object.keys(entry).every((keyword) => ['title', 'description'].includes(keyword)) ||
      (isRecord(entry.properties) && Object.keys(entry.properties).every((name) => name.startsWith('_')))
    // Of rows without names, it is not known how long they are.
    if (isRecord(entry.items) && !isRecord(entry.items.properties) && !isRecord(entry.items.items))
      return [[]]
    return [isUnknown || (entry.type === 'object' && !isRecord(entry.properties)) ? {} : sampleOf(entry)]
  }
  const [choice] = [oneOf, anyOf].flatMap(recordsIn)
  if (isRecord(properties)) {
    const isCertain = ([name]: [string, unknown]) => Array.isArray(required) && required.includes(name)
    const members = Object.entries(properties)
    // What may be missing is not preferred to what is always there.
    const own = Object.fromEntries(
      [...members.filter(isCertain), ...members.filter((member) => !isCertain(member))].map(
        ([name, member]) => [name, sampleOf(isRecord(member) ? member : {})],
      ),
    )
    return choice === undefined ? own : Object.assign(own, Object(sampleOf(choice)), own)
  }
  return choice === undefined ? 'text' : sampleOf(choice)
}
