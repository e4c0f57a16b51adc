import {defineArrayMember, defineField} from '@sanity/types'
import {parseLanguage, parseLanguageTexts} from '../rules/conditions/languageTexts.ts'
import {advises, keeps} from '../validation.ts'
import {line} from './shared.ts'

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
    description:
      'Agents on a page in one of these languages read its texts instead of those above. Leave a text empty to use the one above.',
    of: [
      defineArrayMember({
        name: 'language',
        type: 'object',
        title: 'Language',
        fields: [
          line('language', 'Language', 'Such as "de", which is also for pages in "de-AT".', {
            validation: (rule) => rule.required().custom(keeps(parseLanguage)),
          }),
          line('title', 'Title'),
          defineField({name: 'description', type: 'text', title: 'Description', rows: 4}),
          defineField({
            name: 'parameters',
            type: 'array',
            title: 'Parameters',
            of: [
              defineArrayMember({
                name: 'parameter',
                type: 'object',
                title: 'Parameter',
                fields: [
                  line('name', 'Name'),
                  defineField({name: 'description', type: 'text', title: 'Description', rows: 2}),
                ],
              }),
            ],
          }),
        ],
      }),
    ],
    validation: (rule) => [rule.custom(keeps(parseLanguageTexts)), rule.custom(advises('texts')).warning()],
  })
}
