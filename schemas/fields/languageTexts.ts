import {defineField} from '@sanity/types'
import {parseLanguage, parseLanguageTexts} from '../rules/conditions/languageTexts.ts'
import {keeps} from '../validation.ts'
import {entry, folded, line, lines, list} from './shared.ts'

const parameter = entry('parameter', 'Parameter', [
  line('name', 'Name'),
  lines('description', 'Description', 2),
])

/** The group of the field, in which forms show it. */
export const LANGUAGES = folded('languages', 'Languages')

/**
 * The texts of a tool or form tool in other languages.
 * @param group where forms show it
 */
export function languageTextsField(group: string) {
  return defineField({
    name: 'texts',
    type: 'array',
    title: 'Other languages',
    group,
    fieldset: LANGUAGES.name,
    description:
      'Agents on a page in one of these languages read its texts instead of those above. Leave a text empty to use the one above.',
    of: [
      entry('language', 'Language', [
        line('language', 'Language', 'Such as "de", which is also for pages in "de-AT".', {
          validation: (rule) => rule.required().custom(keeps(parseLanguage)),
        }),
        line('title', 'Title'),
        lines('description', 'Description', 4),
        list('parameters', 'Parameters', parameter),
      ]),
    ],
    validation: (rule) => rule.custom(keeps(parseLanguageTexts)),
  })
}
