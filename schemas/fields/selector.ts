import {field} from '../field.ts'
import {parseSelector} from '../rules/selector.ts'

/** The form of a form tool. */
export const selector = field({
  name: 'selector',
  type: 'string',
  title: 'Selector',
  description:
    'A CSS selector that finds the form on the page, such as "#contact" or "form[name=contact]". The first form that matches is used.',
  isRequired: true,
  schema: {maxLength: 1_000},
  beyond: ['selectors'],
  form: {group: 'form'},
  parse: parseSelector,
  isServed: true,
  answer: {at: 3},
  decidesCode: true,
  isHandedOver: true,
})
