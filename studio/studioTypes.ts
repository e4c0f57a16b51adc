import {BoltIcon} from '@sanity/icons/Bolt'
import {ClipboardIcon} from '@sanity/icons/Clipboard'
import {EarthGlobeIcon} from '@sanity/icons/EarthGlobe'
import type {DiffComponent, ObjectDiff, Rule, SchemaTypeDefinition, StringDiff} from 'sanity'
import {advises} from '../advice/warnings.ts'
import {DECLARATIONS} from '../schemas/index.ts'
import {textOf} from '../schemas/rules/text.ts'
import {sanityType} from '../schemas/sanity.ts'
import {tool} from '../schemas/tool.ts'
import {CODE_FIELDS, CodeDiff} from './inputs/code/codeDiff.tsx'
import {shortHelp} from './parts/shortHelp.tsx'
import {actionDiffOf} from './review/diff/actionDiff.tsx'
import {isLake} from './running.ts'

const ICONS = new Map([
  ['site', EarthGlobeIcon],
  ['tool', BoltIcon],
  ['formTool', ClipboardIcon],
])

/** How "Review changes" shows fields. Changes of code keep their lines. */
const DIFFS = new Map<string, DiffComponent<StringDiff> | DiffComponent<ObjectDiff>>([
  ...CODE_FIELDS.map((field) => [field, CodeDiff] as const),
  ...tool.fields.flatMap(({name, type, only}) =>
    type === 'object' && only !== undefined ? [[name, actionDiffOf(name)] as const] : [],
  ),
])

/** The document types, as Studio shows them. */
export const studioTypes: SchemaTypeDefinition[] = DECLARATIONS.map(sanityType).map(({fields, ...type}) => ({
  ...type,
  icon: ICONS.get(type.name),
  // The name is in the first field, and above the form.
  __experimental_formPreviewTitle: false,
  fields: fields.map((declared) => {
    const field = {
      ...declared,
      description: shortHelp(textOf(declared.description)),
      validation: withAdvice(declared),
    }
    // Hosted Sanity does not enforce reviews.
    if (field.name === 'review') return {...field, hidden: !isLake}
    const diff = DIFFS.get(field.name)
    return diff === undefined ? field : {...field, components: {diff}}
  }),
}))

/** The rules of a field, and what advice warns of in it. */
function withAdvice({name, validation}: ReturnType<typeof sanityType>['fields'][number]) {
  return (rule: Rule) => [...validation(rule), rule.custom(advises(name)).warning()]
}
