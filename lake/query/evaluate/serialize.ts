import type {Budget} from '../budget.ts'
import {QueryError} from '../errors.ts'

/**
 * Serialises a value as JSON. A value that refers to one object many times is small, but its JSON is not, so the length is
 * computed first.
 * @throws QueryError when the JSON is longer than `maxLength`
 */
export function serialize(value: unknown, maxLength: number, budget: Budget): string {
  const json = lengthUpTo(maxLength, value, budget) > maxLength ? undefined : JSON.stringify(value ?? null)
  if (json === undefined || json.length > maxLength)
    throw new QueryError('the response is too large: narrow the filters, or select fewer attributes')
  return json
}

/** A lower bound of the length of a value's JSON; any number above `limit` if it is longer. */
function lengthUpTo(limit: number, value: unknown, budget: Budget): number {
  budget.step(1)
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 1
  let length = 2
  for (const [name, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    length += (typeof name === 'string' ? name.length + 4 : 1) + lengthUpTo(limit - length, item, budget)
    if (length > limit) break
  }
  return length
}
