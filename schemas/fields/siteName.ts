import {field} from '../field.ts'
import {parseText} from '../rules/text.ts'

export const siteName = field({
  name: 'name',
  type: 'string',
  title: 'Name',
  description: 'A name for you and your colleagues. Visitors and agents do not see it.',
  isRequired: true,
  schema: {maxLength: 200},
  parse: (value) => parseText(value, 'The name', 200),
})
