import {isRecord} from '../../record.ts'
import type {Row} from '../text.ts'
import {DATE_PATTERN, KIND_TITLES, kindOf} from './parameterKind.ts'

/**
 * A schema in words: one row for each property, and one for each other keyword.
 * @param title what a property is
 * @param whole what the schema is
 */
export function describeSchema(
  title: string,
  whole: string,
  schema: {readonly [keyword: string]: unknown},
): Row[] {
  const {properties, required, ...others} = schema
  const names: unknown[] = Array.isArray(required) ? required : []
  const own = isRecord(properties) ? properties : {}
  const absent = names.filter((name) => !Object.hasOwn(own, String(name)))
  const rows = Object.entries(own).map(([part, property]) => ({
    title,
    part,
    text: [
      `${KIND_TITLES[kindOf(property)]}${names.includes(part) ? ', required' : ''}`,
      ...(isRecord(property) && typeof property.description === 'string' ? [property.description] : []),
      ...keywordsOf(property),
    ]
      .filter((text) => text !== '')
      .join('\n'),
  }))
  return [
    ...rows,
    ...Object.entries({...others, ...(absent.length > 0 && {required: absent})}).flatMap(([part, value]) =>
      value === undefined ? [] : [{title: whole, part, text: JSON.stringify(value)}],
    ),
  ]
}

/** The keywords of a property that its kind and its description do not say. */
function keywordsOf(schema: unknown): string[] {
  const kind = kindOf(schema)
  if (!isRecord(schema) || kind === 'other' || kind === 'group') return [JSON.stringify(schema)]
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'type' || keyword === 'description') return []
    if (keyword === 'pattern' && value === DATE_PATTERN) return []
    if (keyword === 'items' && JSON.stringify(value) === '{"type":"string"}') return []
    if (keyword === 'enum' && Array.isArray(value)) return [`One of: ${value.map(String).join(', ')}`]
    return [`${keyword}: ${JSON.stringify(value)}`]
  })
}
