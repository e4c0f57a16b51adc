import assert from 'node:assert/strict'
import {test} from 'node:test'
import {stringify} from 'yaml'
import {compileAction} from '../../../schemas/actions/compile.ts'
import {parseAction} from '../../../schemas/actions/parseAction.ts'
import {parseOpenApi} from '../../../schemas/making/openApi.ts'
import {parseInputSchema} from '../../../schemas/rules/inputSchema.ts'
import {isRecord} from '../../../schemas/rules/json.ts'
import {parseToolName} from '../../../schemas/rules/names/toolName.ts'
import type {Fields} from '../../../schemas/rules/tool.ts'

const SITE = 'https://library.example'

const EVENT = {
  type: 'object',
  properties: {id: {type: 'string'}, title: {type: 'string'}, date: {type: 'string'}},
}

const answer = (schema: object) => ({200: {description: 'OK', content: {'application/json': {schema}}}})

/** A file with one operation. */
const api = (path: string, method: string, operation: object, rest: object = {}) => ({
  openapi: '3.1.0',
  info: {title: 'Library', version: '1'},
  servers: [{url: SITE}],
  paths: {[path]: {[method]: operation}},
  ...rest,
})

const events = {
  operationId: 'list_events',
  summary: 'Lists events',
  parameters: [
    {name: 'q', in: 'query', required: true, schema: {type: 'string'}, description: 'Words in the title'},
    {name: 'branch', in: 'query', schema: {enum: ['harbour', 'north']}},
  ],
  responses: answer({
    type: 'object',
    properties: {items: {type: 'array', items: EVENT}, total: {type: 'integer'}},
  }),
}

/** The only tool of a file; the file is read once as JSON and once as YAML. */
function toolOf(document: object): {fields: Fields; notes: readonly string[]} {
  const [json, yaml] = [JSON.stringify(document), stringify(document)].map((text) => {
    const parsed = parseOpenApi(text, [SITE])
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.problem)
    const [operation] = parsed.value.operations
    const tool = parsed.value.toolOf(operation?.id ?? '')
    assert.ok(tool.ok, tool.ok ? '' : tool.problem)
    return tool.value
  })
  assert.deepEqual(json, yaml)
  assert.ok(json)
  // What is proposed keeps the rules.
  const schema = parseInputSchema(json.fields.inputSchema)
  assert.ok(schema.ok, schema.ok ? '' : schema.problem)
  assert.ok(parseToolName(json.fields.name).ok)
  const action = parseAction(json.fields, schema.value)
  assert.ok(action)
  compileAction(action, schema.value)
  return json
}

function problemOf(document: object | string): string {
  const parsed = parseOpenApi(typeof document === 'string' ? document : JSON.stringify(document), [SITE])
  if (!parsed.ok) return parsed.problem
  const tool = parsed.value.toolOf(parsed.value.operations[0]?.id ?? '')
  return tool.ok ? '' : tool.problem
}

test('an operation with a query becomes a tool with its parameters, a list and hints', () => {
  const {fields, notes} = toolOf(api('/api/events', 'get', events))
  assert.deepEqual(notes, [])
  assert.deepEqual(JSON.parse(String(fields.inputSchema)), {
    type: 'object',
    properties: {
      q: {type: 'string', description: 'Words in the title'},
      branch: {enum: ['harbour', 'north']},
    },
    required: ['q'],
  })
  assert.deepEqual([fields.name, fields.description], ['listEvents', 'Lists events.'])
  assert.deepEqual(fields.request, {
    method: 'GET',
    address: '/api/events',
    query: [
      {_type: 'row', _key: 'row0', name: 'q', parameter: 'q'},
      {_type: 'row', _key: 'row1', name: 'branch', parameter: 'branch'},
    ],
    result: {
      kind: 'list',
      path: 'items',
      members: ['id', 'title', 'date'].map((name, at) => ({
        _type: 'member',
        _key: `member${at}`,
        path: name,
        name,
      })),
    },
  })
  assert.deepEqual(fields.annotations, {
    readOnlyHint: 'true',
    consequentialHint: 'auto',
    untrustedContentHint: 'auto',
  })
})

const requestOf = ({fields}: {fields: Fields}) => {
  assert.ok(isRecord(fields.request))
  return fields.request
}

test('references, parameters of a path, and groups of schemas are put together', () => {
  const tool = toolOf({
    ...api('/books/{bookId}', 'get', {
      parameters: [{$ref: '#/components/parameters/language'}],
      responses: answer({$ref: '#/components/schemas/book'}),
    }),
    paths: {
      '/books/{bookId}': {
        parameters: [{name: 'bookId', in: 'path', required: true, schema: {type: 'string'}, example: 'b1'}],
        get: {
          parameters: [{$ref: '#/components/parameters/language'}],
          responses: answer({$ref: '#/components/schemas/book'}),
        },
      },
    },
    components: {
      parameters: {language: {name: 'lang', in: 'query', schema: {type: 'string'}}},
      schemas: {
        book: {
          allOf: [
            EVENT,
            {type: 'object', properties: {branch: {type: 'object', properties: {city: {type: 'string'}}}}},
          ],
        },
      },
    },
  })
  assert.equal(tool.fields.name, 'getBooksByBookId')
  assert.deepEqual(JSON.parse(String(tool.fields.inputSchema)), {
    type: 'object',
    properties: {bookId: {type: 'string', examples: ['b1']}, lang: {type: 'string'}},
    required: ['bookId'],
  })
  const {result} = requestOf(tool)
  assert.ok(isRecord(result) && Array.isArray(result.members))
  assert.deepEqual(
    result.members.map((member) => isRecord(member) && member.path),
    ['id', 'title', 'date', 'branch.city'],
  )
})

test('a body in JSON and one of a form become rows, whose parameters do not collide with others', () => {
  const schema = {
    type: 'object',
    properties: {id: {type: 'string'}, days: {type: 'integer'}},
    required: ['days'],
  }
  const types: [type: string, encoding: string][] = [
    ['application/json', 'json'],
    ['application/vnd.library+json; charset=utf-8', 'json'],
    ['application/x-www-form-urlencoded', 'form'],
  ]
  for (const [type, encoding] of types) {
    const tool = toolOf(
      api('/loans/{id}', 'post', {
        operationId: 'renewLoan',
        parameters: [{name: 'id', in: 'path', required: true, schema: {type: 'string'}}],
        requestBody: {content: {[type]: {schema}}},
        responses: {204: {description: 'Renewed'}},
      }),
    )
    const request = requestOf(tool)
    assert.equal(request.encoding, encoding)
    assert.deepEqual(request.body, [
      {_type: 'row', _key: 'row0', name: 'id', parameter: 'idInBody'},
      {_type: 'row', _key: 'row1', name: 'days', parameter: 'days'},
    ])
    assert.deepEqual(request.result, {kind: 'message', message: 'Done.'})
    assert.deepEqual(JSON.parse(String(tool.fields.inputSchema)).required, ['id', 'days'])
  }
})

test('the address is that of the server, or relative on an address of the site', () => {
  const rows: [servers: unknown, address: string][] = [
    [undefined, '/api/events'],
    [[{url: '/v1/'}], '/v1/api/events'],
    [[{url: `${SITE}/v2`}], '/v2/api/events'],
    [
      [{url: 'https://{host}.example.com/v1', variables: {host: {default: 'api'}}}],
      'https://api.example.com/v1/api/events',
    ],
  ]
  for (const [servers, address] of rows)
    assert.equal(requestOf(toolOf(api('/api/events', 'get', events, {servers}))).address, address)
})

test('answers of many shapes are proposed as a list, one thing, a text, or a message', () => {
  const rows: [responses: object, kind: string, path?: string][] = [
    [answer({type: 'array', items: EVENT}), 'list'],
    [answer({type: 'array', items: {type: 'string'}}), 'list'],
    [
      answer({type: 'object', properties: {data: {type: 'array', items: EVENT}, links: {type: 'object'}}}),
      'list',
      'data',
    ],
    [
      answer({type: 'object', properties: {'the.items': {type: 'array', items: EVENT}}}),
      'list',
      '["the.items"]',
    ],
    [answer(EVENT), 'object'],
    [answer({type: 'object'}), 'text'],
    [{200: {description: 'OK', content: {'text/plain': {schema: {type: 'string'}}}}}, 'message'],
    [{'2XX': {description: 'OK', content: {'application/hal+json': {schema: EVENT}}}}, 'object'],
    [{default: {description: 'Error'}}, 'message'],
    [{}, 'message'],
  ]
  for (const [responses, kind, path] of rows) {
    const {result} = requestOf(toolOf(api('/api/events', 'get', {...events, responses})))
    assert.ok(isRecord(result))
    assert.deepEqual([result.kind, result.path], [kind, path], JSON.stringify(responses))
  }
})

test('a required header is left out with a note', () => {
  const parameters = [
    {name: 'X-Api-Key', in: 'header', required: true, schema: {type: 'string'}},
    {name: 'filter', in: 'query', schema: {type: 'object'}},
  ]
  const {notes} = toolOf(api('/api/events', 'get', {...events, parameters}))
  assert.match(notes.join('\n'), /header “X-Api-Key” is not sent/)
  assert.match(notes.join('\n'), /“filter” is a group/)
})

test('what cannot be a tool is refused with words', () => {
  const body = (content: object) => api('/a', 'post', {requestBody: {content}, responses: {}})
  const rows: [document: object | string, problem: RegExp][] = [
    ['{', /neither JSON nor YAML/],
    ['- a', /neither JSON nor YAML/],
    [{swagger: '2.0'}, /convert it to OpenAPI 3/],
    [{info: {}}, /no OpenAPI 3 file/],
    [{openapi: '3.0.3', paths: {}}, /no operations/],
    [
      body({'multipart/form-data': {schema: {type: 'object'}}}),
      /sends multipart\/form-data, which only a script/,
    ],
    [body({'application/json': {schema: {type: 'array', items: EVENT}}}), /without named members/],
    [' '.repeat(5_000_001), /more than 5 MB/],
  ]
  for (const [document, problem] of rows) assert.match(problemOf(document), problem)
})

test('a schema that refers to itself ends, and one that does so too often is refused', () => {
  const tree = {
    type: 'object',
    properties: {name: {type: 'string'}, parent: {$ref: '#/components/schemas/tree'}},
  }
  const tool = toolOf(
    api(
      '/tree',
      'get',
      {responses: answer({$ref: '#/components/schemas/tree'})},
      {components: {schemas: {tree}}},
    ),
  )
  assert.equal(isRecord(requestOf(tool).result), true)
  const wide = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({length: 8}, (_, at) => [`part${at}`, {$ref: '#/components/schemas/wide'}]),
    ),
  }
  const document = api(
    '/wide',
    'get',
    {responses: answer({$ref: '#/components/schemas/wide'})},
    {components: {schemas: {wide}}},
  )
  assert.match(problemOf(document), /refers to itself too often/)
})

test('examples of passwords and keys are left out', () => {
  const member = (value: string) => ({type: 'string', example: value, default: value})
  const {fields} = toolOf(
    api('/login', 'post', {
      parameters: [{name: 'api_key', in: 'query', schema: {type: 'string'}, example: 'SECRET'}],
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                user: member('ada'),
                passwd: member('SECRET'),
                inner: {type: 'object', properties: {otp: member('SECRET')}},
              },
            },
          },
        },
      },
    }),
  )
  assert.doesNotMatch(String(fields.inputSchema), /SECRET/)
  assert.match(String(fields.inputSchema), /"default": "ada"/)
})

test('references that are encoded wrongly, and files that are too large, are refused or read in no time', () => {
  const {fields} = toolOf(
    api(
      '/x',
      'get',
      {
        parameters: [{name: 'q', in: 'query', schema: {$ref: '#/components/schemas/Off%'}}],
      },
      {components: {schemas: {'Off%': {type: 'integer'}}}},
    ),
  )
  assert.match(String(fields.inputSchema), /"integer"/)
  const many = (count: number) =>
    Object.fromEntries(Array.from({length: count}, (_, at) => [`/a${at}`, {get: {}}]))
  const document = {openapi: '3.1.0', paths: many(20_001)}
  const problemOf = (text: string) => {
    const parsed = parseOpenApi(text, [SITE])
    return parsed.ok ? '' : parsed.problem
  }
  assert.match(problemOf(JSON.stringify(document)), /^The file has too many paths/)
  const anchors = Array.from({length: 30_000}, (_, at) => `  - &a${at} x\n`).join('')
  const aliases = Array.from({length: 900}, (_, at) => `  - *a${at}\n`).join('')
  const values = `openapi: 3.1.0\nx: [${'1,'.repeat(200_000)}]\npaths: {}\n`
  for (const yaml of [`openapi: 3.1.0\na:\n${anchors}b:\n${aliases}`, values])
    assert.match(problemOf(yaml), /^The file is too large to be read as YAML/)
})
