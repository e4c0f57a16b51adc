import {field, type Member} from '../field.ts'
import {
  CONDITION_TITLES,
  describeConditions,
  pageConditions,
  parseOfferedWhile,
} from '../rules/conditions/offeredWhile.ts'

const TIME = 'In UTC, such as 2026-12-24T18:00:00Z.'

function selectors(name: 'has' | 'hasNot', description: string): Member {
  const entry = {type: 'string', schema: {pattern: '\\S', maxLength: 1_000}}
  return {name, type: 'array', title: CONDITION_TITLES[name], description, entry, schema: {maxItems: 10}}
}

function time(name: 'from' | 'until', description: string): Member {
  return {name, type: 'datetime', title: CONDITION_TITLES[name], description, inFiles: TIME}
}

/** What else must hold on the pages of a tool or form tool. */
export const offeredWhile = field({
  name: 'offeredWhile',
  type: 'object',
  title: 'Offered while',
  description:
    'Leave this empty to always offer the tool on its pages. Otherwise agents get it only while all of this holds.',
  members: [
    selectors(
      'has',
      'Something that pages show only then, as a CSS selector: such as “.account”, which only visitors see who are signed in.',
    ),
    selectors('hasNot', 'Something that pages do not show then, such as “.cart-empty”.'),
    time('from', 'When the tool is offered first. You see your own time zone.'),
    time('until', 'When the tool is not offered any more. It is gone from all pages a minute later.'),
  ],
  beyond: ['selectors', 'times'],
  form: {options: {collapsible: true, collapsed: true}},
  parse: parseOfferedWhile,
  isServed: true,
  answer: {at: 9, as: pageConditions},
  decidesCode: true,
  rows: describeConditions,
})
