import {entry, field, line, lines} from '../field.ts'
import {parseFormFields} from '../rules/formFields.ts'

const formField = entry(
  'field',
  'Field',
  [
    line(
      'name',
      'Name in the page',
      'The "name" of the field in the HTML of the page. If you do not know it, ask the person who builds the site.',
      {isRequired: true, schema: {maxLength: 200}},
    ),
    line('title', 'Title', 'A short name for the field, such as "Delivery date".', {
      schema: {pattern: '\\S', maxLength: 100},
    }),
    lines(
      'description',
      'Description',
      3,
      'What to put into the field, such as "The day of the delivery, at least two days from now".',
      {schema: {pattern: '\\S', maxLength: 1_000}},
    ),
  ],
  {
    select: {name: 'name', title: 'title', description: 'description'},
    prepare: ({name, title, description}: Record<string, unknown>) => ({
      title: title ?? name,
      subtitle: description ?? name,
    }),
  },
)

export const formFields = field({
  name: 'fields',
  type: 'array',
  title: 'Fields',
  description:
    'Agents read the labels of the form. Describe a field here if its label does not say enough. Fields that are not in this list work too.',
  entry: formField,
  schema: {maxItems: 100},
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
