import {BrokenRule} from '../../rules/brokenRule.ts'
import {isRecord} from '../../rules/json.ts'
import type {Fields} from '../../rules/tool.ts'

/**
 * The entries of a list in a document, each with its field, such as `request.query.0`.
 * @throws BrokenRule
 */
export function entriesOf(
  value: unknown,
  field: string,
  what: string,
  most: number,
): {readonly entry: Fields; readonly field: string}[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new BrokenRule(field, `${what} must be a list.`)
  if (value.length > most)
    throw new BrokenRule(field, `${what} has ${value.length} rows: ${most} are the most.`)
  return value.map((entry: unknown, at) => {
    const place = `${field}.${at}`
    if (!isRecord(entry)) throw new BrokenRule(place, `${what} has a row that is not an object.`)
    return {entry, field: place}
  })
}
