import type {Declaration} from './document.ts'
import type {JsonSchema, Member} from './field.ts'

const DRAFT = {$schema: 'http://json-schema.org/draft-07/schema#'}

/** The JSON Schema of the files of a type in a content repository: what an editor program can check without Handrail. */
export function jsonSchemaOf({name, title, fields}: Declaration): JsonSchema {
  const {required, properties, ...rest} = objectSchema(fields)
  return {
    ...DRAFT,
    title,
    ...rest,
    required: ['_id', '_type', ...required],
    properties: {_id: {type: 'string'}, _type: {const: name}, ...properties},
  }
}

function objectSchema(members: readonly Member[]) {
  const always = members.filter(({only}) => only === undefined)
  const conditional = members.flatMap((member) =>
    member.only === undefined ? [] : [{...member, only: member.only}],
  )
  return {
    type: 'object',
    required: requiredIn(always),
    // Members of the lake begin with "_".
    patternProperties: {'^_': {}},
    additionalProperties: false,
    properties: Object.fromEntries(
      members.map((member) => [
        member.name,
        member.only === undefined ? memberSchema(member) : kindSchema(member),
      ]),
    ),
    ...(conditional.length > 0 && {
      allOf: conditional.map((member) => ({
        if: {
          properties: {[member.only.member]: {enum: member.only.is}},
          ...(!member.only.is.includes(null) && {required: [member.only.member]}),
        },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: {required: requiredIn([member]), properties: {[member.name]: memberSchema(member)}},
      })),
    }),
  }
}

/** Texts with files of their own are missing in the JSON. */
function requiredIn(members: readonly (Member & {readonly file?: string})[]): string[] {
  return members.flatMap(({name, isRequired, file}) =>
    isRequired === true && file === undefined ? [name] : [],
  )
}

function titled({title, description, inFiles}: Member): JsonSchema {
  const text = [description, inFiles].filter((one) => one !== undefined).join(' ')
  return {title, ...(text !== '' && {description: text})}
}

/** What holds of a member that does not count: it is of its kind, and so is what it has. */
function kindSchema(member: Member): JsonSchema {
  const {type, choices, members, entry} = member
  const base = titled(member)
  const inside = (own: readonly Member[]) => ({
    properties: Object.fromEntries(own.map((one) => [one.name, kindSchema(one)])),
  })
  if (choices !== undefined) return {...base, enum: [...choices.map(({value}) => value), null]}
  if (type === 'array') {
    const items = entry?.members === undefined ? {type: 'string'} : {type: 'object', ...inside(entry.members)}
    return {...base, type: ['array', 'null'], items}
  }
  if (type === 'object') return {...base, type: ['object', 'null'], ...inside(members ?? [])}
  const name = type === 'reference' ? 'object' : type === 'boolean' || type === 'number' ? type : 'string'
  return {...base, type: [name, 'null']}
}

function memberSchema(member: Member): JsonSchema {
  const {type, isRequired, choices, members, entry, schema} = member
  const orNull = (name: string) => ({type: isRequired ? name : [name, 'null']})
  const base = titled(member)
  if (choices !== undefined) {
    const values = choices.map(({value}) => value)
    return {...base, enum: isRequired ? values : [...values, null]}
  }
  switch (type) {
    case 'array':
      return {
        ...base,
        ...orNull('array'),
        items:
          entry?.members === undefined
            ? {type: 'string', pattern: '\\S', ...entry?.schema}
            : objectSchema(entry.members),
        ...schema,
      }
    case 'object':
      return {...base, ...objectSchema(members ?? []), ...orNull('object')}
    case 'reference':
      return {
        ...base,
        ...objectSchema([]),
        ...orNull('object'),
        required: ['_ref'],
        properties: {_ref: {type: 'string', minLength: 1}},
      }
    case 'boolean':
    case 'number':
      return {...base, ...orNull(type), ...schema}
    default:
      return {...base, ...orNull('string'), ...(isRequired && {pattern: '\\S'}), ...schema}
  }
}
