import {jsonIn} from '../../../common/json.ts'
import {isRecord} from '../../../schemas/rules/json.ts'
import {type Kind, kindOf, type ParameterSchema} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {changeKind, hiddenKeywords} from '../parameterKinds.ts'

/** An object schema whose properties are the rows of a table: the input schema itself, or a group in it. */
export type ObjectSchema = {readonly [keyword: string]: unknown}

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

/** Applies a change to the current schema, which may be newer than the rendered one. */
export type Change = (update: (schema: ObjectSchema) => ObjectSchema) => void

/**
 * Parses the text of an input schema. Returns undefined if it is not an object schema; the JSON view shows it
 * then.
 */
export function readSchema(text: string): ObjectSchema | undefined {
  const value = jsonIn(text)
  return isRecord(value) && value.type === 'object' && isRecord(value.properties) ? value : undefined
}

/** Formats an input schema as the table writes it. */
export function writeSchema(schema: ObjectSchema): string {
  return JSON.stringify(schema, null, 2)
}

/** The rows of an object schema, in order. */
export function rowsOf(schema: ObjectSchema): Row[] {
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

/** The old and the new name of a parameter, if one was renamed and nothing else has another name. */
export function renamedIn(
  before: ObjectSchema,
  after: ObjectSchema,
): readonly [from: string, to: string] | undefined {
  const [old, current] = [Object.keys(propertiesOf(before)), Object.keys(propertiesOf(after))]
  const [from, ...gone] = old.filter((name) => !current.includes(name))
  const [to, ...added] = current.filter((name) => !old.includes(name))
  if (from === undefined || to === undefined || gone.length > 0 || added.length > 0) return undefined
  return old.indexOf(from) === current.indexOf(to) ? [from, to] : undefined
}

/** Adds a text parameter with an unused name. */
export function addRow(schema: ObjectSchema): ObjectSchema {
  const name = freeName(schema, 'parameter')
  return withProperties(schema, [...entriesOf(schema), [name, {type: 'string', description: ''}]])
}

/** Inserts a copy of a parameter below it, with an unused name. */
export function duplicateRow(schema: ObjectSchema, name: string): ObjectSchema {
  const copy = freeName(schema, name)
  const entries = entriesOf(schema).flatMap(([own, parameter]): [string, unknown][] =>
    own === name
      ? [
          [own, parameter],
          [copy, parameter],
        ]
      : [[own, parameter]],
  )
  const isRequired = requiredOf(schema).includes(name)
  return requireRow(withProperties(schema, entries), copy, isRequired)
}

/** Removes a parameter. */
export function removeRow(schema: ObjectSchema, name: string): ObjectSchema {
  const entries = entriesOf(schema).filter(([own]) => own !== name)
  return requireRow(withProperties(schema, entries), name, false)
}

/** Moves a parameter down by a number of places, or up if it is negative. */
export function moveRow(schema: ObjectSchema, name: string, by: number): ObjectSchema {
  const entries = entriesOf(schema)
  const from = entries.findIndex(([own]) => own === name)
  const moved = entries[from]
  if (moved === undefined) return schema
  entries.splice(from, 1)
  entries.splice(Math.max(0, Math.min(from + by, entries.length)), 0, moved)
  return withProperties(schema, entries)
}

/**
 * Renames a parameter in place. Returns undefined if the name is empty, used by another parameter, or
 * `__proto__`, which the rules refuse.
 */
export function renameRow(schema: ObjectSchema, name: string, next: string): ObjectSchema | undefined {
  if (next === name) return schema
  if (next === '' || next === '__proto__' || Object.hasOwn(propertiesOf(schema), next)) return undefined
  const entries = entriesOf(schema).map(([own, parameter]): [string, unknown] => [
    own === name ? next : own,
    parameter,
  ])
  const {required} = schema
  const renamed = withProperties(schema, entries)
  if (!Array.isArray(required)) return renamed
  return {...renamed, required: required.map((own) => (own === name ? next : own))}
}

/** Makes a parameter required or optional. Removes `required` with its last name, because an empty list has no meaning. */
export function requireRow(schema: ObjectSchema, name: string, isRequired: boolean): ObjectSchema {
  const before = requiredOf(schema)
  if (before.includes(name) === isRequired) return schema
  const required = isRequired ? [...before, name] : before.filter((own) => own !== name)
  if (required.length > 0) return {...schema, required}
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'required'))
}

/** Changes the kind of a parameter. */
export function changeRowKind(
  schema: ObjectSchema,
  name: string,
  kind: Exclude<Kind, 'other'>,
): ObjectSchema {
  return replaceRow(schema, name, changeKind(propertiesOf(schema)[name], kind))
}

/** Sets a keyword of a parameter; undefined removes it. */
export function setKeyword(
  schema: ObjectSchema,
  name: string,
  keyword: string,
  value: unknown,
): ObjectSchema {
  const before = propertiesOf(schema)[name]
  const parameter: ParameterSchema = isRecord(before) ? before : {}
  if (value !== undefined) return replaceRow(schema, name, {...parameter, [keyword]: value})
  return replaceRow(
    schema,
    name,
    Object.fromEntries(Object.entries(parameter).filter(([own]) => own !== keyword)),
  )
}

/** Changes the schema of a group. */
export function updateRow(
  schema: ObjectSchema,
  name: string,
  update: (group: ObjectSchema) => ObjectSchema,
): ObjectSchema {
  const group = propertiesOf(schema)[name]
  return isRecord(group) ? replaceRow(schema, name, update(group)) : schema
}

function replaceRow(schema: ObjectSchema, name: string, parameter: unknown): ObjectSchema {
  const entries = entriesOf(schema).map(([own, before]): [string, unknown] => [
    own,
    own === name ? parameter : before,
  ])
  return withProperties(schema, entries)
}

function propertiesOf({properties}: ObjectSchema): Readonly<Record<string, unknown>> {
  return isRecord(properties) ? properties : {}
}

function entriesOf(schema: ObjectSchema): [string, unknown][] {
  return Object.entries(propertiesOf(schema))
}

function withProperties(schema: ObjectSchema, entries: readonly [string, unknown][]): ObjectSchema {
  return {...schema, properties: Object.fromEntries(entries)}
}

function requiredOf({required}: ObjectSchema): readonly unknown[] {
  return Array.isArray(required) ? required : []
}

function freeName(schema: ObjectSchema, wish: string): string {
  const properties = propertiesOf(schema)
  const stem = wish.replace(/\d+$/, '')
  for (let number = 1; ; number += 1) {
    const name = number === 1 && stem === wish ? stem : `${stem}${number}`
    if (!Object.hasOwn(properties, name)) return name
  }
}
