import {defineArrayMember, defineField} from '@sanity/types'
import {ACTION_TITLES} from '../actions/describe.ts'
import {ACTION_KINDS, type ActionKind, parseActionKind} from '../actions/parseAction.ts'
import {problemOfAction} from '../actions/problem.ts'
import {PART_KINDS} from '../actions/reading.ts'
import {ENCODINGS, METHODS, VALUE_FORMATS} from '../actions/request.ts'
import {RESULT_KINDS} from '../actions/result.ts'
import type {Context} from '../query.ts'
import {advises, keeps} from '../validation.ts'

/** The document that a field is shown in. */
type Shown = {readonly document?: {readonly [field: string]: unknown} | undefined}

/** Whether a document does something else, so that a field of another action is not shown. */
function doesNot(kind: ActionKind): (context: Shown) => boolean {
  return ({document}) => document?.action !== kind
}

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

/** What is wrong with an action, at the part of it. */
function keepsAction(kind: ActionKind) {
  return (_value: unknown, {document}: Context) => {
    const problem = document?.action === kind ? problemOfAction(document) : undefined
    const [field, ...path] = problem?.path ?? []
    return problem === undefined || field !== kind || {message: problem.message, path}
  }
}

/** Choices of a field, with titles for people. */
function choices<Value extends string>(values: readonly Value[], titles: Record<Value, string>) {
  return values.map((value) => ({value, title: titles[value]}))
}

const nothing = (description: string) =>
  defineField({name: 'nothing', type: 'string', title: 'If there is nothing', description})

const limit = (title: string) => defineField({name: 'limit', type: 'number', title})

/** What a request sends: the argument of a parameter, or always the same. */
const row = defineArrayMember({
  name: 'row',
  type: 'object',
  title: 'Row',
  fields: [
    defineField({name: 'name', type: 'string', title: 'Name'}),
    defineField({
      name: 'parameter',
      type: 'string',
      title: 'Parameter',
      description: 'The parameter whose value is sent. Leave this empty to always send the same value.',
    }),
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
  ],
  preview: {
    select: {name: 'name', parameter: 'parameter', value: 'value'},
    prepare: ({name, parameter, value}) => ({title: name, subtitle: parameter ? `{${parameter}}` : value}),
  },
})

/** Kinds of results of which members are picked. */
const PICKED: readonly unknown[] = ['list', 'object']

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
    defineField({
      name: 'path',
      type: 'string',
      title: 'Place in the entry',
      description: 'Such as "title", "location.city" or "authors[].name".',
    }),
    defineField({
      name: 'name',
      type: 'string',
      title: 'Name for agents',
      description: 'Leave this empty to use the name that it has in the answer.',
    }),
  ],
  preview: {
    select: {name: 'name', path: 'path'},
    prepare: ({name, path}) => ({title: name || path, subtitle: path}),
  },
})

const request = defineField({
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
    defineField({
      name: 'address',
      type: 'string',
      title: 'Address',
      description:
        'Such as "/api/events" on your website, or "https://api.example.com/events/{id}". {id} stands for the parameter “id”.',
    }),
    defineField({name: 'query', type: 'array', title: 'In the address, after “?”', of: [row]}),
    defineField({
      name: 'encoding',
      type: 'string',
      title: 'Format of the body',
      options: {
        list: choices(ENCODINGS, {json: 'JSON', form: 'Form'}),
        layout: 'radio',
        direction: 'horizontal',
      },
      hidden: hasNoBody,
    }),
    defineField({
      name: 'body',
      type: 'array',
      title: 'Body',
      description: 'In JSON, "address.city" is a value in a group, and "items[0].id" one in a list.',
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
              message: 'A text of yours',
            }),
            layout: 'radio',
          },
        }),
        defineField({
          name: 'path',
          type: 'string',
          title: 'Place in the answer',
          description: 'Such as "data.items". Leave this empty if the whole answer is meant.',
          hidden: ({parent}) => !PICKED.includes(parent?.kind),
        }),
        defineField({
          name: 'members',
          type: 'array',
          title: 'Values',
          of: [member],
          hidden: ({parent}) => !PICKED.includes(parent?.kind),
        }),
        {...limit('Entries at most'), hidden: ({parent}) => parent?.kind !== 'list'},
        defineField({
          name: 'message',
          type: 'text',
          title: 'Text',
          rows: 2,
          hidden: ({parent}) => parent?.kind !== 'message',
        }),
      ],
    }),
    defineField({
      name: 'error',
      type: 'string',
      title: 'Place of the text of an error',
      description:
        'Such as "fault.reason". Agents read it if the website refuses a request. Leave this empty for the usual places, such as "message" and "error.message".',
    }),
    nothing('What agents read if nothing is found, such as "Nothing was found for {query}."'),
  ],
  validation: (rule) => [rule.custom(keepsAction('request')), rule.custom(advises('request')).warning()],
})

const reading = defineField({
  name: 'reading',
  type: 'object',
  title: 'Reading',
  group: 'work',
  description: 'The parts of the page that the tool returns.',
  hidden: doesNot('reading'),
  fields: [
    defineField({
      name: 'parts',
      type: 'array',
      title: 'Parts',
      of: [
        defineArrayMember({
          name: 'part',
          type: 'object',
          title: 'Part',
          fields: [
            defineField({
              name: 'name',
              type: 'string',
              title: 'Name for agents',
              description: 'Such as "openingHours".',
            }),
            defineField({
              name: 'selector',
              type: 'string',
              title: 'Selector',
              description: 'A CSS selector that finds it on the page, such as "table.hours".',
            }),
            defineField({
              name: 'kind',
              type: 'string',
              title: 'Kind',
              options: {
                list: choices(PART_KINDS, {
                  text: 'Text',
                  attribute: 'Attribute',
                  table: 'Table',
                  list: 'List, or all elements that are found',
                  definitions: 'Definition list',
                  links: 'Links',
                }),
              },
            }),
            defineField({
              name: 'attribute',
              type: 'string',
              title: 'Attribute',
              description: 'Such as "datetime".',
              hidden: ({parent}) => parent?.kind !== 'attribute',
            }),
            defineField({
              name: 'columns',
              type: 'array',
              title: 'Columns',
              description: 'The headings of the columns to return. Leave this empty for all of them.',
              of: [defineArrayMember({type: 'string'})],
              hidden: ({parent}) => parent?.kind !== 'table',
            }),
            limit('Rows or entries at most'),
          ],
          preview: {select: {title: 'name', subtitle: 'selector'}},
        }),
      ],
    }),
    nothing('What agents read if the page has none of these parts.'),
  ],
  validation: (rule) => [rule.custom(keepsAction('reading')), rule.custom(advises('reading')).warning()],
})

const link = defineField({
  name: 'link',
  type: 'object',
  title: 'Page to open',
  group: 'work',
  hidden: doesNot('link'),
  fields: [
    defineField({
      name: 'address',
      type: 'string',
      title: 'Address',
      description: 'Such as "/events/{id}". {id} stands for the parameter “id”.',
    }),
  ],
  validation: (rule) => [rule.custom(keepsAction('link')), rule.custom(advises('link')).warning()],
})

/** What a tool does, if it is not a script. */
export const actionFields = [
  defineField({
    name: 'action',
    type: 'string',
    title: 'What it does',
    group: 'work',
    options: {
      list: choices(ACTION_KINDS, ACTION_TITLES),
      layout: 'radio',
    },
    validation: (rule) => [rule.custom(keeps(parseActionKind)), rule.custom(advises('action')).warning()],
  }),
  request,
  reading,
  link,
]
