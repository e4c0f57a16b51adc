import {isRecord} from '../json.ts'
import type {Mismatch} from './mismatch.ts'

/** What people type for a kind of value, and the name that JSON Schema has for it. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ...['text', 'str', 'email', 'url', 'date', 'time', 'enum'].map((kind) => [kind, 'string'] as const),
  ...['int', 'long', 'whole number'].map((kind) => [kind, 'integer'] as const),
  ...['float', 'double', 'decimal'].map((kind) => [kind, 'number'] as const),
  ...['bool', 'yes/no', 'checkbox'].map((kind) => [kind, 'boolean'] as const),
  ...['list', 'texts'].map((kind) => [kind, 'array'] as const),
  ...['group', 'map'].map((kind) => [kind, 'object'] as const),
])

/**
 * What is wrong with a schema, as a sentence for an editor.
 * @param which such as `input schema`
 */
export function describeMistake(
  which: string,
  {path, problem}: Mismatch,
  schema: Record<string, unknown>,
): string {
  const value = valueAt(schema, path)
  const [, name = '', keyword = ''] = path.length === 3 && path[0] === 'properties' ? path : []
  const kind = typeof value === 'string' ? KINDS.get(value.toLowerCase()) : undefined
  if (keyword === 'type' && kind !== undefined)
    return `In the ${which}, "${name}" has the type "${value}", which JSON Schema does not know: type "${kind}".`
  if (keyword === 'required' && typeof value === 'boolean')
    return `In the ${which}, "${name}" has "required": ${value}. Remove that, and list all required names after "properties": "required": ["${name}"].`
  if (keyword === 'type' && value === 'any')
    return `In the ${which}, "${name}" has the type "any", which JSON Schema does not know: leave "type" out.`
  if (keyword === 'items' && Array.isArray(value))
    return `In the ${which}, "items" of "${name}" is a list, as in older JSON Schema: write "prefixItems" instead.`
  if (keyword.startsWith('exclusive') && typeof value === 'boolean') {
    const bound = keyword.replace('exclusiveM', 'm')
    return `In the ${which}, "${name}" has "${keyword}": ${value}, as in older JSON Schema: write the number there, in place of "${bound}".`
  }
  const where = path.length === 0 ? 'its top level' : `"${path.map((part) => `/${part}`).join('')}"`
  return `The ${which} is not valid JSON Schema: ${where} ${problem}.`
}

function valueAt(schema: unknown, path: readonly string[]): unknown {
  return path.reduce((value, part) => {
    if (Array.isArray(value)) return value[Number(part)]
    return isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined
  }, schema)
}
