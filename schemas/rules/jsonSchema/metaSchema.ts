import {isRecord} from '../../record.ts'
import {checkerOf, type Dialect, type Mismatch} from './mismatch.ts'
import {subschemasOf} from './subschemas.ts'

const SCHEMA = {type: ['object', 'boolean']}
const SCHEMAS = {type: 'array', minItems: 1, items: SCHEMA}
const MAP = {type: 'object', additionalProperties: SCHEMA}
const TEXT = {type: 'string'}
const NUMBER = {type: 'number'}
const SWITCH = {type: 'boolean'}
const COUNT = {type: 'integer', minimum: 0}
const NAMES = {type: 'array', items: TEXT}
const TYPE = {enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']}
const ANCHOR = {type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$'}

/** What each keyword of both dialects holds. */
const KEYWORDS = {
  ...each(TEXT, '$schema', '$ref', '$comment', 'title', 'description', 'pattern', 'format'),
  ...each(TEXT, 'contentMediaType', 'contentEncoding'),
  ...each(NUMBER, 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'),
  ...each(COUNT, 'maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'),
  ...each(SWITCH, 'readOnly', 'uniqueItems'),
  ...each(SCHEMA, 'additionalProperties', 'contains', 'propertyNames', 'if', 'then', 'else', 'not'),
  ...each(SCHEMAS, 'allOf', 'anyOf', 'oneOf'),
  ...each(MAP, 'properties', 'patternProperties', 'definitions'),
  examples: {type: 'array'},
  multipleOf: {type: 'number', exclusiveMinimum: 0},
  type: {anyOf: [TYPE, {type: 'array', items: TYPE, minItems: 1}]},
  required: NAMES,
  dependencies: {type: 'object', additionalProperties: {anyOf: [SCHEMA, NAMES]}},
}

const OF_DIALECT: Readonly<Record<Dialect, object>> = {
  '2020-12': {
    ...each(TEXT, '$dynamicRef', '$recursiveRef'),
    ...each(ANCHOR, '$anchor', '$dynamicAnchor', '$recursiveAnchor'),
    ...each(COUNT, 'maxContains', 'minContains'),
    ...each(SWITCH, 'deprecated', 'writeOnly'),
    ...each(SCHEMA, 'items', 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema'),
    ...each(MAP, '$defs', 'dependentSchemas'),
    $id: {type: 'string', pattern: '^[^#]*#?$'},
    $vocabulary: {type: 'object', additionalProperties: SWITCH},
    prefixItems: SCHEMAS,
    dependentRequired: {type: 'object', additionalProperties: NAMES},
    enum: {type: 'array'},
  },
  'draft-07': {
    $id: TEXT,
    additionalItems: SCHEMA,
    items: {anyOf: [SCHEMA, SCHEMAS]},
    enum: {type: 'array', minItems: 1},
  },
}

function each(schema: object, ...keywords: readonly string[]): Record<string, object> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, schema]))
}

/** For each keyword, what finds a mistake in its value, without the schemas in it. */
function checkersOf(dialect: Dialect) {
  const keywords = Object.entries({...KEYWORDS, ...OF_DIALECT[dialect]})
  const schemas = new Set(keywords.map(([, schema]) => schema))
  const checkers = new Map(Array.from(schemas, (schema) => [schema, checkerOf({...schema}, dialect)]))
  return new Map(keywords.map(([keyword, schema]) => [keyword, checkers.get(schema)]))
}

const CHECKERS = {'2020-12': checkersOf('2020-12'), 'draft-07': checkersOf('draft-07')}

/** Says how a value differs from a JSON Schema: the meta-schemas of both dialects in short. Formats count as hints. */
export function mistakeIn(root: Record<string, unknown>, dialect: Dialect): Mismatch | undefined {
  const checkers = CHECKERS[dialect]
  try {
    for (const {schema, path} of subschemasOf(root, (keyword) => checkers.has(keyword)))
      for (const [keyword, value] of Object.entries(schema)) {
        const mistake = checkers.get(keyword)?.(value) ?? repetitionIn(keyword, value, dialect)
        if (mistake !== undefined) return {...mistake, path: [...path, keyword, ...mistake.path].map(String)}
      }
    return undefined
  } catch {
    // Half a surrogate pair has no place in a pointer.
    return {path: [], problem: 'has a name that is not Unicode text'}
  }
}

/** What a list has twice. The validator would compare each of 10,000 names with each, for a second. */
function repetitionIn(keyword: string, value: unknown, dialect: Dialect): Mismatch | undefined {
  const isList =
    keyword === 'required' || keyword === 'type' || (keyword === 'enum' && dialect === 'draft-07')
  const isMap = keyword === 'dependentRequired' || keyword === 'dependencies'
  const lists = isList ? [value] : isMap && isRecord(value) ? Object.values(value) : []
  return lists.some(repeats) ? {path: [], problem: 'must not have an item twice'} : undefined
}

function repeats(list: unknown): boolean {
  return Array.isArray(list) && new Set(list.map((item) => JSON.stringify(item))).size < list.length
}
