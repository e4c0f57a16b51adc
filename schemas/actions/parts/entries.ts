import {BrokenRule} from '../../rules/brokenRule.ts'
import {isRecord} from '../../rules/json.ts'
import type {Fields} from '../../rules/tool.ts'

/**
 * What the entries of a list in a document say.
 * @param parse gets each entry with its field, such as `request.query.0`
 * @throws BrokenRule
 */
export function entriesOf<T>(
  value: unknown,
  field: string,
  what: string,
  most: number,
  parse: (entry: Fields, field: string) => T,
): T[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new BrokenRule(field, `${what} must be a list.`)
  if (value.length > most)
    throw new BrokenRule(field, `${what} has ${value.length} rows: ${most} are the most.`)
  return value.map((entry: unknown, at) => {
    const place = `${field}.${at}`
    if (!isRecord(entry)) throw new BrokenRule(place, `${what} has a row that is not an object.`)
    return parse(entry, place)
  })
}

/** Entries of which the tool returns each by its name. @throws BrokenRule also if two have the same name */
export function namedEntriesOf<T extends {readonly name: string}>(
  ...list: Parameters<typeof entriesOf<T>>
): T[] {
  const [, field] = list
  const entries = entriesOf(...list)
  for (const [at, {name}] of entries.entries()) {
    if (entries.findIndex((one) => one.name === name) !== at)
      throw new BrokenRule(
        `${field}.${at}.name`,
        `“${name}” is returned twice: rename or remove one of them.`,
      )
  }
  return entries
}
