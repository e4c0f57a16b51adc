import {describeAction} from '../actions/describe.ts'
import {partOfAction} from '../actions/parseAction.ts'
import {MAX_PAGES} from '../actions/parts.ts'
import type {FIELD_KINDS, PART_KINDS} from '../actions/reading.ts'
import {choice, entry, field, line, list, type Member, onlyFor} from '../field.ts'
import {onlyIf} from './action.ts'

const attribute = line('attribute', 'Attribute', 'Such as "datetime".', onlyFor('attribute'))
const preview = {select: {title: 'name', subtitle: 'selector'}}

const itemField = entry(
  'field',
  'Field',
  [
    line('name', 'Name for agents', 'Such as "price".'),
    line('selector', 'Selector in the entry', 'Such as ".price". Leave this empty for the entry itself.'),
    choice(
      'kind',
      'Kind',
      {text: 'Text', address: 'Where its link leads', attribute: 'Attribute'} satisfies Record<
        (typeof FIELD_KINDS)[number],
        string
      >,
      {isRequired: true},
    ),
    attribute,
  ],
  preview,
)

const columns: Member = {
  name: 'columns',
  type: 'array',
  title: 'Columns',
  description: 'The headings of the columns to return. Leave this empty for all of them.',
  entry: {type: 'string'},
  ...onlyFor('table'),
}

/** A part of a page: of the open one, or of one that a request loads. */
export const part = entry(
  'part',
  'Part',
  [
    line('name', 'Name for agents', 'Such as "openingHours".'),
    line('selector', 'Selector', 'A CSS selector that finds it on the page, such as "table.hours".'),
    choice(
      'kind',
      'Kind',
      {
        text: 'Text',
        attribute: 'Attribute',
        table: 'Table',
        items: 'Entries with fields, such as cards',
        list: 'List, or all elements that are found',
        definitions: 'Definition list',
        links: 'Links',
      } satisfies Record<(typeof PART_KINDS)[number], string>,
      {isRequired: true},
    ),
    attribute,
    columns,
    list('fields', 'Fields of each entry', itemField, 'Each entry becomes an object with these.', {
      ...onlyFor('items'),
    }),
    {
      name: 'limit',
      type: 'number',
      title: 'Rows or entries at most',
      ...onlyFor('table', 'items', 'list', 'links'),
    },
  ],
  preview,
)

/** The parts of the page that the tool returns. */
export const reading = field({
  name: 'reading',
  type: 'object',
  title: 'Reading',
  description: 'The parts of the page that the tool returns.',
  isRequired: true,
  ...onlyIf('reading'),
  members: [
    list('parts', 'Parts', part),
    {
      name: 'pages',
      type: 'number',
      title: 'Pages at most',
      description: `If a button such as “Load more” is under a list, the tool presses it for each page after the first. Up to ${MAX_PAGES}; leave this empty for what the page shows.`,
    },
    line('nothing', 'If there is nothing', 'What agents read if the page has none of these parts.'),
  ],
  beyond: ['actions'],
  form: {group: 'work'},
  parse: partOfAction('reading'),
  isServed: true,
  decidesCode: true,
  isHandedOver: true,
  rows: describeAction,
})
