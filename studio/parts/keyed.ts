import {uuid} from '@sanity/uuid'
import {isRecord} from '../../schemas/rules/json.ts'
import type {Fields} from '../../schemas/rules/tool.ts'

/** The types of entries in the lists of an action. */
const TYPES: Readonly<Record<string, string>> = {query: 'row', body: 'row', members: 'member'}

/** A new entry of a list. */
export function entryOf(
  type: string,
  fields: Fields,
): Fields & {readonly _type: string; readonly _key: string} {
  return {...fields, _type: type, _key: uuid().slice(0, 12)}
}

/** The same fields with a type and a key for each entry of their lists, as Sanity needs them. */
export function keyed(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const type = TYPES[name]
      if (type === undefined || !Array.isArray(value)) return [name, isRecord(value) ? keyed(value) : value]
      return [name, value.filter(isRecord).map((entry) => entryOf(type, entry))]
    }),
  )
}
