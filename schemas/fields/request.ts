import {describeAction} from '../actions/describe.ts'
import {partOfAction} from '../actions/parseAction.ts'
import {MAX_PAGES} from '../actions/parts.ts'
import {type Encoding, METHODS} from '../actions/request.ts'
import type {RESULT_KINDS} from '../actions/result.ts'
import {choice, entry, field, line, lines, list, type Member, onlyFor} from '../field.ts'
import {type Fields, isRecord} from '../record.ts'
import {onlyIf} from './action.ts'
import {part} from './reading.ts'

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
      {names: 'parameter'},
    ),
    lines('value', 'Value', 2, 'What is always sent.'),
    choice(
      'format',
      'Format of the value',
      {text: 'Text', json: 'Number, yes or no (true, false), or other JSON'},
      {form: {options: {layout: 'radio'}}},
    ),
    line(
      'selector',
      'Element of the page',
      'Such as "meta[name=csrf-token]". What it has at the call is sent.',
    ),
    line('attribute', 'Attribute of the element', 'Leave this empty for what stands in a field.'),
    line('cookie', 'Cookie of the page', 'Such as "csrftoken". Scripts must be able to read it.'),
    choice(
      'inside',
      'What the text holds',
      {json: 'JSON', query: 'Names and values, as in an address'},
      {
        description: 'If the row is one of several that make a text.',
        form: {options: {layout: 'radio'}},
      },
    ),
    line('member', 'Place in the text', 'Such as "filter.city".'),
  ],
  {
    select: {name: 'name', parameter: 'parameter', value: 'value'},
    prepare: ({name, parameter, value}: Record<string, unknown>) => ({
      title: name,
      subtitle: parameter ? `{${String(parameter)}}` : value,
    }),
  },
)

/** A request with GET has no body. One that somebody wrote is shown, so that it can be removed. */
function hasNoBody({parent}: {readonly parent?: unknown}): boolean {
  const {method, body}: Fields = isRecord(parent) ? parent : {}
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
    prepare: ({name, path}: Record<string, unknown>) => ({title: name || path, subtitle: path}),
  },
)

/** What a request returns. */
const requestResult: Member = {
  name: 'result',
  type: 'object',
  title: 'What it returns',
  isRequired: true,
  members: [
    choice(
      'kind',
      'Kind',
      {
        list: 'A list in the answer',
        object: 'One thing in the answer',
        text: 'The answer as text',
        parts: 'Parts of the page that comes back',
        message: 'A text of yours',
      } satisfies Record<(typeof RESULT_KINDS)[number], string>,
      {isRequired: true, form: {options: {layout: 'radio'}}},
    ),
    line(
      'path',
      'Place in the answer',
      'Such as "data.items". Leave this empty if the whole answer is meant.',
      onlyFor('list', 'object'),
    ),
    list('members', 'Values', member, undefined, onlyFor('list', 'object')),
    list(
      'parts',
      'Parts',
      part,
      'Read as from an open page. Nothing of the page that comes back is run or shown.',
      onlyFor('parts'),
    ),
    {
      name: 'pages',
      type: 'number',
      title: 'Pages at most',
      description: `If the list goes on, the tool follows its link to the next page. Up to ${MAX_PAGES}; leave this empty for the first page only.`,
      ...onlyFor('parts'),
    },
    {name: 'limit', type: 'number', title: 'Entries at most', ...onlyFor('list')},
    lines('message', 'Text', 2, undefined, onlyFor('message')),
  ],
}

/** What the page asks a server for, and what the tool returns. */
export const request = field({
  name: 'request',
  type: 'object',
  title: 'Request',
  description: 'What the page asks a server for, and what the tool returns of the answer.',
  isRequired: true,
  ...onlyIf('request'),
  members: [
    choice('method', 'Method', Object.fromEntries(METHODS.map((name) => [name, name])), {
      form: {options: {layout: 'radio', direction: 'horizontal'}},
    }),
    line(
      'address',
      'Address',
      'Such as "/api/events" on your website, or "https://api.example.com/events/{id}". {id} stands for the parameter “id”.',
      {isRequired: true, names: 'in braces'},
    ),
    list(
      'headers',
      'Headers',
      row,
      'Such as "X-CSRF-Token" with what the page has in "meta[name=csrf-token]".',
    ),
    list('query', 'In the address, after “?”', row),
    choice(
      'encoding',
      'Format of the body',
      {json: 'JSON', form: 'Form', multipart: 'Form in parts'} satisfies Record<Encoding, string>,
      {form: {options: {layout: 'radio', direction: 'horizontal'}, hidden: hasNoBody}},
    ),
    list(
      'body',
      'Body',
      row,
      'In JSON, "address.city" is a value in a group, and "items[0].id" one in a list. A single row without a name is the whole body.',
      {form: {hidden: hasNoBody}},
    ),
    requestResult,
    line(
      'error',
      'Place of the text of an error',
      'Such as "fault.reason". Agents read it if the website refuses a request. Leave this empty for the usual places, such as "message" and "error.message".',
    ),
    line(
      'nothing',
      'If there is nothing',
      'What agents read if nothing is found, such as "Nothing was found for {query}."',
      {names: 'in braces'},
    ),
  ],
  beyond: ['actions'],
  form: {group: 'work'},
  parse: partOfAction('request'),
  isServed: true,
  decidesCode: true,
  isHandedOver: true,
  rows: describeAction,
})
