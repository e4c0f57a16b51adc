import {defineField} from '@sanity/types'
import {CONDITION_TITLES, parseOfferedWhile, parseTime} from '../rules/conditions/offeredWhile.ts'
import {parseSelector} from '../rules/selector.ts'
import {keeps} from '../validation.ts'
import {textEntry} from './shared.ts'

function selectors(name: 'has' | 'hasNot', description: string) {
  return defineField({
    name,
    type: 'array',
    title: CONDITION_TITLES[name],
    description,
    of: [textEntry(parseSelector)],
  })
}

function time(name: 'from' | 'until', description: string) {
  return defineField({
    name,
    type: 'datetime',
    title: CONDITION_TITLES[name],
    description,
    validation: (rule) => rule.custom(keeps(parseTime)),
  })
}

/**
 * What else must hold on the pages of a tool or form tool.
 * @param group where forms show it
 */
export function offeredWhileField(group: string) {
  return defineField({
    name: 'offeredWhile',
    type: 'object',
    title: 'Offered while',
    group,
    description:
      'Leave this empty to always offer the tool on its pages. Otherwise agents get it only while all of this holds.',
    options: {collapsible: true, collapsed: true},
    fields: [
      selectors(
        'has',
        'Something that pages show only then, as a CSS selector: such as “.account”, which only visitors see who are signed in.',
      ),
      selectors('hasNot', 'Something that pages do not show then, such as “.cart-empty”.'),
      time('from', 'When the tool is offered first. You see your own time zone.'),
      time('until', 'When the tool is not offered any more. It is gone from all pages a minute later.'),
    ],
    validation: (rule) => [rule.custom(keeps(parseOfferedWhile))],
  })
}
