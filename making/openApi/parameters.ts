import {isRecord, recordsIn} from '../../schemas/record.ts'
import {scalarText} from '../../schemas/rules/text.ts'
import type {Row} from '../exchange.ts'
import {harmlessHeaders} from '../headers.ts'
import type {Schema} from './nullable.ts'
import {plainText} from './plainText.ts'
import type {References} from './references.ts'
import {textSchemaOf} from './textSchema.ts'

/** A value of a path or a query, as it is sent. */
type Sent = {
  readonly place: 'path' | 'query'
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
}

/** What stands before the value in a path: https://spec.openapis.org/oas/v3.1.1.html#style-examples */
const BEFORE: Readonly<Record<string, (name: string) => string>> = {
  label: () => '.',
  matrix: (name) => `;${name}=`,
}

/** Headers that the standard leaves to other parts of a file. */
const IGNORED = /^(?:accept|content-type|authorization)$/i

/**
 * The parameters of a path and of its operation, which replace those of the same name and place.
 * @throws TooLargeError
 */
export function parametersOf(lists: readonly unknown[], references: References) {
  const found = new Map<string, Parameter>()
  for (const value of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parameter = parameterOf(references.resolve(value) ?? {}, references)
    if (parameter !== undefined) found.set(`${parameter.place} ${parameter.name}`, parameter)
  }
  const sent: Sent[] = []
  const headers: Row[] = []
  const styles = new Map<string, string>()
  const notes: string[] = []
  for (const parameter of found.values()) {
    const {name, place, schema, style, isRequired} = parameter
    if (place === 'header' || place === 'cookie') {
      const fixed = isRequired && place === 'header' ? harmlessHeaders([[name, onlyOf(schema)]]) : []
      headers.push(...fixed)
      if (isRequired && fixed.length === 0 && !(place === 'header' && IGNORED.test(name)))
        notes.push(`The ${place} “${name}” is not sent: requests of pages send the visitor’s cookies only.`)
    } else if (place === 'path' || place === 'query') {
      const parts = partsOf({...parameter, place})
      sent.push(...parts)
      if (parts.length === 0) notes.push(`The parameter “${name}” is a group, which an address cannot have.`)
      const before = place === 'path' && style !== undefined ? BEFORE[style]?.(name) : undefined
      if (before !== undefined) styles.set(name, before)
    } else notes.push(`The parameter “${name}” is not sent: “${place}” is unknown.`)
  }
  return {sent, headers, styles, notes}
}

function onlyOf({const: only, enum: values, default: usual}: Schema): string {
  return scalarText(only ?? (Array.isArray(values) && values.length === 1 ? values[0] : usual))
}

type Parameter = NonNullable<ReturnType<typeof parameterOf>>

function parameterOf(parameter: Schema, references: References) {
  const {name, in: place, description, required, example, style = 'form', explode} = parameter
  if (typeof name !== 'string' || typeof place !== 'string') return undefined
  const [content] = recordsIn(isRecord(parameter.content) ? Object.values(parameter.content) : [])
  const schema: Schema = {
    ...(content === undefined ? references.schemaOf(parameter.schema, 'sent') : {type: 'string'}),
    ...(typeof description === 'string' && {description: plainText(description)}),
    ...(example !== undefined && typeof example !== 'object' && {examples: [example]}),
  }
  return {
    name,
    place,
    schema: content === undefined ? schema : withHint(schema, 'Write it as JSON.'),
    isRequired: required === true || place === 'path',
    style: typeof style === 'string' ? style : undefined,
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject',
  }
}

const SEPARATORS: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
}

/** A list with separators is one text; a group is one value for each of its members. */
function partsOf({
  name,
  place,
  schema,
  isRequired,
  style = '',
  explode,
}: Parameter & Pick<Sent, 'place'>): Sent[] {
  const text = textSchemaOf(name, schema)
  if (text === undefined) {
    const members = Object.entries(
      isRecord(schema.properties) && explode && place === 'query' ? schema.properties : {},
    )
    const required = Array.isArray(schema.required) && isRequired ? schema.required : []
    return members.flatMap(([member, inner]): Sent[] => {
      const part = textSchemaOf(member, isRecord(inner) ? inner : {})
      const sentAs = style === 'deepObject' ? `${name}[${member}]` : member
      return part === undefined
        ? []
        : [{place, name: sentAs, schema: part, isRequired: required.includes(member)}]
    })
  }
  if (text.type !== 'array' || (explode && place === 'query'))
    return [{place, name, schema: text, isRequired}]
  const separator = SEPARATORS[style] ?? ','
  const {description} = text
  const shown = separator === '\t' ? 'a tab' : separator === ' ' ? 'a space' : `“${separator}”`
  const values =
    isRecord(text.items) && Array.isArray(text.items.enum)
      ? `: ${text.items.enum.map(scalarText).join(', ')}`
      : ''
  const joined = {type: 'string', ...(description !== undefined && {description})}
  return [
    {place, name, schema: withHint(joined, `Several values are separated by ${shown}${values}.`), isRequired},
  ]
}

function withHint(schema: Schema, hint: string): Schema {
  const {description = ''} = schema
  const text = scalarText(description).trim()
  return {...schema, description: text === '' ? hint : `${text.replace(/([^.!?])$/, '$1.')} ${hint}`}
}
