import {schemaTypes} from './index.ts'
import {isRecord, recordsIn} from './record.ts'
import {DEFAULT_POLL_INTERVAL, LONGEST, SHORTEST} from './rules/pollInterval.ts'

/** A JSON Schema of draft-07, the one that editors complete best. */
type JsonSchema = {readonly [keyword: string]: unknown}

/** What the rules say and the types of Studio do not: Studio asks functions. By type and field. */
const SHARED: JsonSchema = {name: {pattern: '^\\s*[A-Za-z0-9_.-]{1,128}\\s*$'}}
const ORIGINS: JsonSchema = {
  uniqueItems: true,
  items: {type: 'string', pattern: '^\\s*https?://[^/]', maxLength: 2_000},
}
const OF_RULES: {readonly [type: string]: {readonly [field: string]: unknown}} = {
  site: {
    publicId: {pattern: '^\\s*[A-Za-z0-9_-]{6,64}\\s*$'},
    pollInterval: {
      type: ['integer', 'null'],
      minimum: SHORTEST,
      maximum: LONGEST,
      default: DEFAULT_POLL_INTERVAL,
    },
    addresses: ORIGINS,
  },
  tool: {...SHARED, exposedTo: {...ORIGINS, description: 'Origins, without a path.'}},
  formTool: SHARED,
}

/** Texts that may have files of their own, as `lake.json` says. */
const IN_FILES = ['inputSchema', 'executeJs', 'outputSchema']

/** The JSON Schemas of the files in a content repository, by name: what an editor program can check without Handrail. */
export function jsonSchemas(): {readonly [name: string]: JsonSchema} {
  const documents = schemaTypes.map((type) => [type.name, documentSchema(type)] as const)
  return {...Object.fromEntries(documents), lake: LAKE}
}

const NAMES = {
  type: 'object',
  additionalProperties: {type: 'string', pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$'},
}
const LAKE: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Which attributes of documents have files of their own, by type: their extensions',
  type: 'object',
  required: ['files'],
  additionalProperties: false,
  properties: {files: {type: 'object', additionalProperties: NAMES}},
}

function documentSchema(type: (typeof schemaTypes)[number]): JsonSchema {
  const {properties, required} = members(type.fields)
  for (const [field, rules] of Object.entries(OF_RULES[type.name] ?? {}))
    Object.assign(properties[field] ?? {}, rules)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: type.title,
    type: 'object',
    required: ['_id', '_type', ...required.filter((name) => !IN_FILES.includes(name))],
    // Members of the lake begin with "_".
    patternProperties: {'^_': {}},
    additionalProperties: false,
    properties: {_id: {type: 'string'}, _type: {const: type.name}, ...properties},
  }
}

function members(fields: unknown): {
  properties: {[name: string]: {[keyword: string]: unknown}}
  required: string[]
} {
  const named = recordsIn(fields).map((field) => [String(field.name), field] as const)
  const required = named.filter(([, field]) => isRequired(field)).map(([name]) => name)
  const properties = named.map(([name, field]) => {
    const {title, description} = field
    return [name, {title, description, ...valueSchema(field, required.includes(name))}] as const
  })
  return {properties: Object.fromEntries(properties), required}
}

function valueSchema(field: JsonSchema, isNeeded: boolean): JsonSchema {
  const orNull = (type: string) => ({type: isNeeded ? type : [type, 'null']})
  const list = isRecord(field.options) ? recordsIn(field.options.list).map(({value}) => value) : []
  if (list.length > 0) return {enum: isNeeded ? list : [...list, '', null]}
  switch (field.type) {
    case 'array':
      return {
        ...orNull('array'),
        items: {anyOf: recordsIn(field.of).map((entry) => valueSchema(entry, true))},
      }
    case 'object':
      return {...orNull('object'), ...members(field.fields)}
    case 'reference':
      return {...orNull('object'), required: ['_ref'], properties: {_ref: {type: 'string', minLength: 1}}}
    case 'boolean':
    case 'number':
      return orNull(field.type)
    default:
      return {...orNull('string'), ...(isNeeded && {pattern: '\\S'})}
  }
}

/** Whether Studio requires a field: its validation says so to a rule. */
function isRequired({validation}: JsonSchema): boolean {
  let isNeeded = false
  const rule: object = new Proxy(
    {},
    {
      get: (_, name) => () => {
        if (name === 'required') isNeeded = true
        return rule
      },
    },
  )
  if (typeof validation === 'function') validation(rule)
  return isNeeded
}
