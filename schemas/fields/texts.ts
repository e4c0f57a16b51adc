import {entry, field, line, lines, list} from '../field.ts'
import {describeTexts, parseLanguageTexts} from '../rules/conditions/languageTexts.ts'

const parameter = entry('parameter', 'Parameter', [
  line('name', 'Name'),
  lines('description', 'Description', 2),
])

/** The texts of a tool or form tool in other languages. */
export const texts = field({
  name: 'texts',
  type: 'array',
  title: 'Other languages',
  description:
    'Agents on a page in one of these languages read its texts instead of those above. Leave a text empty to use the one above.',
  entry: entry('language', 'Language', [
    line('language', 'Language', 'Such as "de", which is also for pages in "de-AT".', {isRequired: true}),
    line('title', 'Title', undefined, {schema: {pattern: '\\S', maxLength: 100}}),
    lines('description', 'Description', 4, undefined, {schema: {pattern: '\\S', maxLength: 4_000}}),
    list('parameters', 'Parameters', parameter),
  ]),
  schema: {maxItems: 30},
  beyond: ['languages', 'duplicates', 'empty entries'],
  form: {fieldset: 'languages'},
  parse: parseLanguageTexts,
  isServed: true,
  answer: {at: 10, as: (texts) => (texts.length > 0 ? texts : undefined)},
  rows: (texts) => texts.flatMap(describeTexts),
})
