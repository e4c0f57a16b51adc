import {field} from '../field.ts'
import {parseDescription} from '../rules/text.ts'

export const description = field({
  name: 'description',
  type: 'text',
  title: 'Description',
  description:
    'What the tool does, when to use it, and what it returns. Agents read this text to choose a tool.',
  isRequired: true,
  schema: {maxLength: 4_000},
  form: {group: 'about', rows: 4},
  parse: parseDescription,
  isServed: true,
  answer: {at: 2},
  isHandedOver: true,
})
