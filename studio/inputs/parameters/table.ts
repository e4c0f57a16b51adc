import {jsonIn} from '../../../common/json.ts'
import {isRecord} from '../../../schemas/record.ts'
import {type Kind, kindOf, type ParameterSchema} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {hiddenKeywords} from '../parameterKinds.ts'

/** One parameter as the table shows it. */
export type Row = {
  readonly name: string
  readonly kind: Kind
  readonly required: boolean
  readonly description: string
  /** The complete schema of the parameter. */
  readonly schema: unknown
  /** Keywords that only the JSON view shows. */
  readonly hidden: readonly string[]
}

/**
 * Applies a change to the current schema, which may be newer than the rendered one. Its properties are the rows of a table: it is
 * the input schema itself, or a group in it.
 */
export type Change = (update: (schema: ParameterSchema) => ParameterSchema) => void

/**
 * Parses the text of an input schema. Returns undefined if it is not an object schema; the JSON view shows it
 * then.
 */
export function readSchema(text: string): ParameterSchema | undefined {
  const value = jsonIn(text)
  return isRecord(value) && value.type === 'object' && isRecord(value.properties) ? value : undefined
}

/** Formats an input schema as the table writes it. */
export function writeSchema(schema: ParameterSchema): string {
  return JSON.stringify(schema, null, 2)
}

/** The rows of an object schema, in order. */
export function rowsOf(schema: ParameterSchema): Row[] {
  const required = requiredOf(schema)
  return Object.entries(propertiesOf(schema)).map(([name, parameter]) => ({
    name,
    kind: kindOf(parameter),
    required: required.includes(name),
    description:
      isRecord(parameter) && typeof parameter.description === 'string' ? parameter.description : '',
    schema: parameter,
    hidden: hiddenKeywords(parameter),
  }))
}

/** Adds a text parameter with an unused name. */
export function addRow(schema: ParameterSchema): ParameterSchema {
  const name = freeName(schema, 'parameter')
  return withProperties(schema, [...entriesOf(schema), [name, {type: 'string', description: ''}]])
}

/** Removes a parameter. */
export function removeRow(schema: ParameterSchema, name: string): ParameterSchema {
  const entries = entriesOf(schema).filter(([own]) => own !== name)
  return requireRow(withProperties(schema, entries), name, false)
}

/**
 * Renames a parameter in place. Returns undefined if the name is empty, used by another parameter, or
 * `__proto__`, which the rules refuse.
 */
export function renameRow(schema: ParameterSchema, name: string, next: string): ParameterSchema | undefined {
  if (next === name) return schema
  if (next === '' || next === '__proto__' || Object.hasOwn(propertiesOf(schema), next)) return undefined
  const nextOf = <T>(own: T) => (own === name ? next : own)
  const entries = entriesOf(schema).map(([own, parameter]): [string, unknown] => [nextOf(own), parameter])
  const renamed = withProperties(schema, entries)
  const {required} = schema
  return Array.isArray(required) ? {...renamed, required: required.map(nextOf)} : renamed
}

/** Makes a parameter required or optional. Removes `required` with its last name, because an empty list has no meaning. */
export function requireRow(schema: ParameterSchema, name: string, isRequired: boolean): ParameterSchema {
  const before = requiredOf(schema)
  if (before.includes(name) === isRequired) return schema
  const required = isRequired ? [...before, name] : before.filter((own) => own !== name)
  const {required: _, ...others} = schema
  return required.length > 0 ? {...schema, required} : others
}

/** Changes the schema of a parameter. */
export function updateRow(
  schema: ParameterSchema,
  name: string,
  update: (parameter: ParameterSchema) => ParameterSchema,
): ParameterSchema {
  const entries = entriesOf(schema).map(([own, parameter]): [string, unknown] => [
    own,
    own === name ? update(isRecord(parameter) ? parameter : {}) : parameter,
  ])
  return withProperties(schema, entries)
}

/** Sets a keyword of a parameter. Undefined removes it: JSON has no such value. */
export function setKeyword(
  schema: ParameterSchema,
  name: string,
  keyword: string,
  value: unknown,
): ParameterSchema {
  return updateRow(schema, name, (parameter) => ({...parameter, [keyword]: value}))
}

function propertiesOf({properties}: ParameterSchema): Readonly<Record<string, unknown>> {
  return isRecord(properties) ? properties : {}
}

function entriesOf(schema: ParameterSchema): [string, unknown][] {
  return Object.entries(propertiesOf(schema))
}

function withProperties(schema: ParameterSchema, entries: readonly [string, unknown][]): ParameterSchema {
  return {...schema, properties: Object.fromEntries(entries)}
}

function requiredOf({required}: ParameterSchema): readonly unknown[] {
  return Array.isArray(required) ? required : []
}

function freeName(schema: ParameterSchema, wish: string): string {
  const properties = propertiesOf(schema)
  const stem = wish.replace(/\d+$/, '')
  for (let number = 1; ; number += 1) {
    const name = number === 1 && stem === wish ? stem : `${stem}${number}`
    if (!Object.hasOwn(properties, name)) return name
  }
}
