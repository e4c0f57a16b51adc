import {field} from '../field.ts'
import {parseTitle, titleOf} from '../rules/names/toolName.ts'
import {textOf} from '../rules/text.ts'

export const title = field({
  name: 'title',
  type: 'string',
  title: 'Title',
  description:
    'What people read when an agent uses the tool, such as "Search our products". Leave this empty to use the name: "searchProducts" becomes "Search Products".',
  schema: {pattern: '\\S', maxLength: 100},
  beyond: ['invisible characters'],
  form: {group: 'about'},
  parse: (value) => parseTitle(value),
  isServed: true,
  answer: {at: 6, as: (title, document) => title ?? titleOf(textOf(document.name))},
  rows: (title, document) => [{title: '', text: title ?? titleOf(textOf(document.name))}],
})
