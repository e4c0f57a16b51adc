import type {FastifySchemaValidationError} from 'fastify'
import {errors} from '../errors.ts'
import {CATEGORIES} from '../store/products.ts'
import {MAX_QUANTITY} from '../store/store.ts'

const text = (maxLength: number) => ({type: 'string', pattern: '\\S', maxLength})
const EMAIL = {type: 'string', format: 'email', maxLength: 254}
const LIMIT = {type: 'integer', minimum: 1, maximum: 50, default: 20}
const PIECE = {productId: text(100), size: text(20)}

// What the shop accepts, as JSON Schemas. Fastify checks it, and removes everything else.

export const SEARCH = objectOf({
  q: {type: 'string', maxLength: 200},
  category: {enum: Object.keys(CATEGORIES)},
  maxPrice: {type: 'number', minimum: 0, maximum: 1_000_000},
  limit: LIMIT,
})
export const PAGE = objectOf({limit: LIMIT})
export const ADDED = objectOf({...PIECE, quantity: {type: 'integer', minimum: 1, maximum: MAX_QUANTITY}}, [
  'productId',
  'quantity',
])
export const CHANGED = objectOf(
  {...PIECE, quantity: {type: 'integer', minimum: 0, maximum: MAX_QUANTITY, default: 0}, remove: {}},
  ['productId'],
)
export const RECIPIENT = objectOf({name: text(200), address: text(500), email: EMAIL}, [
  'name',
  'address',
  'email',
])
export const MESSAGE = objectOf({name: text(200), email: EMAIL, subject: text(200), message: text(5_000)}, [
  'name',
  'email',
  'subject',
  'message',
])
export const SUBSCRIPTION = objectOf({email: EMAIL}, ['email'])

function objectOf(properties: object, required: readonly string[] = []) {
  return {type: 'object', properties, required, additionalProperties: false}
}

/** Names the member, and says what it may be: agents read it and try again. */
export function inputError([error]: FastifySchemaValidationError[]): Error {
  const {instancePath = '', message = 'is not valid', params = {}} = error ?? {}
  const name = instancePath === '' ? 'The input' : `"${instancePath.slice(1)}"`
  const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : ''
  return new errors.INVALID_INPUT(`${name} ${message}${allowed}.`)
}

/** The fields of a query or form. Forms send empty ones, too, which say nothing. */
export function fieldsOf(encoded: string): Record<string, string> {
  const fields = Array.from(new URLSearchParams(encoded), ([name, value]) => [name, value.trim()])
  return Object.fromEntries(fields.filter(([, value]) => value !== ''))
}

/** What was typed into a form, to show it again next to the error. */
export function typedIn(input: unknown): Record<string, string> {
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : []
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
}
