import {type Fields, isRecord, recordsIn} from '../../schemas/record.ts'
import {compilesWithUnicode} from '../../schemas/rules/jsonSchema/patterns.ts'
import {decodedSegment} from '../names.ts'
import {type Schema, withoutNullChoices} from './nullable.ts'
import {plainText} from './plainText.ts'

/** What a document that refers to itself can be: more is not read. */
const MAX_NODES = 20_000
export const MAX_DEPTH = 12
const ANSWER_DEPTHS = [MAX_DEPTH, 6, 4]

/** A document is too large, or refers to itself too often. */
export class TooLargeError extends Error {}

/** What is sent lacks members that a server sets (`readOnly`), and what is returned those that it keeps (`writeOnly`). */
type Side = 'sent' | 'returned'

/** Replaces the references of a document (`$ref`) within what is read, and counts that. */
export class References {
  readonly #document: unknown
  readonly #maxDepth: number
  readonly #lost = new Set<string>()
  #nodes = 0

  /** @param maxDepth of schemas: what is deeper can be anything */
  constructor(document: unknown, maxDepth = MAX_DEPTH) {
    this.#document = document
    this.#maxDepth = maxDepth
  }

  /** References to other files, and to what the document does not have. */
  get lost(): readonly string[] {
    return [...this.#lost]
  }

  /** The schema of an answer, as deep as it can be read: what is far down is not returned. */
  answerOf(value: unknown): Schema {
    for (const depth of ANSWER_DEPTHS) {
      const references = new References(this.#document, depth)
      try {
        const schema = references.schemaOf(value, 'returned')
        for (const reference of references.#lost) this.#lost.add(reference)
        return schema
      } catch (error) {
        if (!(error instanceof TooLargeError)) throw error
      }
    }
    return {}
  }

  /** The object that a value is or refers to, with what stands next to the reference; undefined if there is none. */
  resolve(value: unknown): Fields | undefined {
    this.#count()
    let found = value
    let siblings: Fields = {}
    for (let hops = 0; isRecord(found) && typeof found.$ref === 'string'; hops += 1) {
      const {$ref, ...more} = found
      if (hops === MAX_DEPTH || typeof $ref !== 'string') return undefined
      siblings = {...more, ...siblings}
      found = $ref.startsWith('#/') ? this.#at($ref) : undefined
      if (found === undefined) this.#lost.add($ref)
    }
    return isRecord(found) ? {...found, ...siblings} : undefined
  }

  #at(reference: string): unknown {
    let value = this.#document
    for (const step of reference.slice(2).split('/')) {
      const name = decodedSegment(step).replaceAll('~1', '/').replaceAll('~0', '~')
      value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
    }
    return value
  }

  /** The same schema without references. What refers to itself ends as anything. */
  schemaOf(value: unknown, side: Side, depth = 0): Schema {
    const found = this.resolve(value)
    if (found === undefined || depth > this.#maxDepth) return {}
    const inner = (part: unknown) => this.schemaOf(part, side, depth + 1)
    const all = recordsIn(found.allOf).map(inner)
    const schema: Schema = Object.assign({}, ...all)
    for (const [keyword, isValid] of KEPT) if (isValid(found[keyword])) schema[keyword] = found[keyword]
    if (typeof found.description === 'string') schema.description = plainText(found.description)
    if (found.exclusiveMinimum === true) schema.exclusiveMinimum = found.minimum
    if (found.exclusiveMaximum === true) schema.exclusiveMaximum = found.maximum
    if (isKept(found.example) && schema.examples === undefined) schema.examples = [found.example]
    const own = isRecord(found.properties) ? Object.entries(found.properties) : []
    const kept = own.filter(([, member]) => this.resolve(member)?.[HIDDEN[side]] !== true)
    const members = kept.map(([name, member]): [string, unknown] => [name, inner(member)])
    const properties: Schema = Object.assign(
      {},
      ...all.map((part) => part.properties),
      Object.fromEntries(members),
    )
    if (Object.keys(properties).length > 0) schema.properties = properties
    const left = own.map(([name]) => name).filter((name) => !Object.hasOwn(properties, name))
    const required = [...all.map((part) => part.required), found.required].flatMap((list) =>
      Array.isArray(list) ? list.filter((name) => typeof name === 'string' && !left.includes(name)) : [],
    )
    if (required.length > 0) schema.required = [...new Set(required)]
    if (found.items !== undefined && !Array.isArray(found.items)) schema.items = inner(found.items)
    for (const keyword of ['oneOf', 'anyOf']) {
      // Some files have a list of alternatives there.
      const written =
        keyword === 'anyOf' && found.type === undefined ? (found.anyOf ?? found.items) : found[keyword]
      const choices = recordsIn(written).map(inner)
      if (choices.length > 0) schema[keyword] = choices
    }
    return withoutNullChoices(schema, found.nullable === true || found['x-nullable'] === true)
  }

  #count(): void {
    this.#nodes += 1
    if (this.#nodes > MAX_NODES) throw new TooLargeError()
  }
}

const HIDDEN = {sent: 'readOnly', returned: 'writeOnly'} as const

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'
const isLength = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0
/** A whole number beyond 2^53 was rounded when the file was read. */
const isKept = (value: unknown) =>
  value !== undefined && (!Number.isInteger(value) || Number.isSafeInteger(value))

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

function isType(value: unknown): boolean {
  if (!Array.isArray(value)) return TYPES.includes(value)
  return value.length > 0 && value.every((one) => TYPES.includes(one)) && new Set(value).size === value.length
}

/** Keywords, each with what it can be: files have others there, too. */
const KEPT: readonly (readonly [keyword: string, isValid: (value: unknown) => boolean])[] = [
  ['type', isType],
  ['title', isText],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['const', isKept],
  ['default', isKept],
  ['format', isText],
  ['contentMediaType', isText],
  ['pattern', (value) => typeof value === 'string' && compilesWithUnicode(value)],
  ['examples', (value) => Array.isArray(value) && value.every(isKept)],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['multipleOf', (value) => typeof value === 'number' && value > 0],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['minLength', isLength],
  ['maxLength', isLength],
  ['minItems', isLength],
  ['maxItems', isLength],
  ['uniqueItems', (value) => typeof value === 'boolean'],
]
