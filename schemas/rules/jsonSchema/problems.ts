import type {ErrorObject} from 'ajv'
import {isRecord} from '../json.ts'

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
 * The first error of a meta-schema as a sentence for an editor.
 * @param which such as `input schema`
 */
export function describeError(
  which: string,
  errors: readonly ErrorObject[],
  schema: Record<string, unknown>,
): string {
  const [error] = errors
  if (error === undefined) return `The ${which} is not valid JSON Schema.`
  const value = valueAt(schema, error.instancePath)
  const parameter = /^\/properties\/([^/]+)\/([^/]+)$/.exec(error.instancePath)
  const [, name = '', keyword = ''] = parameter ?? []
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
  const where = error.instancePath === '' ? 'its top level' : `"${error.instancePath}"`
  const allowed: unknown = error.params.allowedValues
  const problem = Array.isArray(allowed)
    ? `must be one of ${allowed.join(', ')}`
    : (error.message ?? 'is wrong').replaceAll(',', ' or ')
  return `The ${which} is not valid JSON Schema: ${where} ${problem}.`
}

/** The names and positions in a JSON Pointer. */
export function stepsOfPointer(pointer: string): string[] {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a JSON Pointer. */
function valueAt(schema: Record<string, unknown>, pointer: string): unknown {
  let value: unknown = schema
  for (const key of stepsOfPointer(pointer)) {
    if (Array.isArray(value)) value = value[Number(key)]
    else value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}
