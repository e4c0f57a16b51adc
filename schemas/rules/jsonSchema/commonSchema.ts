import {isRecord} from '../../record.ts'

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => Number.isFinite(value)
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0
const isObject: Check = (value) => typeof value === 'object' && value !== null
const isAnything: Check = () => true

function isSet(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && new Set(value).size === value.length
}

const TYPES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
])

/** What the meta-schemas of 2020-12 and draft-07 both accept, for the keywords that most tools use. */
const CHECKS: ReadonlyMap<string, Check> = new Map([
  ['$schema', isText],
  ['title', isText],
  ['description', isText],
  ['type', (value) => TYPES.has(value)],
  ['properties', (value) => isRecord(value) && Object.values(value).every(isCommonSchema)],
  ['required', (value) => isSet(value) && value.every(isText)],
  ['additionalProperties', (value) => typeof value === 'boolean' || isCommonSchema(value)],
  ['items', isCommonSchema],
  ['enum', (value) => isSet(value) && value.length > 0 && !value.some(isObject)],
  ['const', isAnything],
  ['default', isAnything],
  ['examples', Array.isArray],
  ['pattern', isText],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
])

/**
 * Whether a value is a valid schema that has only common keywords. Others may be valid too: a meta-schema decides,
 * which takes ten times as long, and 0.1 s to compile.
 */
export function isCommonSchema(value: unknown): boolean {
  return isRecord(value) && Object.entries(value).every(([keyword, part]) => CHECKS.get(keyword)?.(part))
}
