import {defineField} from '@sanity/types'
import {HINTS, type Hint, type HintSetting, parseHintSettings} from './rules/annotations.ts'
import {keeps} from './validation.ts'

const TITLES: Record<Hint, string> = {
  readOnlyHint: 'Read-only',
  consequentialHint: 'Consequential',
  untrustedContentHint: 'Untrusted content',
}

const DESCRIPTIONS: Record<Hint, string> = {
  readOnlyHint:
    'The tool changes nothing. Auto: yes where the name begins with a verb such as search, get or list.',
  consequentialHint:
    'The tool does what cannot be undone, and agents should ask the visitor first. Auto: yes for names such as placeOrder or deleteAccount.',
  untrustedContentHint:
    'The tool returns what others wrote, so agents should not take it for instructions. Auto: yes for names such as listReviews.',
}

const CHOICES: {title: string; value: HintSetting}[] = [
  {title: 'Auto', value: 'auto'},
  {title: 'Yes', value: 'true'},
  {title: 'No', value: 'false'},
]

/** What agents are told about a tool beyond its description; what is left on Auto is read from the tool's name. */
export const annotationsField = defineField({
  name: 'annotations',
  type: 'object',
  title: 'Hints',
  group: 'hints',
  description: 'What agents are told about the tool before they call it. Auto reads it from the name.',
  fields: HINTS.map((hint) =>
    defineField({
      name: hint,
      type: 'string',
      title: TITLES[hint],
      description: DESCRIPTIONS[hint],
      options: {list: CHOICES, layout: 'radio', direction: 'horizontal'},
      initialValue: 'auto',
    }),
  ),
  validation: (rule) => rule.custom(keeps(parseHintSettings)),
})
