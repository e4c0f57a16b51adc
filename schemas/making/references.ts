import {isRecord} from '../rules/json.ts'
import {decodedSegment} from './names.ts'

/** What a document that refers to itself can be: more is not read. */
const MAX_NODES = 20_000
const MAX_DEPTH = 12

/** A document is too large, or refers to itself too often. */
export class TooLargeError extends Error {}

/** Replaces the references of a document (`$ref`) within what is read, and counts that. */
export class References {
  readonly #document: unknown
  #nodes = 0

  constructor(document: unknown) {
    this.#document = document
  }

  /** The object that a value is or refers to; undefined if it is none, or elsewhere. */
  resolve(value: unknown): Readonly<Record<string, unknown>> | undefined {
    this.#count()
    let found = value
    for (let hops = 0; isRecord(found) && typeof found.$ref === 'string'; hops += 1) {
      if (hops === MAX_DEPTH || !found.$ref.startsWith('#/')) return undefined
      found = this.#at(found.$ref)
    }
    return isRecord(found) ? found : undefined
  }

  #at(reference: string): unknown {
    let value = this.#document
    for (const step of reference.slice(2).split('/')) {
      const name = decodedSegment(step).replaceAll('~1', '/').replaceAll('~0', '~')
      value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
    }
    return value
  }

  /** The same schema without references, in the keywords that tools use. What refers to itself ends as anything. */
  schemaOf(value: unknown, depth = 0): Record<string, unknown> {
    const found = this.resolve(value)
    if (found === undefined || depth > MAX_DEPTH) return {}
    const all = Array.isArray(found.allOf) ? found.allOf.map((part) => this.schemaOf(part, depth + 1)) : []
    const {nullable, example} = found
    const schema: Record<string, unknown> = Object.assign({}, ...all)
    for (const keyword of KEPT) if (found[keyword] !== undefined) schema[keyword] = found[keyword]
    if (example !== undefined && schema.examples === undefined) schema.examples = [example]
    if (nullable === true && typeof schema.type === 'string') schema.type = [schema.type, 'null']
    const properties: Record<string, unknown> = Object.assign({}, ...all.map((part) => part.properties))
    for (const [name, property] of Object.entries(isRecord(found.properties) ? found.properties : {}))
      properties[name] = this.schemaOf(property, depth + 1)
    if (Object.keys(properties).length > 0) schema.properties = properties
    const required = [...all.map((part) => part.required), found.required].flatMap((list) =>
      Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [],
    )
    if (required.length > 0) schema.required = [...new Set(required)]
    if (found.items !== undefined) schema.items = this.schemaOf(found.items, depth + 1)
    for (const keyword of ['oneOf', 'anyOf']) {
      const choices = found[keyword]
      if (Array.isArray(choices)) schema[keyword] = choices.map((choice) => this.schemaOf(choice, depth + 1))
    }
    return schema
  }

  #count(): void {
    this.#nodes += 1
    if (this.#nodes > MAX_NODES) throw new TooLargeError()
  }
}

const KEPT = [
  ...['type', 'title', 'description', 'enum', 'const', 'default', 'format', 'pattern', 'examples'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
] as const
