import {isRecord} from '../../schemas/rules/json.ts'
import {
  DATE_PATTERN,
  type Kind,
  kindOf,
  type ParameterSchema,
} from '../../schemas/rules/jsonSchema/parameterKind.ts'

/** A keyword that the table offers under "More", and the type of its value. */
type Limit = {readonly keyword: string; readonly value: 'text' | 'number'}

const TEXT_LIMITS: readonly Limit[] = [
  {keyword: 'minLength', value: 'number'},
  {keyword: 'maxLength', value: 'number'},
  {keyword: 'pattern', value: 'text'},
]
const NUMBER_LIMITS: readonly Limit[] = [
  {keyword: 'minimum', value: 'number'},
  {keyword: 'maximum', value: 'number'},
]
const LIST_LIMITS: readonly Limit[] = [
  {keyword: 'minItems', value: 'number'},
  {keyword: 'maxItems', value: 'number'},
]

type Definition = {
  /** The keywords of a new parameter of this kind. */
  readonly base: ParameterSchema
  readonly limits: readonly Limit[]
  /** Keywords with values of this kind that the table can edit. */
  readonly values: readonly ('default' | 'examples')[]
}

const BOTH = ['default', 'examples'] as const

/** The JSON Schema of each kind. */
export const DEFINITIONS: Readonly<Record<Exclude<Kind, 'other'>, Definition>> = {
  text: {base: {type: 'string'}, limits: TEXT_LIMITS, values: BOTH},
  number: {base: {type: 'number'}, limits: NUMBER_LIMITS, values: BOTH},
  integer: {base: {type: 'integer'}, limits: NUMBER_LIMITS, values: BOTH},
  boolean: {base: {type: 'boolean'}, limits: [], values: ['default']},
  choice: {base: {type: 'string', enum: []}, limits: [], values: BOTH},
  texts: {base: {type: 'array', items: {type: 'string'}}, limits: LIST_LIMITS, values: ['default']},
  date: {base: {type: 'string', pattern: DATE_PATTERN}, limits: [], values: BOTH},
  group: {base: {type: 'object', properties: {}}, limits: [], values: []},
}

/** What each kind is called. */
export const KIND_TITLES: Readonly<Record<Kind, string>> = {
  text: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  choice: 'One of a list',
  texts: 'List of texts',
  date: 'Date',
  group: 'Group',
  other: 'Other (see JSON)',
}

/** The keywords of a schema that the table does not show. They are kept unchanged. */
export function hiddenKeywords(schema: unknown): string[] {
  const kind = kindOf(schema)
  if (kind === 'other' || !isRecord(schema)) return []
  const {base, limits, values} = DEFINITIONS[kind]
  const shown = new Set([
    'description',
    ...values,
    ...Object.keys(base),
    ...limits.map(({keyword}) => keyword),
  ])
  // A group's required members are shown in its own rows.
  if (kind === 'group') shown.add('required')
  return Object.keys(schema).filter((keyword) => !shown.has(keyword))
}

/**
 * Changes a schema to another kind. Keeps the description and what the table does not show. Removes limits,
 * defaults and examples of the old kind, because they rarely fit the new one.
 */
export function changeKind(schema: unknown, kind: Exclude<Kind, 'other'>): ParameterSchema {
  const before = isRecord(schema) ? schema : {}
  const old = kindOf(schema)
  if (old === kind) return before
  const dropped = new Set(['type', 'enum', 'default', 'examples', 'format'])
  if (old !== 'other') {
    const {base, limits} = DEFINITIONS[old]
    for (const keyword of [...Object.keys(base), ...limits.map((limit) => limit.keyword)])
      dropped.add(keyword)
    if (old === 'group') dropped.add('required')
  } else for (const keyword of ['items', 'properties', 'required']) dropped.add(keyword)
  const kept = Object.entries(before).filter(([keyword]) => !dropped.has(keyword))
  return {...DEFINITIONS[kind].base, ...Object.fromEntries(kept)}
}
