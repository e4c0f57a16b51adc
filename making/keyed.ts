import {isRecord} from '../schemas/record.ts'
import type {Fields} from '../schemas/rules/tool.ts'

/** The types of entries in the lists of a request. */
const TYPES: Readonly<Record<string, string>> = {query: 'row', body: 'row', members: 'member'}

/** The same fields with a type and a key for each entry of their lists, as Sanity needs them. */
export function keyed(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const type = TYPES[name]
      if (type === undefined || !Array.isArray(value)) return [name, isRecord(value) ? keyed(value) : value]
      return [name, withKeys(type, value.filter(isRecord))]
    }),
  )
}

/** Sanity finds entries of a list by their keys. */
export function withKeys(type: string, entries: readonly object[]): object[] {
  return entries.map((entry, at) => ({_key: `${type}${at + 1}`, _type: type, ...entry}))
}
