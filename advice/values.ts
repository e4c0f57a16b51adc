import {isRecord} from '../schemas/record.ts'
import {checkerOf} from '../schemas/rules/jsonSchema/mismatch.ts'
import {hasType} from '../schemas/rules/jsonSchema/parameterKind.ts'
import type {Subschema} from '../schemas/rules/jsonSchema/subschemas.ts'
import {type Advice, advise} from './advice.ts'

const FIELD = 'inputSchema'

/** Advice on limits, choices, defaults and examples that contradict each other. */
export function adviseValues(subschemas: readonly Subschema[]): Advice[] {
  return subschemas.flatMap((found) => {
    const {parameter} = found
    if (parameter === undefined) return adviseDefault(found)
    return [
      ...adviseChoices(found, parameter),
      ...adviseLimits(found, parameter),
      ...adviseGiven(found, parameter),
      ...adviseDefault(found),
    ]
  })
}

function adviseChoices({schema, path}: Subschema, name: string): Advice[] {
  if (!Array.isArray(schema.enum)) return []
  const {type} = schema
  const wrong = typeof type === 'string' ? schema.enum.filter((choice) => !hasType(choice, type)) : []
  if (typeof type === 'string' && wrong.length > 0) {
    const named = wrong.slice(0, 5).map((choice) => JSON.stringify(choice))
    const message = `No call can choose ${named.join(', ')} of “${name}”: a choice must be ${TYPE_WORDS[type] ?? type}. Change the kind, or the choices.`
    return [advise('VALUE_NOT_ALLOWED', FIELD, message, {path: [...path, 'enum']})]
  }
  if (schema.enum.length > 1) return []
  const several = String(schema.enum[0]).split(/\s*[;|\n]\s*/)
  // In a group, a single choice tells kinds of groups apart, such as {"type": {"enum": ["text"]}}.
  if (schema.enum.length === 1 && several.length === 1 && path.length > 2) return []
  const message =
    schema.enum.length === 0
      ? `“${name}” is one of a list, and the list is empty: add the choices.`
      : several.length > 1
        ? `“${name}” has a single choice, “${schema.enum[0]}”: separate choices with commas.`
        : `“${name}” has a single choice, so there is nothing to choose: add the others, or remove the parameter.`
  const member = [...path, 'enum']
  const fix = {title: `Make these ${several.length} choices`, member, value: several}
  return [advise('CHOICES_FEW', FIELD, message, {path: member, ...(several.length > 1 ? {fix} : {})})]
}

const LIMITS: readonly (readonly [low: string, high: string, type: readonly string[]])[] = [
  ['minimum', 'maximum', ['number', 'integer']],
  ['exclusiveMinimum', 'exclusiveMaximum', ['number', 'integer']],
  ['minLength', 'maxLength', ['string']],
  ['minItems', 'maxItems', ['array']],
  ['minProperties', 'maxProperties', ['object']],
]

function adviseLimits({schema, path}: Subschema, name: string): Advice[] {
  const advice: Advice[] = []
  for (const [low, high, types] of LIMITS) {
    const {[low]: least, [high]: most, type} = schema
    if (typeof least === 'number' && typeof most === 'number' && least > most) {
      const message = `No value of “${name}” is possible: the smallest, ${least}, is larger than the largest, ${most}. Exchange them.`
      advice.push(advise('LIMITS_CONTRADICT', FIELD, message, {path: [...path, low]}))
    }
    const limit = [low, high].find((keyword) => schema[keyword] !== undefined)
    if (limit !== undefined && typeof type === 'string' && !types.includes(type)) {
      const message = `"${limit}" of “${name}” has no effect, because the parameter is not ${TYPE_WORDS[types[0] ?? '']}. Change the kind, or remove the limit.`
      advice.push(advise('LIMIT_IGNORED', FIELD, message, {path: [...path, limit]}))
    }
  }
  return advice
}

function adviseGiven({schema, path}: Subschema, name: string): Advice[] {
  const given = [
    ...(schema.default === undefined
      ? []
      : [{value: schema.default, what: 'value if left out', at: 'default'}]),
    ...(Array.isArray(schema.examples) ? schema.examples : []).map((value: unknown) => ({
      value,
      what: 'example',
      at: 'examples',
    })),
  ]
  return given.flatMap(({value, what, at}) => {
    const problem = problemOf(value, schema)
    if (problem === undefined) return []
    const message = `The ${what} of “${name}”, ${JSON.stringify(value)}, is not allowed: it ${problem}.`
    return [advise('VALUE_NOT_ALLOWED', FIELD, message, {path: [...path, at]})]
  })
}

/** Why a schema does not allow a value. */
function problemOf(value: unknown, schema: Record<string, unknown>): string | undefined {
  try {
    return checkerOf(schema, '2020-12')(value)?.problem
  } catch {
    // It refers to another part of the schema.
    return undefined
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false, without quotation marks',
  array: 'a list',
  object: 'a group',
  null: 'null',
}

/** A parameter that is always given needs no value for when it is left out. */
function adviseDefault({schema, path}: Subschema): Advice[] {
  const {required, properties} = schema
  if (!Array.isArray(required) || !isRecord(properties)) return []
  return required.flatMap((name: unknown) => {
    const parameter =
      typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (typeof name !== 'string' || !isRecord(parameter) || parameter.default === undefined) return []
    const message = `“${name}” is required, so its value if left out is never used: make it optional, or remove that value.`
    return [advise('DEFAULT_REQUIRED', FIELD, message, {path: [...path, 'properties', name, 'default']})]
  })
}
