import {field} from '../field.ts'
import {PAGES} from './pathPattern.ts'

export const pagePath = field({
  name: 'pagePath',
  type: 'string',
  title: 'Page path',
  description:
    'The page with the form, such as "/contact". Wildcards work too: "/products/**" is that page and all pages below it.',
  form: {group: 'form'},
  ...PAGES,
})
