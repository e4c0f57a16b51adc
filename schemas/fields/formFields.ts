import {entry, field, line, lines, parseMembers, ruled, type ValuesOf} from '../field.ts'
import {parseTitle} from '../rules/names/toolName.ts'
import {type Parsed, parseEach, parseOptional, refuse} from '../rules/parsed.ts'
import {parseText} from '../rules/text.ts'

const MEMBERS = [
  ruled(
    line(
      'name',
      'Name in the page',
      'The "name" of the field in the HTML of the page. If you do not know it, ask the person who builds the site.',
      {isRequired: true, schema: {maxLength: 200}},
    ),
    (value) => parseText(value, 'The name of a field', 200),
  ),
  ruled(
    line('title', 'Title', 'A short name for the field, such as "Delivery date".', {
      schema: {pattern: '\\S', maxLength: 100},
    }),
    (value, of) => parseTitle(value, `The title ${of}`),
  ),
  ruled(
    lines(
      'description',
      'Description',
      3,
      'What to put into the field, such as "The day of the delivery, at least two days from now".',
      {schema: {pattern: '\\S', maxLength: 1_000}},
    ),
    (value, of) => parseOptional(value, (text) => parseText(text, `The description ${of}`, 1_000)),
  ),
] as const

/** What agents learn about a field of a form. `name` is the field's `name` in the page's HTML. */
type FormField = ValuesOf<typeof MEMBERS>

/** More than any form for people has. */
const MAX_FIELDS = 100

/** The described fields of a form tool. A name occurs once: all fields with that name are one parameter. */
export function parseFormFields(value: unknown): Parsed<FormField[]> {
  return parseEach(value, 'The fields', MAX_FIELDS, parseFormField, ({name}) => name)
}

function parseFormField(value: unknown): Parsed<FormField> {
  const parsed = parseMembers(MEMBERS, value, {
    missing: 'A field must be an object with a name.',
    label: (name) => `of the field "${name}"`,
  })
  if (!parsed.ok || parsed.value.title !== undefined || parsed.value.description !== undefined) return parsed
  return refuse(`The field "${parsed.value.name}" has neither a title nor a description: write one of them.`)
}

export const formFields = field({
  name: 'fields',
  type: 'array',
  title: 'Fields',
  description:
    'Agents read the labels of the form. Describe a field here if its label does not say enough. Fields that are not in this list work too.',
  entry: entry('field', 'Field', MEMBERS, {
    select: {name: 'name', title: 'title', description: 'description'},
    prepare: ({name, title, description}: Record<string, unknown>) => ({
      title: title ?? name,
      subtitle: description ?? name,
    }),
  }),
  schema: {maxItems: MAX_FIELDS},
  beyond: ['duplicates', 'empty entries'],
  form: {group: 'form'},
  parse: parseFormFields,
  isServed: true,
  answer: {at: 5, as: (fields) => (fields.length > 0 ? fields : undefined)},
  decidesCode: true,
  isHandedOver: true,
  rows: (fields) =>
    fields.map(({name, title, description}) => ({
      title: 'Field',
      part: name,
      text: [title, description].filter((text) => text !== undefined).join('\n'),
    })),
})
