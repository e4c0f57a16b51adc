import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseOpenApi} from '../../making/openApi.ts'
import {isRecord} from '../../schemas/record.ts'
import {answer, api, EVENT, INTEGER, requestOf, SITE, TEXT, toolOf} from './openApi/support.ts'

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
      {name: 'q', parameter: 'q'},
      {name: 'branch', parameter: 'branch'},
    ],
    result: {
      kind: 'list',
      path: 'items',
      members: ['id', 'title', 'date'].map((path) => ({path})),
      limit: 10,
    },
  })
  assert.deepEqual(fields.annotations, {
    readOnlyHint: 'true',
    consequentialHint: 'auto',
    untrustedContentHint: 'auto',
  })
})

test('references, parameters of a path, and groups of schemas are put together', () => {
  const tool = toolOf({
    openapi: '3.1.0',
    servers: [{url: SITE}],
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
      {name: 'id', parameter: 'idInBody'},
      {name: 'days', parameter: 'days'},
    ])
    assert.deepEqual(request.result, {kind: 'message', message: 'Done.'})
    assert.deepEqual(JSON.parse(String(tool.fields.inputSchema)).required, ['id', 'days'])
  }
})

test('an operation names the host that its requests go to, unless it is the site', () => {
  const variables = {a: {default: 'evil.example/x'}}
  for (const [url, host] of [
    [SITE, undefined],
    ['/v1', undefined],
    ['https://api.example:8443/v1', 'api.example:8443'],
    ['https://{a}.library.example', 'evil.example'],
  ] as const) {
    const file = api('/a', 'get', {responses: {}}, {servers: [{url, variables}]})
    const parsed = parseOpenApi(JSON.stringify(file), [SITE])
    assert.ok(parsed.ok)
    assert.deepEqual(parsed.value.operations, [{id: 'GET /a', summary: '', ...(host && {host})}])
  }
})

test('the address is that of the server, or relative on an address of the site', () => {
  const rows: [servers: unknown, address: string][] = [
    [undefined, '/api/events'],
    [[{url: '/v1/'}], '/v1/api/events'],
    [[{url: `${SITE}/v2`}], '/v2/api/events'],
    [[{url: '../v3'}], '/v3/api/events'],
    [
      [{url: 'https://{host}.example.com', variables: {host: {enum: ['eu']}}}],
      'https://eu.example.com/api/events',
    ],
    [
      [{url: 'https://{host}.example.com/v1', variables: {host: {default: 'api'}}}],
      'https://api.example.com/v1/api/events',
    ],
  ]
  for (const [servers, address] of rows)
    assert.equal(requestOf(toolOf(api('/api/events', 'get', events, {servers}))).address, address)
  const servers = [{url: 'https://b.example'}]
  const ofPath = {openapi: '3.1.0', servers: [{url: SITE}], paths: {'/a': {servers, get: {responses: {}}}}}
  assert.equal(requestOf(toolOf(ofPath)).address, 'https://b.example/a')
})

test('answers of many shapes are proposed as a list, one thing, a text, or a message', () => {
  const texts = {type: 'array', items: {type: 'string'}}
  const list = {type: 'array', items: EVENT}
  const of = (properties: object) => ({type: 'object', properties})
  const media = (types: Record<string, object>) => ({
    200: {
      description: 'OK',
      content: Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, {schema}])),
    },
  })
  const rows: [responses: object, kind: string, path?: string][] = [
    [answer(list), 'list', ''],
    [answer(texts), 'object', ''],
    [answer(of({data: list, links: {type: 'object'}})), 'list', 'data'],
    [answer(of({'the.items': list})), 'list', '["the.items"]'],
    [answer(of({success: {type: 'boolean'}, data: of({items: list})})), 'list', 'data.items'],
    [answer(of({status: {type: 'string'}, errors: list, data: list})), 'list', 'data'],
    [answer(of({data: list, included: list, meta: of({total: {type: 'integer'}})})), 'list', 'data'],
    [answer(EVENT), 'object', ''],
    [answer({...EVENT, properties: {...EVENT.properties, loans: list}}), 'object', ''],
    [answer({anyOf: [EVENT, {type: 'null'}]}), 'object', ''],
    [answer(of({ok: {type: 'boolean'}})), 'object', ''],
    [answer(of({pagination: of({}), problem: of({fields: list}), booking: EVENT})), 'object', 'booking'],
    [
      answer({...of({id: {type: 'string'}, hits: list}), oneOf: [of({limit: {type: 'integer'}})]}),
      'list',
      'hits',
    ],
    [answer(of({data: {items: [EVENT, PET]}})), 'object', 'data'],
    [answer({type: 'object'}), 'text'],
    [media({'text/plain': {type: 'string'}}), 'text'],
    [media({'text/csv': {type: 'string'}}), 'text'],
    [media({'*/*': list}), 'list', ''],
    [media({'application/ld+json': of({'hydra:member': list}), 'application/json': list}), 'list', ''],
    [media({'application/xml': EVENT, 'application/hal+json': EVENT}), 'object', ''],
    [{'2XX': {description: 'OK', content: {'application/hal+json': {schema: EVENT}}}}, 'object', ''],
    [{default: {description: 'OK', content: {'application/json': {schema: list}}}}, 'list', ''],
    [{204: {description: 'None'}, ...answer(list)}, 'list', ''],
    [{default: {description: 'Error'}}, 'text'],
    [{}, 'text'],
  ]
  for (const [responses, kind, path] of rows) {
    const {result} = requestOf(toolOf(api('/api/events', 'get', {...events, responses})))
    assert.ok(isRecord(result))
    assert.deepEqual([result.kind, result.path], [kind, path], JSON.stringify(responses))
  }
  const cart = of({id: {type: 'string'}, items: list, total: {type: 'number'}})
  const {result} = requestOf(toolOf(api('/api/cart', 'get', {responses: answer(cart)})))
  assert.equal(Object(result).kind, 'object')
})

const PET = {
  type: 'object',
  properties: {
    id: {type: 'integer', format: 'int64'},
    category: {type: 'object', properties: {id: {type: 'integer'}, name: {type: 'string'}}},
    name: {type: 'string'},
    tags: {type: 'array', items: {type: 'object', properties: {name: {type: 'string'}}}},
  },
}

test('what is returned has names that differ', () => {
  for (const schema of [PET, {type: 'array', items: PET}]) {
    const {result} = requestOf(toolOf(api('/pets/1', 'get', {responses: answer(schema)})))
    assert.ok(isRecord(result) && Array.isArray(result.members))
    const shown = result.members.map((one) => (isRecord(one) ? String(one.name ?? one.path) : ''))
    assert.deepEqual(shown.toSorted(), ['category id', 'category name', 'id', 'name', 'tags name'])
  }
})

test('entries of a list have their own id, however many values they have', () => {
  const texts = ['name', 'title', 'status', 'date', 'total', 'price', 'code', 'currency', 'email', 'url']
  const all = [...texts, 'paid_by_id', 'invoiceID'].map((name) => [name, {type: 'string'}])
  const invoices = {type: 'array', items: {type: 'object', properties: Object.fromEntries(all)}}
  const schema = {type: 'object', properties: {invoices}}
  const {result} = requestOf(toolOf(api('/invoices', 'get', {responses: answer(schema)})))
  assert.ok(isRecord(result) && Array.isArray(result.members))
  assert.deepEqual(result.members.at(-1), {path: 'invoiceID'})
})

/** A file whose only operation sends a body. */
const sends = (schema: object, type = 'application/json') =>
  api('/a', 'post', {requestBody: {content: {[type]: {schema}}}, responses: {}})

test('a body has the members that are sent, whatever their names, and of each of several bodies', () => {
  const of = (properties: object, required: string[] = []) => ({type: 'object', properties, required})
  const rows: [schema: object, names: string[], required?: string[]][] = [
    [of({id: {...INTEGER, readOnly: true}, title: TEXT}, ['id', 'title']), ['title'], ['title']],
    [
      of({'@odata.type': TEXT, 'given.name': TEXT, 'a[b]': TEXT}),
      ['["@odata.type"]', '["given.name"]', '["a[b]"]'],
    ],
    [{anyOf: [of({a: TEXT}), {type: 'null'}]}, ['a']],
    [
      {oneOf: [of({a: TEXT, kind: {const: 'x'}}, ['kind', 'a']), of({kind: {const: 'y'}}, ['kind'])]},
      ['a', 'kind'],
      ['kind'],
    ],
    [{allOf: [of({a: TEXT}, ['a']), of({b: TEXT})]}, ['a', 'b'], ['a']],
  ]
  for (const [schema, names, required] of rows) {
    const tool = toolOf(sends(schema))
    const {body} = requestOf(tool)
    assert.ok(Array.isArray(body))
    assert.deepEqual(
      body.map((row: {name: string}) => row.name),
      names,
    )
    assert.deepEqual(JSON.parse(String(tool.fields.inputSchema)).required, required)
  }
  const members = Object.fromEntries(Array.from({length: 60}, (_, at) => [`m${at}`, TEXT]))
  assert.match(toolOf(sends(of(members, ['m59']))).notes.join(), /^The operation has too many values: 10 /)
  const {properties} = JSON.parse(
    String(toolOf(sends(of({a: {...TEXT, nullable: true}}))).fields.inputSchema),
  )
  assert.deepEqual(properties, {a: {type: ['string', 'null']}})
})

test('what a tool does not have of an operation is said before it is filled in', () => {
  const secured = (security: object[], scheme: object) =>
    api('/a', 'get', {responses: {}}, {security, components: {securitySchemes: {key: scheme}}})
  const rows: [document: object, note: RegExp | undefined][] = [
    [secured([{key: []}], {type: 'http', scheme: 'bearer'}), /asks for a key or a token \(key\)/],
    [secured([{key: []}, {}], {type: 'http', scheme: 'bearer'}), undefined],
    [secured([{key: []}], {type: 'apiKey', in: 'cookie', name: 'sid'}), undefined],
    [sends(EVENT, 'application/vnd.api+json'), /says “application\/vnd.api\+json”/],
    [api('/a', 'get', {parameters: [{$ref: './p.yaml#/q'}], responses: {}}), /does not have “.\/p.yaml#\/q”/],
    [
      api('/a', 'get', {responses: answer({$ref: '#/components/schemas/none'})}),
      /does not have “#\/components/,
    ],
  ]
  for (const [document, note] of rows) {
    const text = toolOf(document).notes.join('\n')
    if (note === undefined) assert.equal(text, '')
    else assert.match(text, note)
  }
})

test('Swagger 2 is read as OpenAPI 3', () => {
  const document = (operation: object, method = 'post') => ({
    swagger: '2.0',
    host: 'api.example.com',
    basePath: '/v2',
    paths: {'/pets': {[method]: operation}},
    definitions: {pet: PET},
  })
  const list = {type: 'array', items: {$ref: '#/definitions/pet'}}
  const found = toolOf(
    document(
      {
        parameters: [
          {name: 'tags', in: 'query', type: 'array', items: {type: 'string'}},
          {name: 'limit', in: 'query', type: 'integer', 'x-nullable': true},
        ],
        responses: {200: {description: 'OK', schema: list}},
      },
      'get',
    ),
  )
  const {address, result} = requestOf(found)
  assert.equal(address, 'https://api.example.com/v2/pets')
  assert.ok(isRecord(result))
  assert.equal(result.kind, 'list')
  assert.deepEqual(JSON.parse(String(found.fields.inputSchema)).properties, {
    tags: {type: 'string', description: 'Several values are separated by “,”.'},
    limit: {type: 'integer'},
  })
  const body = {name: 'body', in: 'body', schema: {$ref: '#/definitions/pet'}}
  assert.equal(requestOf(toolOf(document({parameters: [body], responses: {}}))).encoding, 'json')
  const field = {name: 'name', in: 'formData', type: 'string', required: true}
  const consumes = ['application/x-www-form-urlencoded']
  const form = toolOf(document({parameters: [field], consumes, responses: {}}))
  assert.deepEqual(
    [requestOf(form).encoding, requestOf(form).body],
    ['form', [{name: 'name', parameter: 'name'}]],
  )
  const file = {name: 'photo', in: 'formData', type: 'file'}
  const parts = toolOf(document({parameters: [field, file], responses: {}}))
  assert.deepEqual(
    [requestOf(parts).encoding, requestOf(parts).body, parts.notes],
    ['multipart', [{name: 'name', parameter: 'name'}], ['“photo” is a file, which a tool does not send.']],
  )
  const needed = {...file, required: true}
  assert.match(problemOf(document({parameters: [field, needed], responses: {}})), /sends a file/)
})

test('YAML with merge keys, several documents, a number as its version, or a byte order mark is read', () => {
  const head = 'openapi: 3.1\npaths:\n  /a:\n    get:\n'
  const merged = `x: &x\n  parameters: [{name: q, in: query}]\n${head}      <<: *x\n      responses: {}\n`
  for (const text of [merged, `---\n${merged}---\na: 1\n`, `\ufeff${merged}`]) {
    const parsed = parseOpenApi(text, [])
    const tool = parsed.ok ? parsed.value.toolOf('GET /a') : parsed
    assert.ok(tool.ok, tool.ok ? '' : tool.problem)
    assert.deepEqual(requestOf(tool.value).query, [{name: 'q', parameter: 'q'}])
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
    [{swagger: '2.0'}, /no operations/],
    [{swagger: '2.0', paths: {'/a': {get: {parameters: [null], responses: {}}}}}, /cannot be read/],
    [{swagger: '1.2'}, /no OpenAPI 3 file/],
    ['<!doctype html>', /web page/],
    ['a: 1\n b: [', /Line \d cannot be read/],
    [{openapi: '3.0.3', paths: {'/a': {$ref: './a.yaml'}}}, /in other files, such as “.\/a.yaml”/],
    [{openapi: '3.0.3', paths: {'/a': {get: {$ref: 'a.yaml'}}}}, /in other files, such as “a.yaml”/],
    [
      {openapi: '3.0.3', paths: {'/a': {get: {$ref: 'a.yaml'}, post: {responses: {}}}}},
      /The operation is in another file, “a.yaml”/,
    ],
    [
      api('/a', 'get', {responses: {}}, {servers: [{url: 'https://{host}/v1'}]}),
      /has “{host}”, without a value/,
    ],
    [
      api('/a', 'get', {responses: {200: {content: {'application/pdf': {}}}}}),
      /sends back application\/pdf, which agents cannot read/,
    ],
    [{info: {}}, /no OpenAPI 3 file/],
    [{openapi: '3.0.3', paths: {}}, /no operations/],
    [body({'multipart/mixed': {schema: {type: 'object'}}}), /sends multipart\/mixed, which only a script/],
    [body({'application/x-www-form-urlencoded': {schema: {type: 'array'}}}), /without named members/],
    [' '.repeat(30_000_001), /more than 30 MB/],
  ]
  for (const [document, problem] of rows) assert.match(problemOf(document), problem)
})

test('a schema that refers to itself ends, and one that does so too often is refused', () => {
  const tree = {
    type: 'object',
    properties: {name: {type: 'string'}, parent: {$ref: '#/components/schemas/tree'}},
  }
  const responses = answer({$ref: '#/components/schemas/tree'})
  const tool = toolOf(api('/tree', 'get', {responses}, {components: {schemas: {tree}}}))
  assert.equal(isRecord(requestOf(tool).result), true)
  const wide = (parts: number) => {
    const reference = {$ref: '#/components/schemas/wide'}
    const properties = Object.fromEntries(Array.from({length: parts}, (_, at) => [`part${at}`, reference]))
    const requestBody = {content: {'application/json': {schema: reference}}}
    const schemas = {wide: {type: 'object', properties}}
    return api('/wide', 'post', {requestBody, responses: {204: {}}}, {components: {schemas}})
  }
  assert.match(toolOf(wide(6)).notes.join(), /their inner parts are not described/)
  assert.match(problemOf(wide(40)), /refers to itself too often/)
})

test('examples of passwords and keys are left out', () => {
  const member = (value: string) => ({type: 'string', example: value, default: value})
  const inner = {type: 'object', properties: {otp: member('SECRET')}}
  const properties = {user: member('ada'), passwd: member('SECRET'), inner}
  const content = {'application/json': {schema: {type: 'object', properties}}}
  const parameters = [{name: 'api_key', in: 'query', schema: TEXT, example: 'SECRET'}]
  const {fields} = toolOf(api('/login', 'post', {parameters, requestBody: {content}}))
  assert.doesNotMatch(String(fields.inputSchema), /SECRET/)
  assert.match(String(fields.inputSchema), /"default": "ada"/)
})

test('references that are encoded wrongly, and files that are too large, are refused or read in no time', () => {
  const parameters = [{name: 'q', in: 'query', schema: {$ref: '#/components/schemas/Off%'}}]
  const {fields} = toolOf(api('/x', 'get', {parameters}, {components: {schemas: {'Off%': INTEGER}}}))
  assert.match(String(fields.inputSchema), /"integer"/)
  const many = (count: number) =>
    Object.fromEntries(Array.from({length: count}, (_, at) => [`/a${at}`, {get: {}}]))
  const document = {openapi: '3.1.0', paths: many(20_001)}
  assert.match(problemOf(document), /^The file has too many paths/)
})
