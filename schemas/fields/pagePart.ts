import {defineArrayMember} from '@sanity/types'
import {FIELD_KINDS, PART_KINDS} from '../actions/reading.ts'
import {limit} from './actionParts.ts'
import {choice, entry, line, list, unlessKind} from './shared.ts'

const FIELD_TITLES = {text: 'Text', address: 'Where its link leads', attribute: 'Attribute'}
const attribute = line('attribute', 'Attribute', 'Such as "datetime".', {hidden: unlessKind('attribute')})
const preview = {select: {title: 'name', subtitle: 'selector'}}

const field = entry(
  'field',
  'Field',
  [
    line('name', 'Name for agents', 'Such as "price".'),
    line('selector', 'Selector in the entry', 'Such as ".price". Leave this empty for the entry itself.'),
    choice('kind', 'Kind', FIELD_KINDS, FIELD_TITLES),
    attribute,
  ],
  preview,
)

/** A part of a page: of the open one, or of one that a request loads. */
export const part = entry(
  'part',
  'Part',
  [
    line('name', 'Name for agents', 'Such as "openingHours".'),
    line('selector', 'Selector', 'A CSS selector that finds it on the page, such as "table.hours".'),
    choice('kind', 'Kind', PART_KINDS, {
      text: 'Text',
      attribute: 'Attribute',
      table: 'Table',
      items: 'Entries with fields, such as cards',
      list: 'List, or all elements that are found',
      definitions: 'Definition list',
      links: 'Links',
    }),
    attribute,
    list(
      'columns',
      'Columns',
      defineArrayMember({type: 'string'}),
      'The headings of the columns to return. Leave this empty for all of them.',
      {hidden: unlessKind('table')},
    ),
    list('fields', 'Fields of each entry', field, 'Each entry becomes an object with these.', {
      hidden: unlessKind('items'),
    }),
    limit('Rows or entries at most'),
  ],
  preview,
)
