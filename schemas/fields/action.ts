import {defineField} from '@sanity/types'
import {ACTION_KINDS, parseActionKind} from '../actions/action.ts'
import {ACTION_TITLES} from '../actions/describe.ts'
import type {Context} from '../query.ts'
import {keeps} from '../validation.ts'
import {doesNot, keepsAction, type Shown} from './actionParts.ts'
import {reading} from './reading.ts'
import {request} from './request.ts'
import {choice, line} from './shared.ts'

/** Whether a tool has no script of its own. */
export function hasNoScript({document}: Shown): boolean {
  const kind = parseActionKind(document?.action)
  return kind.ok && kind.value !== 'script'
}

/** A tool needs a script, unless it does something else. */
export function requiresScript(value: unknown, context: Context): true | string {
  const isMissing = value === undefined || value === null || value === ''
  return !isMissing || hasNoScript(context) || 'Required'
}

const link = defineField({
  name: 'link',
  type: 'object',
  title: 'Page to open',
  group: 'work',
  hidden: doesNot('link'),
  fields: [line('address', 'Address', 'Such as "/events/{id}". {id} stands for the parameter “id”.')],
  validation: (rule) => rule.custom(keepsAction('link')),
})

/** What a tool does, if it is not a script. */
export const actionFields = [
  choice('action', 'What it does', ACTION_KINDS, ACTION_TITLES, {
    group: 'work',
    layout: 'radio',
    validation: (rule) => rule.custom(keeps(parseActionKind)),
  }),
  request,
  reading,
  link,
]
