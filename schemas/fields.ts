import {defineField} from '@sanity/types'
import {parseDescription} from './rules/description.ts'
import {parseToolName} from './rules/toolName.ts'
import {hasUniqueToolName} from './unique.ts'
import {keeps} from './validation.ts'

/** The fields that tools and form tools share. */
export const sharedFields = [
  defineField({
    name: 'name',
    type: 'string',
    title: 'Name',
    group: 'about',
    description:
      'What agents call the tool by, such as "searchProducts": a verb first, then what it is about. Letters, digits, "_", "." and "-".',
    validation: (rule) => [rule.required().custom(keeps(parseToolName)), rule.custom(hasUniqueToolName)],
  }),
  defineField({
    name: 'description',
    type: 'text',
    title: 'Description',
    rows: 4,
    group: 'about',
    description:
      'What the tool does and when to use it. Agents choose by this text: say what it takes, what it returns, and what it does not do.',
    validation: (rule) => rule.required().custom(keeps(parseDescription)),
  }),
  defineField({
    name: 'site',
    type: 'reference',
    title: 'Site',
    to: [{type: 'site'}],
    group: 'about',
    description: 'The site whose pages offer this tool.',
    validation: (rule) => rule.required(),
  }),
  defineField({
    name: 'enabled',
    type: 'boolean',
    title: 'Enabled',
    group: 'about',
    description:
      'Only enabled tools are offered. Switch a tool off to take it from all pages and keep it here.',
    initialValue: true,
  }),
]

/** Orders for lists of tools. */
export const orderings = [
  {name: 'name', title: 'Name', by: [{field: 'name', direction: 'asc'} as const]},
  {name: 'lastEdited', title: 'Last edited', by: [{field: '_updatedAt', direction: 'desc'} as const]},
]

/** The line under a tool's name in lists: where it is offered, and whether it is. */
export function describeTool(place: unknown, enabled: unknown): string {
  const where = typeof place === 'string' && place !== '' ? place : 'No pages yet'
  return enabled === true ? where : `${where} · not enabled`
}
