import {dereference, type OutputUnit, validate} from '@cfworker/json-schema'
import {isRecord} from '../../record.ts'
import {subschemasOf} from './subschemas.ts'

export type Dialect = '2020-12' | 'draft-07'

/** The dialect that `$schema` names. Undefined: another one. */
export function findDialect(name: unknown): Dialect | undefined {
  if (name === undefined) return '2020-12'
  if (typeof name !== 'string') return undefined
  const bare = name.replace(/#$/, '').replace(/^https?:/, '')
  if (bare === '//json-schema.org/draft/2020-12/schema') return '2020-12'
  return bare === '//json-schema.org/draft-07/schema' ? 'draft-07' : undefined
}

/** How a value differs from a schema. */
export type Mismatch = {
  /** The members and positions that lead to the part that differs. */
  readonly path: readonly string[]
  /** Such as `must be number`. */
  readonly problem: string
}

/** Keywords whose errors are those of a schema in them. */
const OUTER: ReadonlySet<string> = new Set([
  ...['$ref', '$recursiveRef', 'allOf', 'if', 'dependentSchemas', 'dependencies', 'propertyNames'],
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['prefixItems', 'items', 'additionalItems', 'unevaluatedItems'],
])

/** What a keyword demands, in words that follow "it". */
const PROBLEMS: ReadonlyMap<string, (expected: string) => string> = new Map([
  ['type', (types: string) => `must be ${types.replaceAll(', ', ' or ')}`],
  ['enum', (values: string) => `must be one of ${values}`],
  ['const', (value: string) => `must be ${value}`],
  ['minimum', (number: string) => `must be at least ${number}`],
  ['maximum', (number: string) => `must be at most ${number}`],
  ['exclusiveMinimum', (number: string) => `must be more than ${number}`],
  ['exclusiveMaximum', (number: string) => `must be less than ${number}`],
  ['multipleOf', (number: string) => `must be a multiple of ${number}`],
  ['minLength', (count: string) => `must have at least ${count} characters`],
  ['maxLength', (count: string) => `must have at most ${count} characters`],
  ['minItems', (count: string) => `must have at least ${count} items`],
  ['maxItems', (count: string) => `must have at most ${count} items`],
  ['minProperties', (count: string) => `must have at least ${count} members`],
  ['maxProperties', (count: string) => `must have at most ${count} members`],
  ['uniqueItems', () => 'must not have an item twice'],
  ['pattern', (pattern: string) => `must match the pattern ${pattern}`],
  ['false', () => 'must not be there'],
])

/**
 * Prepares a schema. It is interpreted, because policies of pages forbid code that is made of texts. Formats count as hints.
 * @returns how a value first differs
 */
export function checkerOf(
  schema: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): (value: unknown) => Mismatch | undefined {
  const own = structuredClone(schema)
  for (const {schema: part} of subschemasOf(own)) delete part.format
  const lookup = dereference(own)
  return (value) => {
    const {errors} = validate(value, own, dialect === 'draft-07' ? '7' : dialect, lookup)
    const error = telling(errors)
    if (error === undefined) return undefined
    const path = stepsIn(error.instanceLocation)
    if (error.keyword === 'required' || error.keyword.startsWith('depend'))
      return {
        path,
        problem: `must have ${/(?:property|have) (".*")\.$/.exec(error.error)?.[1] ?? 'more members'}`,
      }
    const words = PROBLEMS.get(error.keyword)
    const expected = valueAt(own, stepsIn(error.keywordLocation), lookup)
    return {path, problem: words?.(listed(expected)) ?? `does not match its “${error.keyword}”`}
  }
}

/** The error that says most: the first, or of a choice that of the alternative which fits best. */
function telling(errors: readonly OutputUnit[]): OutputUnit | undefined {
  const [first, ...others] = errors.filter(({keyword}) => !OUTER.has(keyword))
  if (first?.keyword !== 'anyOf' && first?.keyword !== 'oneOf') return first ?? errors.at(-1)
  const {instanceLocation: at} = first
  const deeper = others.find(({instanceLocation}) => instanceLocation.startsWith(`${at}/`))
  return (
    deeper ??
    others.find(({keyword, instanceLocation}) => keyword !== 'type' && instanceLocation === at) ??
    first
  )
}

/** The names and positions in a JSON Pointer, as the validator writes it: the fragment of an address. */
function stepsIn(pointer: string): string[] {
  const parts = decodeURI(pointer).split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value of a keyword. */
function valueAt(
  schema: unknown,
  steps: readonly string[],
  lookup: Readonly<Record<string, unknown>>,
): unknown {
  return steps.reduce((value, step) => {
    if (Array.isArray(value)) return value[Number(step)]
    if (!isRecord(value)) return undefined
    const {__absolute_ref__: target} = value
    return step === '$ref' && typeof target === 'string' ? lookup[target] : value[step]
  }, schema)
}

function listed(expected: unknown): string {
  const values: unknown[] = Array.isArray(expected) ? expected : [expected]
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')
}
