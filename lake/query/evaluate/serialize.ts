import type {Budget} from '../budget.ts'
import {QueryError} from '../errors.ts'
import {isRecord} from './values.ts'

/** Maximum length of a value that is serialised in one piece. */
const MAX_PIECE = 256 * 1024

/**
 * Serialises a value as JSON in pieces. A value that refers to one object many times
 * is small, but its JSON is not, so the length is computed before each piece is made.
 * @throws QueryError when the JSON is longer than `maxLength`
 */
export function serialize(value: unknown, maxLength: number, budget: Budget): string {
  const pieces: string[] = []
  let length = 0
  const push = (piece: string) => {
    length += piece.length
    if (length > maxLength)
      throw new QueryError('the response is too large: narrow the filters, or select fewer attributes')
    pieces.push(piece)
  }
  const write = (part: unknown): void => {
    const isList = Array.isArray(part)
    if ((!isList && !isRecord(part)) || lengthUpTo(MAX_PIECE, part, budget) <= MAX_PIECE) {
      push(JSON.stringify(part ?? null))
      return
    }
    let separator = isList ? '[' : '{'
    for (const [name, item] of Object.entries(part)) {
      push(isList ? separator : `${separator}${JSON.stringify(name)}:`)
      separator = ','
      write(item)
    }
    push(isList ? ']' : '}')
  }
  write(value)
  return pieces.join('')
}

/** Estimates the length of a value's JSON; any number above `limit` if it is longer. */
function lengthUpTo(limit: number, value: unknown, budget: Budget): number {
  budget.step(1)
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 8
  let length = 3
  if (Array.isArray(value)) {
    for (const item of value) {
      length += lengthUpTo(limit - length, item, budget)
      if (length > limit) break
    }
  } else {
    for (const name in value) {
      length += name.length + 4 + lengthUpTo(limit - length, Reflect.get(value, name), budget)
      if (length > limit) break
    }
  }
  return length
}
