import {field} from '../field.ts'
import {parsePathPattern} from '../rules/paths/pathPattern.ts'

/** The rule for pages, of a tool or form tool. */
export const PAGES = {
  isRequired: true,
  schema: {maxLength: 256},
  beyond: ['path patterns'],
  parse: parsePathPattern,
  isServed: true,
  decidesCode: true,
  isHandedOver: true,
} as const

export const pathPattern = field({
  name: 'pathPattern',
  type: 'string',
  title: 'Path pattern',
  description:
    'The pages that offer this tool. Paste the address of a page, or write a pattern: "/products/*" is all pages one level below, "/{cart,checkout}" two pages.',
  form: {group: 'pages', initialValue: '/**'},
  ...PAGES,
})
