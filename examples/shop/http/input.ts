import {errors} from '../errors.ts'
import type {CartLine} from '../store/carts.ts'
import type {ProductSearch} from '../store/catalogue.ts'
import type {Recipient} from '../store/orders.ts'
import {CATEGORIES, isCategory} from '../store/products.ts'
import {MAX_QUANTITY} from '../store/store.ts'

/** Maximum products or reviews in an API response. */
const MAX_LIMIT = 50

type Fields = Record<string, unknown>

/** Returns the members of a body or query string. @throws INVALID_INPUT if it is not an object */
export function fieldsOf(input: unknown): Fields {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new errors.INVALID_INPUT('Send a JSON object.')
  }
  return {...input}
}

/** @throws INVALID_INPUT that names the problem, like all functions below */
export function searchInput(query: unknown): ProductSearch {
  const {q, category, maxPrice} = given(query)
  if (category !== undefined && (typeof category !== 'string' || !isCategory(category))) {
    refuse('category', `one of ${Object.keys(CATEGORIES).join(', ')}`, category)
  }
  return {
    words: q === undefined ? '' : text({q}, 'q', 200),
    category,
    maxPrice: maxPrice === undefined ? undefined : Math.round(euros(maxPrice) * 100),
  }
}

/** Returns the maximum number of entries in a list. */
export function limitInput(query: unknown, fallback: number): number {
  const {limit} = given(query)
  return limit === undefined ? fallback : wholeNumber({limit: numberIn(limit)}, 'limit', 1, MAX_LIMIT)
}

/** Parses a cart line. `least` is 0 if the line may also be removed. */
export function cartInput(body: unknown, least: 0 | 1 = 1): CartLine {
  const fields = fieldsOf(body)
  return {
    productId: text(fields, 'productId', 100),
    size: fields.size === undefined || fields.size === '' ? undefined : text(fields, 'size', 20),
    quantity: wholeNumber(fields, 'quantity', least, MAX_QUANTITY),
  }
}

/** Parses the same from a form, where every value is a string. */
export function cartFormInput(body: unknown, least: 0 | 1 = 1): CartLine {
  const {quantity, ...fields} = fieldsOf(body)
  return cartInput({...fields, quantity: numberIn(quantity)}, least)
}

export function recipientInput(body: unknown): Recipient {
  const fields = fieldsOf(body)
  return {name: text(fields, 'name', 200), address: text(fields, 'address', 500), email: email(fields)}
}

export function messageInput(body: unknown): {name: string; email: string; subject: string; message: string} {
  const fields = fieldsOf(body)
  return {
    name: text(fields, 'name', 200),
    email: email(fields),
    subject: text(fields, 'subject', 200),
    message: text(fields, 'message', 5_000),
  }
}

export function subscriptionInput(body: unknown): {email: string} {
  return {email: email(fieldsOf(body))}
}

/** Returns form values unchanged, to show them again next to the error. */
export function typedIn(input: unknown): Record<string, string> {
  const texts: [string, string][] = []
  for (const [name, value] of Object.entries(typeof input === 'object' && input !== null ? input : {})) {
    if (typeof value === 'string') texts.push([name, value])
  }
  return Object.fromEntries(texts)
}

function text(fields: Fields, name: string, longest: number): string {
  const value = fields[name]
  if (value === undefined) throw new errors.INVALID_INPUT(`"${name}" is missing.`)
  if (typeof value !== 'string') return refuse(name, 'a text', value)
  const trimmed = value.trim()
  if (trimmed === '' && name !== 'q') throw new errors.INVALID_INPUT(`"${name}" is empty.`)
  if (trimmed.length > longest) {
    throw new errors.INVALID_INPUT(
      `"${name}" can have at most ${longest} characters; this one has ${trimmed.length}.`,
    )
  }
  return trimmed
}

function email(fields: Fields): string {
  const value = text(fields, 'email', 254)
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(value)
    ? value
    : refuse('email', 'an address such as ada@example.com', value)
}

function wholeNumber(fields: Fields, name: string, least: number, most: number): number {
  const value = fields[name]
  if (value === undefined) throw new errors.INVALID_INPUT(`"${name}" is missing.`)
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
    ? value
    : refuse(name, `a whole number from ${least} to ${most}`, value)
}

function euros(value: unknown): number {
  const number = numberIn(value)
  return typeof number === 'number' && number >= 0 && number <= 1_000_000
    ? number
    : refuse('maxPrice', 'a price in euros, 0 or more', value)
}

/** Converts decimal digits to a number. Returns anything else unchanged, for the caller to reject. */
function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value
}

/** Returns a query without empty members, which forms send for empty fields. */
function given(query: unknown): Fields {
  return Object.fromEntries(Object.entries(fieldsOf(query)).filter(([, value]) => value !== ''))
}

function refuse(name: string, wanted: string, value: unknown): never {
  throw new errors.INVALID_INPUT(`"${name}" must be ${wanted}; it was ${JSON.stringify(value).slice(0, 60)}.`)
}
