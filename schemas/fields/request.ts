import {defineArrayMember, defineField} from '@sanity/types'
import {MAX_PAGES} from '../actions/parts/names.ts'
import {ENCODINGS, METHODS} from '../actions/request.ts'
import {RESULT_KINDS} from '../actions/result.ts'
import {INSIDE_FORMATS, VALUE_FORMATS} from '../actions/row.ts'
import {advises} from '../validation.ts'
import {choices, doesNot, keepsAction, limit, nothing} from './actionParts.ts'
import {part} from './pagePart.ts'
import {line, unlessKind} from './shared.ts'

/** What a request sends: the argument of a parameter, always the same, or what stands on the page. */
const row = defineArrayMember({
  name: 'row',
  type: 'object',
  title: 'Row',
  fields: [
    line('name', 'Name'),
    line(
      'parameter',
      'Parameter',
      'The parameter whose value is sent. Leave this empty to always send the same value.',
    ),
    defineField({name: 'value', type: 'text', title: 'Value', rows: 2, description: 'What is always sent.'}),
    defineField({
      name: 'format',
      type: 'string',
      title: 'Format of the value',
      options: {
        list: choices(VALUE_FORMATS, {text: 'Text', json: 'Number, yes or no (true, false), or other JSON'}),
        layout: 'radio',
      },
    }),
    line(
      'selector',
      'Element of the page',
      'Such as "meta[name=csrf-token]". What it has at the call is sent.',
    ),
    line('attribute', 'Attribute of the element', 'Leave this empty for what stands in a field.'),
    line('cookie', 'Cookie of the page', 'Such as "csrftoken". Scripts must be able to read it.'),
    defineField({
      name: 'inside',
      type: 'string',
      title: 'What the text holds',
      description: 'If the row is one of several that make a text.',
      options: {
        list: choices(INSIDE_FORMATS, {json: 'JSON', query: 'Names and values, as in an address'}),
        layout: 'radio',
      },
    }),
    line('member', 'Place in the text', 'Such as "filter.city".'),
  ],
  preview: {
    select: {name: 'name', parameter: 'parameter', value: 'value'},
    prepare: ({name, parameter, value}) => ({title: name, subtitle: parameter ? `{${parameter}}` : value}),
  },
})

/** A request with GET has no body. One that somebody wrote is shown, so that it can be removed. */
function hasNoBody({parent}: {readonly parent?: Readonly<Record<string, unknown>>}): boolean {
  const {method, body} = parent ?? {}
  return (method === undefined || method === 'GET') && !(Array.isArray(body) && body.length > 0)
}

const member = defineArrayMember({
  name: 'member',
  type: 'object',
  title: 'Value',
  fields: [
    line('path', 'Place in the entry', 'Such as "title", "location.city" or "authors[].name".'),
    line('name', 'Name for agents', 'Leave this empty to use the name that it has in the answer.'),
  ],
  preview: {
    select: {name: 'name', path: 'path'},
    prepare: ({name, path}) => ({title: name || path, subtitle: path}),
  },
})

/** What the page asks a server for, and what the tool returns. */
export const request = defineField({
  name: 'request',
  type: 'object',
  title: 'Request',
  group: 'work',
  description: 'What the page asks a server for, and what the tool returns of the answer.',
  hidden: doesNot('request'),
  fields: [
    defineField({
      name: 'method',
      type: 'string',
      title: 'Method',
      options: {
        list: METHODS.map((value) => ({value, title: value})),
        layout: 'radio',
        direction: 'horizontal',
      },
    }),
    line(
      'address',
      'Address',
      'Such as "/api/events" on your website, or "https://api.example.com/events/{id}". {id} stands for the parameter “id”.',
    ),
    defineField({
      name: 'headers',
      type: 'array',
      title: 'Headers',
      description: 'Such as "X-CSRF-Token" with what the page has in "meta[name=csrf-token]".',
      of: [row],
    }),
    defineField({name: 'query', type: 'array', title: 'In the address, after “?”', of: [row]}),
    defineField({
      name: 'encoding',
      type: 'string',
      title: 'Format of the body',
      options: {
        list: choices(ENCODINGS, {json: 'JSON', form: 'Form', multipart: 'Form in parts'}),
        layout: 'radio',
        direction: 'horizontal',
      },
      hidden: hasNoBody,
    }),
    defineField({
      name: 'body',
      type: 'array',
      title: 'Body',
      description:
        'In JSON, "address.city" is a value in a group, and "items[0].id" one in a list. A single row without a name is the whole body.',
      of: [row],
      hidden: hasNoBody,
    }),
    defineField({
      name: 'result',
      type: 'object',
      title: 'What it returns',
      fields: [
        defineField({
          name: 'kind',
          type: 'string',
          title: 'Kind',
          options: {
            list: choices(RESULT_KINDS, {
              list: 'A list in the answer',
              object: 'One thing in the answer',
              text: 'The answer as text',
              parts: 'Parts of the page that comes back',
              message: 'A text of yours',
            }),
            layout: 'radio',
          },
        }),
        line(
          'path',
          'Place in the answer',
          'Such as "data.items". Leave this empty if the whole answer is meant.',
          {hidden: unlessKind('list', 'object')},
        ),
        defineField({
          name: 'members',
          type: 'array',
          title: 'Values',
          of: [member],
          hidden: unlessKind('list', 'object'),
        }),
        defineField({
          name: 'parts',
          type: 'array',
          title: 'Parts',
          description: 'Read as from an open page. Nothing of the page that comes back is run or shown.',
          of: [part],
          hidden: unlessKind('parts'),
        }),
        defineField({
          name: 'pages',
          type: 'number',
          title: 'Pages at most',
          description: `If the list goes on, the tool follows its link to the next page. Up to ${MAX_PAGES}; leave this empty for the first page only.`,
          hidden: unlessKind('parts'),
        }),
        {...limit('Entries at most'), hidden: unlessKind('list')},
        defineField({
          name: 'message',
          type: 'text',
          title: 'Text',
          rows: 2,
          hidden: unlessKind('message'),
        }),
      ],
    }),
    line(
      'error',
      'Place of the text of an error',
      'Such as "fault.reason". Agents read it if the website refuses a request. Leave this empty for the usual places, such as "message" and "error.message".',
    ),
    nothing('What agents read if nothing is found, such as "Nothing was found for {query}."'),
  ],
  validation: (rule) => [rule.custom(keepsAction('request')), rule.custom(advises('request')).warning()],
})
