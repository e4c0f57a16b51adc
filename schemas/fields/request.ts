import {defineField} from '@sanity/types'
import {MAX_PAGES} from '../actions/parts/names.ts'
import {ENCODINGS, METHODS} from '../actions/request.ts'
import {RESULT_KINDS} from '../actions/result.ts'
import {INSIDE_FORMATS, VALUE_FORMATS} from '../actions/row.ts'
import {doesNot, keepsAction, limit, nothing} from './actionParts.ts'
import {part} from './pagePart.ts'
import {choice, entry, line, lines, list, unlessKind} from './shared.ts'

const FORMAT_TITLES = {text: 'Text', json: 'Number, yes or no (true, false), or other JSON'}
const INSIDE_TITLES = {json: 'JSON', query: 'Names and values, as in an address'}
const ENCODING_TITLES = {json: 'JSON', form: 'Form', multipart: 'Form in parts'}

const RESULT_TITLES = {
  list: 'A list in the answer',
  object: 'One thing in the answer',
  text: 'The answer as text',
  parts: 'Parts of the page that comes back',
  message: 'A text of yours',
}

/** What a request sends: the argument of a parameter, always the same, or what stands on the page. */
const row = entry(
  'row',
  'Row',
  [
    line('name', 'Name'),
    line(
      'parameter',
      'Parameter',
      'The parameter whose value is sent. Leave this empty to always send the same value.',
    ),
    lines('value', 'Value', 2, 'What is always sent.'),
    choice('format', 'Format of the value', VALUE_FORMATS, FORMAT_TITLES, {layout: 'radio'}),
    line(
      'selector',
      'Element of the page',
      'Such as "meta[name=csrf-token]". What it has at the call is sent.',
    ),
    line('attribute', 'Attribute of the element', 'Leave this empty for what stands in a field.'),
    line('cookie', 'Cookie of the page', 'Such as "csrftoken". Scripts must be able to read it.'),
    choice('inside', 'What the text holds', INSIDE_FORMATS, INSIDE_TITLES, {
      description: 'If the row is one of several that make a text.',
      layout: 'radio',
    }),
    line('member', 'Place in the text', 'Such as "filter.city".'),
  ],
  {
    select: {name: 'name', parameter: 'parameter', value: 'value'},
    prepare: ({name, parameter, value}) => ({title: name, subtitle: parameter ? `{${parameter}}` : value}),
  },
)

/** A request with GET has no body. One that somebody wrote is shown, so that it can be removed. */
function hasNoBody({parent}: {readonly parent?: Readonly<Record<string, unknown>>}): boolean {
  const {method, body} = parent ?? {}
  return (method === undefined || method === 'GET') && !(Array.isArray(body) && body.length > 0)
}

const member = entry(
  'member',
  'Value',
  [
    line('path', 'Place in the entry', 'Such as "title", "location.city" or "authors[].name".'),
    line('name', 'Name for agents', 'Leave this empty to use the name that it has in the answer.'),
  ],
  {
    select: {name: 'name', path: 'path'},
    prepare: ({name, path}) => ({title: name || path, subtitle: path}),
  },
)

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
    list(
      'headers',
      'Headers',
      row,
      'Such as "X-CSRF-Token" with what the page has in "meta[name=csrf-token]".',
    ),
    list('query', 'In the address, after “?”', row),
    choice('encoding', 'Format of the body', ENCODINGS, ENCODING_TITLES, {
      layout: 'radio',
      direction: 'horizontal',
      hidden: hasNoBody,
    }),
    list(
      'body',
      'Body',
      row,
      'In JSON, "address.city" is a value in a group, and "items[0].id" one in a list. A single row without a name is the whole body.',
      {hidden: hasNoBody},
    ),
    defineField({
      name: 'result',
      type: 'object',
      title: 'What it returns',
      fields: [
        choice('kind', 'Kind', RESULT_KINDS, RESULT_TITLES, {layout: 'radio'}),
        line(
          'path',
          'Place in the answer',
          'Such as "data.items". Leave this empty if the whole answer is meant.',
          {hidden: unlessKind('list', 'object')},
        ),
        list('members', 'Values', member, undefined, {hidden: unlessKind('list', 'object')}),
        list(
          'parts',
          'Parts',
          part,
          'Read as from an open page. Nothing of the page that comes back is run or shown.',
          {hidden: unlessKind('parts')},
        ),
        defineField({
          name: 'pages',
          type: 'number',
          title: 'Pages at most',
          description: `If the list goes on, the tool follows its link to the next page. Up to ${MAX_PAGES}; leave this empty for the first page only.`,
          hidden: unlessKind('parts'),
        }),
        {...limit('Entries at most'), hidden: unlessKind('list')},
        lines('message', 'Text', 2, undefined, {hidden: unlessKind('message')}),
      ],
    }),
    line(
      'error',
      'Place of the text of an error',
      'Such as "fault.reason". Agents read it if the website refuses a request. Leave this empty for the usual places, such as "message" and "error.message".',
    ),
    nothing('What agents read if nothing is found, such as "Nothing was found for {query}."'),
  ],
  validation: (rule) => rule.custom(keepsAction('request')),
})
