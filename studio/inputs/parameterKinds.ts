import {isRecord} from '../../schemas/record.ts'
import {
  DATE_PATTERN,
  type Kind,
  kindOf,
  type ParameterSchema,
} from '../../schemas/rules/jsonSchema/parameterKind.ts'

/** The keywords that the table offers under "More". */
export const MORE_TITLES = {
  minLength: 'Minimum length',
  maxLength: 'Maximum length',
  pattern: 'Pattern (regular expression)',
  minimum: 'Minimum',
  maximum: 'Maximum',
  minItems: 'Minimum number of entries',
  maxItems: 'Maximum number of entries',
  default: 'Default value',
  examples: 'Examples, separated by commas',
}

type Definition = {
  /** The keywords of a new parameter of this kind. */
  readonly base: ParameterSchema
  readonly more: readonly (keyof typeof MORE_TITLES)[]
}

/** The JSON Schema of each kind. */
export const DEFINITIONS: Readonly<Record<Exclude<Kind, 'other'>, Definition>> = {
  text: {base: {type: 'string'}, more: ['minLength', 'maxLength', 'pattern', 'default', 'examples']},
  number: {base: {type: 'number'}, more: ['minimum', 'maximum', 'default', 'examples']},
  integer: {base: {type: 'integer'}, more: ['minimum', 'maximum', 'default', 'examples']},
  boolean: {base: {type: 'boolean'}, more: ['default']},
  choice: {base: {type: 'string', enum: []}, more: ['default', 'examples']},
  texts: {base: {type: 'array', items: {type: 'string'}}, more: ['minItems', 'maxItems', 'default']},
  date: {base: {type: 'string', pattern: DATE_PATTERN}, more: ['default', 'examples']},
  group: {base: {type: 'object', properties: {}}, more: []},
}

/** The keywords that depend on the kind. */
const OF_KINDS: ReadonlySet<string> = new Set([
  'format',
  'required',
  ...Object.values(DEFINITIONS).flatMap(({base, more}) => [...Object.keys(base), ...more]),
])

/** The keywords of a schema that the table does not show. They are kept unchanged. */
export function hiddenKeywords(schema: unknown): string[] {
  const kind = kindOf(schema)
  if (kind === 'other' || !isRecord(schema)) return []
  const {base, more} = DEFINITIONS[kind]
  // A group's required members are shown in its own rows.
  const shown = new Set(['description', 'required', ...Object.keys(base), ...more])
  return Object.keys(schema).filter((keyword) => !shown.has(keyword))
}

/** Changes a schema to another kind. Removes what depends on the kind, because it rarely fits the new one. */
export function changeKind(schema: ParameterSchema, kind: Exclude<Kind, 'other'>): ParameterSchema {
  if (kindOf(schema) === kind) return schema
  const kept = Object.entries(schema).filter(([keyword]) => !OF_KINDS.has(keyword))
  return {...DEFINITIONS[kind].base, ...Object.fromEntries(kept)}
}
