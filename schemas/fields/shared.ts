import {
  type ArrayDefinition,
  defineArrayMember,
  defineField,
  type FieldDefinition,
  type PreviewConfig,
  type StringDefinition,
  type StringOptions,
  type StringRule,
} from '@sanity/types'
import type {Context} from '../query.ts'
import {parseToolName} from '../rules/names/toolName.ts'
import type {Parsed} from '../rules/parsed.ts'
import {parseDescription, textOf} from '../rules/text.ts'
import {hasUniqueToolName} from '../unique.ts'
import {keeps} from '../validation.ts'

type Hidden = Pick<StringDefinition, 'hidden'>

/** What else a field with a text can have. */
type OfText = Pick<StringDefinition, 'hidden' | 'validation' | 'initialValue'> & {
  readonly group?: string
  readonly fieldset?: string
}

/** A field with a line of text. */
export function line(name: string, title: string, description?: string, more: OfText = {}) {
  return defineField({name, type: 'string', title, ...(description && {description}), ...more})
}

/** A field with several lines of text. */
export function lines(name: string, title: string, rows: number, description?: string, more: OfText = {}) {
  return defineField({name, type: 'text', title, rows, ...(description && {description}), ...more})
}

/** A field with a choice of values, which have titles for people. */
export function choice<Value extends string>(
  name: string,
  title: string,
  values: readonly Value[],
  titles: Readonly<Record<Value, string>>,
  {
    layout = 'dropdown',
    direction = 'vertical',
    ...more
  }: StringOptions & Hidden & Pick<StringDefinition, 'description'> & OfText = {},
) {
  const list = values.map((value) => ({value, title: titles[value]}))
  return defineField({name, type: 'string', title, options: {list, layout, direction}, ...more})
}

/** A field with a list. */
export function list(
  name: string,
  title: string,
  of: ArrayDefinition['of'][number],
  description?: string,
  more: Hidden = {},
) {
  return defineField({name, type: 'array', title, of: [of], ...(description && {description}), ...more})
}

/** An entry of a list, which has fields. */
export function entry(name: string, title: string, fields: FieldDefinition[], preview?: PreviewConfig) {
  return defineArrayMember({name, type: 'object', title, fields, ...(preview && {preview})})
}

/** The validation of a text that must be there: its rule, and other checks. */
export function requires(
  parse: (value: unknown) => Parsed<unknown>,
  ...checks: ((value: unknown, context: Context) => Promise<true | string>)[]
) {
  return (rule: StringRule) => [
    rule.required().custom(keeps(parse)),
    ...checks.map((check) => rule.custom(check)),
  ]
}

/** A group of fields that a form shows when somebody asks for it. Studio also opens that of a tool if it has a value. */
export function folded(name: string, title: string, description?: string) {
  return {name, title, ...(description && {description}), options: {collapsible: true, collapsed: true}}
}

/** Hides a field next to another kind. */
export function unlessKind(...kinds: readonly string[]) {
  return ({parent}: {readonly parent?: {readonly kind?: string}}) => !kinds.includes(parent?.kind ?? '')
}

/** The name of a tool or form tool. */
export const nameField = line(
  'name',
  'Name',
  'The name that agents use for the tool, such as "searchProducts": a verb first, then its object. Only letters, digits, "_", "." and "-".',
  {group: 'about', validation: requires(parseToolName, hasUniqueToolName)},
)

/** An entry of a list of texts that keep a rule. */
export function textEntry(rule: (value: unknown) => Parsed<unknown>) {
  return defineArrayMember({
    type: 'string',
    validation: (studioRule) => studioRule.required().custom(keeps(rule)),
  })
}

/** The other fields that tools and form tools share. */
export const sharedFields = [
  lines(
    'description',
    'Description',
    4,
    'What the tool does, when to use it, and what it returns. Agents read this text to choose a tool.',
    {group: 'about', validation: requires(parseDescription)},
  ),
  defineField({
    name: 'site',
    type: 'reference',
    title: 'Site',
    to: [{type: 'site'}],
    // The button “Create” in the field would make another site.
    options: {disableNew: true},
    group: 'about',
    description:
      'The site whose pages offer this tool. To change it, choose “Move to another site” in the menu of this form.',
    // A document that is pasted into this form would bring its own site along, unless the field is read-only.
    readOnly: ({value}) => value !== undefined,
    validation: (rule) => rule.required(),
  }),
  defineField({
    name: 'enabled',
    type: 'boolean',
    title: 'Enabled',
    group: 'about',
    description:
      'Agents can only use enabled tools. Switch a tool off to remove it from all pages without deleting it.',
    initialValue: true,
  }),
]

/**
 * How lists order and show tools or form tools.
 * @param place the field with the pages
 */
export function listing(place: 'pathPattern' | 'pagePath', title: string) {
  return {
    orderings: [
      {name: 'name', title: 'Name', by: [{field: 'name', direction: 'asc' as const}]},
      {name: 'lastEdited', title: 'Last edited', by: [{field: '_updatedAt', direction: 'desc' as const}]},
      {name: place, title, by: [{field: place, direction: 'asc' as const}]},
    ],
    preview: {
      select: {
        name: 'name',
        place,
        enabled: 'enabled',
        siteName: 'site.name',
        siteEnabled: 'site.enabled',
      },
      prepare: describeTool,
    },
  }
}

/**
 * A tool in lists, with a line such as `Off · /cart · Harbour Supply` under its name. Lists cut it off at its end, so the
 * most important part comes first.
 */
function describeTool({name, place, enabled, siteName, siteEnabled}: Record<string, unknown>) {
  const state = enabled !== true ? 'Off' : siteEnabled === false ? 'Site off' : ''
  const parts = [state, place || 'No pages yet', siteName]
  return {
    title: textOf(name),
    subtitle: parts.filter((part) => typeof part === 'string' && part !== '').join(' · '),
  }
}
