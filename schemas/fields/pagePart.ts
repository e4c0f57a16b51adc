import {defineArrayMember, defineField} from '@sanity/types'
import {FIELD_KINDS, PART_KINDS} from '../actions/reading.ts'
import {choices, limit} from './actionParts.ts'
import {line, unlessKind} from './shared.ts'

/** A part of a page: of the open one, or of one that a request loads. */
export const part = defineArrayMember({
  name: 'part',
  type: 'object',
  title: 'Part',
  fields: [
    line('name', 'Name for agents', 'Such as "openingHours".'),
    line('selector', 'Selector', 'A CSS selector that finds it on the page, such as "table.hours".'),
    defineField({
      name: 'kind',
      type: 'string',
      title: 'Kind',
      options: {
        list: choices(PART_KINDS, {
          text: 'Text',
          attribute: 'Attribute',
          table: 'Table',
          items: 'Entries with fields, such as cards',
          list: 'List, or all elements that are found',
          definitions: 'Definition list',
          links: 'Links',
        }),
      },
    }),
    line('attribute', 'Attribute', 'Such as "datetime".', {hidden: unlessKind('attribute')}),
    defineField({
      name: 'columns',
      type: 'array',
      title: 'Columns',
      description: 'The headings of the columns to return. Leave this empty for all of them.',
      of: [defineArrayMember({type: 'string'})],
      hidden: unlessKind('table'),
    }),
    defineField({
      name: 'fields',
      type: 'array',
      title: 'Fields of each entry',
      description: 'Each entry becomes an object with these.',
      hidden: unlessKind('items'),
      of: [
        defineArrayMember({
          name: 'field',
          type: 'object',
          title: 'Field',
          fields: [
            line('name', 'Name for agents', 'Such as "price".'),
            line(
              'selector',
              'Selector in the entry',
              'Such as ".price". Leave this empty for the entry itself.',
            ),
            defineField({
              name: 'kind',
              type: 'string',
              title: 'Kind',
              options: {
                list: choices(FIELD_KINDS, {
                  text: 'Text',
                  address: 'Where its link leads',
                  attribute: 'Attribute',
                }),
              },
            }),
            line('attribute', 'Attribute', 'Such as "datetime".', {hidden: unlessKind('attribute')}),
          ],
          preview: {select: {title: 'name', subtitle: 'selector'}},
        }),
      ],
    }),
    limit('Rows or entries at most'),
  ],
  preview: {select: {title: 'name', subtitle: 'selector'}},
})
