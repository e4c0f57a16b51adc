import {isRecord} from '../../record.ts'

/** What a person fills in for a parameter. `other` has no input of its own and is edited as JSON. */
export type Kind = (typeof KINDS)[number] | 'other'

export const KINDS = ['text', 'number', 'integer', 'boolean', 'choice', 'texts', 'date', 'group'] as const

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

/** The JSON Schema of one parameter. Booleans are schemas too. */
export type ParameterSchema = {readonly [keyword: string]: unknown}

/**
 * Matches a date such as 2026-03-31. A pattern, because the web platform tests expect browsers to refuse
 * `format`.
 */
export const DATE_PATTERN = '^\\d{4}-\\d{2}-\\d{2}$'

/** The kind as which a schema is shown. */
export function kindOf(schema: unknown): Kind {
  if (!isRecord(schema)) return 'other'
  const {type} = schema
  if (schema.enum !== undefined) return isChoice(schema) ? 'choice' : 'other'
  if (type === 'string') return isDate(schema) ? 'date' : 'text'
  if (type === 'number' || type === 'integer' || type === 'boolean') return type
  if (type === 'array') return isTexts(schema.items) ? 'texts' : 'other'
  return type === 'object' && isRecord(schema.properties) ? 'group' : 'other'
}

function isDate({pattern, format}: ParameterSchema): boolean {
  return pattern === DATE_PATTERN || (pattern === undefined && format === 'date')
}

function isChoice({type, enum: choices}: ParameterSchema): boolean {
  return (
    (type === undefined || type === 'string') &&
    Array.isArray(choices) &&
    choices.every((choice) => typeof choice === 'string')
  )
}

function isTexts(items: unknown): boolean {
  return isRecord(items) && items.type === 'string' && Object.keys(items).length === 1
}

/** Whether a value has a type of JSON Schema. */
export function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}
