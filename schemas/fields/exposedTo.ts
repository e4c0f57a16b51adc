import {field} from '../field.ts'
import {parseOrigins} from '../rules/origin.ts'

/** What JSON Schema says of a list of origins. */
export const ORIGINS = {
  entry: {type: 'string', schema: {pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]?://[^/]', maxLength: 2_000}},
  schema: {uniqueItems: true},
  beyond: ['origins'],
} as const

export const exposedTo = field({
  name: 'exposedTo',
  type: 'array',
  title: 'Exposed to',
  description:
    'Other sites that may use this tool from a frame on your page, such as "https://help.example.com". Leave this empty unless you need it. An empty list means every document in the frame tree; Chromium then shows the tool only to documents of the page’s own origin.',
  ...ORIGINS,
  form: {group: 'pages', fieldset: 'frames'},
  parse: parseOrigins,
  isServed: true,
  answer: {at: 5},
  decidesCode: true,
})
