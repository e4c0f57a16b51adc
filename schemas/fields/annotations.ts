import {refuseUnknown} from '../document.ts'
import {choice, field, folded, type Member} from '../field.ts'
import {
  annotationsOf,
  HINT_TITLES,
  HINTS,
  type Hint,
  type HintSetting,
  inferAnnotations,
  parseAnnotations,
} from '../rules/hints/annotations.ts'
import {textOf} from '../rules/text.ts'

const DEBUGGING_TITLE = 'For developers only'

const DESCRIPTIONS: Record<Hint, string> = {
  readOnlyHint: 'A call changes nothing. Some agents treat every other tool as destructive.',
  consequentialHint:
    'A call cannot easily be undone, and agents should ask the visitor first. Some do not see this hint: say it in the description, too.',
  untrustedContentHint:
    'The result contains text that other people wrote, so agents should not follow instructions in it.',
}

const SETTINGS: Readonly<Record<HintSetting, string>> = {auto: 'Auto', true: 'Yes', false: 'No'}

const MEMBERS: readonly Member[] = [
  ...HINTS.map((hint) =>
    choice(hint, HINT_TITLES[hint], SETTINGS, {
      description: DESCRIPTIONS[hint],
      form: {options: {layout: 'radio', direction: 'horizontal'}, initialValue: 'auto'},
    }),
  ),
  {
    name: 'debugging',
    type: 'boolean',
    title: DEBUGGING_TITLE,
    description:
      'Switch this on for a tool that helps people who build the site, not its visitors. Most agents list it all the same.',
    form: {fieldset: 'developers'},
  },
]

/** Annotations of a tool. A hint on Auto is inferred from the tool's name. */
export const annotations = field({
  name: 'annotations',
  type: 'object',
  title: 'Hints',
  description:
    'What agents may assume about the tool before they call it. With Auto, the name of the tool decides.',
  members: MEMBERS,
  form: {group: 'hints', fieldsets: [folded('developers', 'For developers')]},
  parse: (value) => {
    const known = refuseUnknown(MEMBERS, value, 'hint')
    return known.ok ? parseAnnotations(value) : known
  },
  isServed: true,
  answer: {
    at: 7,
    as: ({hints, debugging}, document) => {
      const name = textOf(document.name)
      const served = annotationsOf(name, hints, inferAnnotations(name, document))
      return {...served, ...(debugging && {debugging})}
    },
  },
  decidesCode: true,
  rows: ({hints, debugging}, document) => {
    const name = textOf(document.name)
    const inferred = inferAnnotations(name, document)
    const texts = HINTS.map((hint) => ({
      title: HINT_TITLES[hint],
      text: hints[hint] === 'auto' ? autoText(name, inferred[hint] === true) : SETTINGS[hints[hint]],
    }))
    return [...texts, ...(debugging ? [{title: DEBUGGING_TITLE, text: 'Yes'}] : [])]
  },
})

function autoText(name: string, isInferred: boolean): string {
  return name === '' ? 'Auto: the name of the tool decides' : `Auto: ${isInferred ? 'Yes' : 'No'}`
}
