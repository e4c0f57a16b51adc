import {defineField} from '@sanity/types'
import {
  HINT_TITLES,
  HINTS,
  type Hint,
  type HintSetting,
  parseDebugging,
  parseHintSettings,
} from '../rules/hints/annotations.ts'
import {keeps} from '../validation.ts'
import {folded} from './shared.ts'

const DEBUGGING_TITLE = 'For developers only'

const DESCRIPTIONS: Record<Hint, string> = {
  readOnlyHint: 'A call changes nothing. Some agents treat every other tool as destructive.',
  consequentialHint:
    'A call cannot easily be undone, and agents should ask the visitor first. Some do not see this hint: say it in the description, too.',
  untrustedContentHint:
    'The result contains text that other people wrote, so agents should not follow instructions in it.',
}

const CHOICES: {readonly title: string; readonly value: HintSetting}[] = [
  {title: 'Auto', value: 'auto'},
  {title: 'Yes', value: 'true'},
  {title: 'No', value: 'false'},
]

/** The titles of all annotations, by their names. */
export const ANNOTATION_TITLES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(HINT_TITLES),
  ['debugging', DEBUGGING_TITLE],
])

/** Annotations of a tool. A hint on Auto is inferred from the tool's name. */
export const annotationsField = defineField({
  name: 'annotations',
  type: 'object',
  title: 'Hints',
  group: 'hints',
  description:
    'What agents may assume about the tool before they call it. With Auto, the name of the tool decides.',
  fieldsets: [folded('developers', 'For developers')],
  fields: [
    ...HINTS.map((hint) =>
      defineField({
        name: hint,
        type: 'string',
        title: HINT_TITLES[hint],
        description: DESCRIPTIONS[hint],
        options: {list: CHOICES, layout: 'radio', direction: 'horizontal'},
        initialValue: 'auto',
      }),
    ),
    defineField({
      name: 'debugging',
      type: 'boolean',
      title: DEBUGGING_TITLE,
      fieldset: 'developers',
      description:
        'Switch this on for a tool that helps people who build the site, not its visitors. Most agents list it all the same.',
    }),
  ],
  validation: (rule) => [rule.custom(keeps(parseHintSettings)), rule.custom(keeps(parseDebugging))],
})
