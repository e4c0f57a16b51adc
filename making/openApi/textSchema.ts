import {isRecord, recordsIn} from '../../schemas/record.ts'
import {scalarText} from '../../schemas/rules/text.ts'
import {isCount} from '../names.ts'
import type {Schema} from './nullable.ts'

const SIMPLE: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

/**
 * The schema of a value in an address or a form, where all is text: a text, a number, yes or no, or a list of these. A
 * value that may be null may be missing.
 * @returns undefined if it is a group of values
 */
export function textSchemaOf(name: string, schema: Schema): Schema | undefined {
  const {oneOf, anyOf, const: only, enum: values, type, items, ...rest} = schema
  const choices = [oneOf, anyOf].flatMap(recordsIn)
  if (choices.length > 0) return ofChoices(name, rest, choices)
  const kinds = [type].flat().filter((kind) => kind !== 'null' && kind !== undefined)
  if (kinds.includes('array') || isRecord(items)) {
    const entry = textSchemaOf(name, isRecord(items) ? items : {})
    return entry === undefined || entry.type === 'array' ? undefined : {...rest, type: 'array', items: entry}
  }
  const simple = kinds.filter((kind) => SIMPLE.includes(kind))
  if (simple.length === 0 && (kinds.length > 0 || isRecord(rest.properties))) return undefined
  const known = (only === undefined ? [values].flat() : [only]).filter((one) => SIMPLE.includes(typeof one))
  const found: Schema = {
    ...rest,
    ...(simple.length > 0 ? {type: simple.length === 1 ? simple[0] : simple} : known.length === 0 && TEXT),
    ...(known.length > 0 && {enum: known}),
  }
  return isLongInteger(name, found) ? digitsOf(found) : found
}

const TEXT = {type: 'string'}

/** The schema for one of several: a list if one of them is a list, because a single value is a list of one. */
function ofChoices(name: string, rest: Schema, choices: readonly Schema[]): Schema | undefined {
  const found = choices
    .map((choice) => textSchemaOf(name, choice))
    .filter((one) => one !== undefined && one.type !== undefined)
  const list = found.find((one) => one?.type === 'array')
  if (list !== undefined) return {...list, ...rest}
  if (found.length === 0) return undefined
  const types = [...new Set(found.flatMap((one) => [one?.type].flat()))]
  const values = found.map((one) => one?.enum)
  return {
    ...rest,
    type: types.length === 1 ? types[0] : types,
    ...(values.every(Array.isArray) && {enum: [...new Set(values.flat())]}),
  }
}

/** Whether JavaScript may round values, and they are no count: identifiers of databases. */
function isLongInteger(name: string, {type, format, maximum}: Schema): boolean {
  const isSmall = typeof maximum === 'number' && Number.isSafeInteger(maximum)
  return type === 'integer' && format === 'int64' && !isSmall && !isCount(name)
}

/** A whole number as a text, which keeps its digits. */
function digitsOf({title, description, enum: values, examples, default: usual}: Schema): Schema {
  return {
    type: 'string',
    pattern: '^-?\\d+$',
    ...(title !== undefined && {title}),
    ...(description !== undefined && {description}),
    ...(Array.isArray(values) && {enum: values.map(scalarText)}),
    ...(Array.isArray(examples) && {examples: examples.map(scalarText)}),
    ...(usual !== undefined && {default: scalarText(usual)}),
  }
}
