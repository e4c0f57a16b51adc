import {isRecord} from '../schemas/record.ts'
import type {Expectation} from '../schemas/rules/tests/toolTests.ts'

const SUCCEEDS: readonly Expectation[] = []
const REFUSED: readonly Expectation[] = [{kind: 'fails', member: '', value: ''}]

/**
 * Derives calls from an input schema: only what is required, everything, the limits of each parameter, and what the
 * schema forbids, which the tool must refuse.
 * @param examples arguments of written tests: values that the website knows
 */
export function deriveCalls(
  inputSchema: Readonly<Record<string, unknown>>,
  examples: readonly Readonly<Record<string, unknown>>[] = [],
) {
  const properties = Object.entries(isRecord(inputSchema.properties) ? inputSchema.properties : {})
  const isRequired = (name: string) =>
    Array.isArray(inputSchema.required) && inputSchema.required.includes(name)
  const known = new Map(
    properties.flatMap(([name, schema]): [string, unknown][] => {
      const value = examples.find((one) => Object.hasOwn(one, name))?.[name] ?? exampleOf(schema)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const required = Object.fromEntries([...known].filter(([name]) => isRequired(name)))
  const all = Object.fromEntries(known)
  /** The required parameters for which no value is known. */
  const unknown = properties.map(([name]) => name).filter((name) => isRequired(name) && !known.has(name))
  const valid = [
    {title: 'only what is required', arguments: required, expect: SUCCEEDS},
    ...(Object.keys(all).length > Object.keys(required).length
      ? [{title: 'every parameter', arguments: all, expect: SUCCEEDS}]
      : []),
    ...properties.flatMap(([name, schema]) =>
      limitsOf(schema).map(({what, value}) => ({
        title: `${what} “${name}”`,
        arguments: {...required, [name]: value},
        expect: SUCCEEDS,
      })),
    ),
  ]
  const invalid = [
    ...properties
      .filter(([name]) => isRequired(name))
      .map(([name]) => ({title: `without “${name}”`, arguments: without(required, name), expect: REFUSED})),
    ...properties.flatMap(([name, schema]) =>
      wrongFor(schema).map(({what, value}) => ({
        title: `${what} for “${name}”`,
        arguments: {...required, [name]: value},
        expect: REFUSED,
      })),
    ),
  ]
  return {calls: [...(unknown.length === 0 ? valid : []), ...invalid], unknown}
}

function without(members: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name))
}

type Value = {readonly what: string; readonly value: unknown}

/** A value that a parameter accepts, as far as its schema or its description has one. */
function exampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return undefined
  const {default: initial, examples, const: only, enum: choices, type, minimum, maximum, description} = schema
  for (const value of [initial, only]) if (value !== undefined) return value
  for (const list of [examples, choices]) if (Array.isArray(list) && list.length > 0) return list[0]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return minimum ?? maximum
  // "Words to search for, such as "rope""
  const [, quoted] =
    /such as ["“]([^"“”]+)["”]/.exec(typeof description === 'string' ? description : '') ?? []
  return type === 'string' ? quoted : undefined
}

function limitsOf(schema: unknown): Value[] {
  if (!isRecord(schema)) return []
  const {type, minimum, maximum, enum: choices} = schema
  const isNumber = type === 'integer' || type === 'number'
  return [
    ...(isNumber && typeof minimum === 'number' ? [{what: 'lowest', value: minimum}] : []),
    ...(isNumber && typeof maximum === 'number' ? [{what: 'highest', value: maximum}] : []),
    ...(Array.isArray(choices) && choices.length > 1
      ? [{what: 'last choice of', value: choices.at(-1)}]
      : []),
  ]
}

/** What the snippet must refuse: see `snippet/calls/arguments.ts` for the keywords that it checks. */
function wrongFor(schema: unknown): Value[] {
  if (!isRecord(schema) || typeof schema.type !== 'string') return []
  const {type, minimum, maximum, minLength, enum: choices} = schema
  const other = type === 'string' ? 12 : 'not this kind'
  return [
    {what: 'another kind', value: other},
    ...(typeof minimum === 'number' ? [{what: 'less than the lowest', value: minimum - 1}] : []),
    ...(typeof maximum === 'number' ? [{what: 'more than the highest', value: maximum + 1}] : []),
    ...(typeof minLength === 'number' && minLength > 0 ? [{what: 'an empty text', value: ''}] : []),
    ...(Array.isArray(choices) && type === 'string'
      ? [{what: 'none of the choices', value: 'none of the choices'}]
      : []),
  ]
}
