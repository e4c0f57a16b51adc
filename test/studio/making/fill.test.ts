import assert from 'node:assert/strict'
import {test} from 'node:test'
import {type Fields, isRecord} from '../../../schemas/record.ts'
import {changesOf} from '../../../studio/making/fill.ts'
import type {ShownField} from '../../../studio/making/shownField.ts'
import {accepted} from '../../schemas/rules/problem.ts'

const FIELD: ShownField = {
  id: 'k1',
  siteId: 'library',
  toolId: 'findEvents-x1',
  type: 'tool',
  field: 'request',
  part: '',
}

const schemaOf = (properties: object, others: object = {}) =>
  JSON.stringify({type: 'object', properties, ...others}, null, 2)

const REQUEST = {
  name: 'searchEvents',
  description: '',
  pathPattern: '/events',
  action: 'request',
  request: {
    method: 'GET',
    address: '/api/events/{eventId}',
    query: [{name: 'q', parameter: 'query'}],
    headers: {cookie: 'SECRET'},
    result: {kind: 'list', path: 'data.items', members: [{path: 'title'}]},
  },
  inputSchema: schemaOf(
    {eventId: {type: 'string'}, query: {type: 'string', description: 'Such as “rope”.'}},
    {required: ['eventId']},
  ),
}

const READING = {
  action: 'reading',
  reading: {
    parts: [
      {name: 'hours', selector: 'table.hours', kind: 'table', columns: ['Day']},
      {name: 'note', selector: 'p', kind: 'text'},
    ],
  },
  inputSchema: schemaOf({}),
}

const SITE = {_type: 'reference', _ref: 'library'}

const changes = (fields: object, field: Partial<ShownField>, tool: Fields = {}) =>
  accepted(changesOf({fields}, {...FIELD, ...field}, {site: SITE, ...tool}))

test('a request replaces that of the tool, and keeps what is said about its parameters and errors', () => {
  const tool = {
    name: 'findEvents',
    description: ' ',
    pathPattern: '/**',
    action: 'request',
    request: {method: 'POST', address: '/old', body: [{name: 'x'}], nothing: 'No events.', error: 'fault'},
    inputSchema: schemaOf(
      {query: {type: 'string', description: 'Words of the title.'}, old: {type: 'string'}},
      {required: ['old'], additionalProperties: false},
    ),
  }
  const {inputSchema, ...others} = changes(REQUEST, {}, tool)
  assert.deepEqual(others, {
    action: 'request',
    request: {
      error: 'fault',
      nothing: 'No events.',
      method: 'GET',
      address: '/api/events/{eventId}',
      query: [{_key: 'row1', _type: 'row', name: 'q', parameter: 'query'}],
      result: {
        kind: 'list',
        path: 'data.items',
        members: [{_key: 'member1', _type: 'member', path: 'title'}],
      },
    },
  })
  assert.deepEqual(JSON.parse(String(inputSchema)), {
    type: 'object',
    properties: {eventId: {type: 'string'}, query: {type: 'string', description: 'Words of the title.'}},
    required: ['eventId'],
    additionalProperties: false,
  })
})

test('fields that are empty get what the page proposes, if it keeps their rules', () => {
  const {name, description, pathPattern, pagePath} = changes({...REQUEST, pagePath: '/x'}, {})
  assert.deepEqual(
    [name, description, pathPattern, pagePath],
    ['searchEvents', undefined, '/events', undefined],
  )
})

test('a tool that is not saved yet becomes one of the site, with what new tools begin with', () => {
  const reading = changes(READING, {field: 'reading'}, {site: undefined})
  assert.equal(isRecord(reading.site) && reading.site._ref, 'library')
  assert.deepEqual([reading.enabled, reading.inputSchema], [true, READING.inputSchema])
  const form = changes({selector: 'form'}, {type: 'formTool', field: 'selector'}, {site: undefined})
  assert.deepEqual([form.enabled, form.autosubmit, form.inputSchema], [true, false, undefined])
})

test('parts of the page are added to those of a reading, once', () => {
  const own = {_key: 'a', _type: 'part', name: 'title', selector: 'h1', kind: 'text'}
  const empty = {_key: 'b', _type: 'part'}
  const tool = {reading: {nothing: 'Nothing.', parts: [own, empty]}}
  const added = [
    {_key: 'k1-1', _type: 'part', ...READING.reading.parts[0]},
    {_key: 'k1-2', _type: 'part', ...READING.reading.parts[1]},
  ]
  const changed = changes(READING, {field: 'reading'}, tool)
  assert.deepEqual(changed, {action: 'reading', reading: {nothing: 'Nothing.', parts: [own, ...added]}})
  assert.deepEqual(changes(READING, {field: 'reading'}, changed), changed)
})

test('a part is replaced in its place, and keeps its name for agents', () => {
  const part = {
    _key: 'b',
    _type: 'part',
    name: 'opens',
    selector: 'dl',
    kind: 'attribute',
    attribute: 'x',
    limit: 3,
  }
  const others = [
    {_key: 'a', selector: 'h1'},
    {_key: 'c', selector: 'h2'},
  ] as const
  const tool = {reading: {parts: [others[0], part, others[1]]}}
  const changed = changes(READING, {field: 'reading', part: 'b'}, tool)
  const [shown, more] = READING.reading.parts
  assert.deepEqual(changed.reading, {
    parts: [
      others[0],
      {_key: 'b', _type: 'part', ...shown, name: 'opens', limit: 3},
      {_key: 'k1-2', _type: 'part', ...more},
      others[1],
    ],
  })
  assert.deepEqual(changes(READING, {field: 'reading', part: 'b'}, changed), changed)
})

test('a form gives its selector, and the descriptions of fields that have been written on the page', () => {
  const fields = [
    {name: 'day', description: 'The day.'},
    {name: 'words', description: 'Some words.'},
  ]
  const shown = {
    pagePath: '/contact',
    selector: '#contact',
    fields,
    name: 'sendMessage',
    description: 'Sends it.',
  }
  const tool = {name: 'ask', fields: [{_key: 'f', _type: 'field', name: 'day', title: 'Day'}]}
  assert.deepEqual(changes(shown, {type: 'formTool', field: 'selector'}, tool), {
    description: 'Sends it.',
    pagePath: '/contact',
    selector: '#contact',
    fields: [
      {_key: 'f', _type: 'field', title: 'Day', ...fields[0]},
      {_key: 'k1-1', _type: 'field', ...fields[1]},
    ],
  })
  const {fields: none} = changes({selector: 'form'}, {type: 'formTool', field: 'selector'})
  assert.equal(none, undefined)
})

test('what the field cannot be is refused with the reason', () => {
  const rows: [handed: unknown, field: Partial<ShownField>, problem: RegExp][] = [
    [undefined, {}, /nothing to fill in/],
    [{fields: READING}, {}, /something else than this field needs/],
    [{fields: REQUEST}, {field: 'reading'}, /something else than this field needs/],
    [{fields: {...REQUEST, action: 'script'}}, {}, /neither a request nor a reading/],
    [{fields: {...REQUEST, request: {...REQUEST.request, address: 'javascript:x'}}}, {}, /javascript:/],
    [{fields: {...REQUEST, inputSchema: schemaOf({})}}, {}, /no parameter/],
    [{fields: {selector: ''}}, {type: 'formTool', field: 'selector'}, /selector/],
  ]
  for (const [handed, field, problem] of rows) {
    const changed = changesOf(handed, {...FIELD, ...field}, {})
    assert.match(changed.ok ? '' : changed.problem, problem)
  }
})

test('what a person points at must be on the pages that offer the tool, with what is there already', () => {
  const handed = {fields: {name: 'getX', action: 'reading', reading: {parts: [{selector: '#loggedas'}]}}}
  const shown = {...FIELD, field: 'offeredWhile'} as const
  const tool = {name: 'getOrders', offeredWhile: {has: ['.account'], hasNot: ['.guest']}}
  assert.deepEqual(changesOf(handed, shown, tool), {
    ok: true,
    value: {offeredWhile: {has: ['.account', '#loggedas'], hasNot: ['.guest']}},
  })
  assert.equal(changesOf({fields: {reading: {parts: [{selector: '<'}]}}}, shown, tool).ok, false)
})
