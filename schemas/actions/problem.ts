import {type Fields, isRecord} from '../record.ts'
import {parseInputSchema} from '../rules/inputSchema.ts'
import {BrokenRule, orBrokenRule} from '../rules/parsed.ts'
import {parseAction} from './parseAction.ts'

/** A place in a document, with the keys of entries in lists, as Sanity names it. */
export type KeyedPath = readonly (string | {readonly _key: string})[]

/** The first problem of a tool’s action; undefined if there is none. Problems of the parameters are their own. */
export function problemOfAction(tool: Fields) {
  const schema = parseInputSchema(tool.inputSchema)
  const broken = orBrokenRule(() => parseAction(tool, schema.ok ? schema.value : undefined))
  if (!(broken instanceof BrokenRule)) return undefined
  /** Such as `request.query.0.name`. */
  const {message, field} = broken
  return {message, field, path: keyedPath(tool, field)}
}

/** The place of a field such as `request.query.0.name`. */
export function keyedPath(tool: Fields, field: string): KeyedPath {
  const path: (string | {readonly _key: string})[] = []
  let value: unknown = tool
  for (const step of field.split('.')) {
    if (Array.isArray(value)) {
      value = value[Number(step)]
      const key = isRecord(value) ? value._key : undefined
      if (typeof key !== 'string') return path
      path.push({_key: key})
    } else {
      value = isRecord(value) ? value[step] : undefined
      path.push(step)
    }
  }
  return path
}
