import assert from 'node:assert/strict'
import {test} from 'node:test'
import {askedOf, operationOf, operationsIn, proposeName, toolOf} from '../../making/exchange.ts'
import {type Input, inputsOf, problemOfBody} from '../../making/inputs.ts'
import {proposeResult} from '../../making/proposeResult.ts'
import type {Exchange} from '../../making/values.ts'
import {problemOfAction} from '../../schemas/actions/problem.ts'
import {failureOf, ORIGIN, run, scriptOf} from '../actions/support.ts'

/** A tool without a choice of what it returns. */
const proposeTool = (
  exchange: Exchange,
  {origin, inputs = inputsOf(exchange)}: {origin: string; inputs?: readonly Input[]},
) => toolOf(exchange, {origin, inputs, result: proposeResult(exchange.answer, askedOf(exchange))})

test('a search that finds nothing says so, also if the answer has a body', async () => {
  const exchange = {method: 'GET', address: `${ORIGIN}/api/books?q=x`, answer: {items: [{title: 'Knots'}]}}
  const script = scriptOf(proposeTool(exchange, {origin: ORIGIN}))
  const missing = () => Response.json({error: 'none'}, {status: 404})
  assert.match(await failureOf(script, {query: 'x'}, missing), /^The website says: “none”\. /)
  const {result} = await run(script, {query: 'x'}, () => Response.json({items: []}))
  assert.deepEqual(result, {found: 0, message: 'Nothing was found for “x”.'})
})

test('secrets and what changes each time are left out, whatever their case', () => {
  const names = 'api_key apiKey key access_token X-CSRF-Token sessionid password _ utm_source'.split(' ')
  const query = names.map((name) => `${name}=abc`).join('&')
  const inputs = inputsOf({method: 'GET', address: `${ORIGIN}/x?${query}&monkey=1&note=eyJhbGci.e30.sig`})
  const kept = inputs.filter(({use}) => use !== 'leave').map(({name}) => name)
  assert.deepEqual(kept, ['monkey'])
})

const CREDENTIALS: readonly (readonly [what: string, body: string, contentType: string])[] = [
  ['WordPress', 'log=ada&pwd=hunter2&redirect_to=%2F', 'application/x-www-form-urlencoded'],
  ['Rails', 'user[login]=ada&user[password]=hunter2', 'application/x-www-form-urlencoded'],
  ['Drupal', 'name=ada&pass=hunter2&form_build_id=x', 'application/x-www-form-urlencoded'],
  ['JSON', '{"user":"ada","newPassword":"hunter2","password2":"hunter2"}', 'application/json'],
  ['GraphQL', '{"query":"mutation {x}","variables":{"input":{"otp":"hunter2"}}}', 'application/json'],
  ['JSON in a form', 'user=ada&data=%7B%22pin%22%3A%22hunter2%22%7D', 'application/x-www-form-urlencoded'],
]
for (const [what, body, contentType] of CREDENTIALS)
  test(`a password that ${what} sends is in no tool, even if an agent should set it`, () => {
    const exchange = {method: 'POST', address: `${ORIGIN}/login`, contentType, body}
    const inputs = inputsOf(exchange, ['hunter2'])
    assert.doesNotMatch(JSON.stringify(proposeTool(exchange, {origin: ORIGIN, inputs})), /hunter2/)
    const set = inputs.map((input) => ({...input, use: 'parameter' as const}))
    assert.doesNotMatch(JSON.stringify(proposeTool(exchange, {origin: ORIGIN, inputs: set})), /hunter2/)
  })

test('what stands in a field for a password is in no tool, whatever its name', () => {
  const exchange = {
    method: 'POST',
    address: `${ORIGIN}/login?a=4711`,
    contentType: 'application/json',
    body: '{"user":"ada","b":"hunter22","c":["x hunter22 y"],"d":"14711"}',
  }
  const inputs = inputsOf(exchange, [], ['hunter22', '4711'])
  const used = inputs.filter(({use}) => use !== 'leave').map(({name}) => name)
  assert.deepEqual(used, ['user', 'd'])
})

test('sessions in a path are in no tool', () => {
  const id = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'
  const exchange = {method: 'GET', address: `${ORIGIN}/a;jsessionid=1A2B3C/${id}/b;page=2?q=x`}
  const tool = proposeTool(exchange, {origin: ORIGIN})
  assert.match(tool.request.address, /^\/a\/\{\w+\}\/b;page=2$/)
  assert.doesNotMatch(JSON.stringify(tool), /eyJ|1A2B/)
})

test('what agents set, and the names of two parameters, differ', () => {
  const exchange = {
    method: 'POST',
    address: `${ORIGIN}/book`,
    contentType: 'application/json',
    body: '{"from":{"city":"Bremen"},"to":{"city":"Köln"},"constructor":"x","items":[],"list":["a","b"]}',
  }
  const inputs = inputsOf(exchange, ['bremen ', 'Köln'])
  const tool = toolOf(exchange, {origin: ORIGIN, inputs, result: {kind: 'text'}})
  assert.deepEqual(tool.request.body, [
    {name: 'from.city', parameter: 'city'},
    {name: 'to.city', parameter: 'city2'},
    {name: 'items', value: '[]', format: 'json'},
    {name: 'list', value: '["a","b"]', format: 'json'},
  ])
  assert.equal(problemOfAction(tool), undefined)
})

test('a description has an example, unless it may be about a person', () => {
  const exchange = {
    method: 'GET',
    address: `${ORIGIN}/loans/123456?day=2026-12-01&mail=ada%40example.com&note=${'x'.repeat(60)}`,
  }
  const {properties} = JSON.parse(proposeTool(exchange, {origin: ORIGIN}).inputSchema)
  assert.deepEqual(properties, {
    loanId: {type: 'string'},
    day: {type: 'string', format: 'date', description: 'Such as “2026-12-01”.'},
    mail: {type: 'string'},
    note: {type: 'string'},
  })
})

test('values of a query and a form are texts, but for yes or no, and for how many', () => {
  const form = 'plz=01067&menge=1&open=true&isbn=9783161484100&page=2&price=12.5'
  const typesOf = (exchange: Exchange) => {
    const inputs = inputsOf(exchange).map((input) => ({...input, use: 'parameter' as const}))
    const {properties} = JSON.parse(proposeTool(exchange, {origin: ORIGIN, inputs}).inputSchema)
    return Object.entries<{type: string}>(properties).map(([name, {type}]) => `${name} ${type}`)
  }
  const texts = ['plz string', 'menge integer', 'open boolean', 'isbn string', 'page integer', 'price string']
  assert.deepEqual(typesOf({method: 'GET', address: `${ORIGIN}/s?${form}`}), texts)
  assert.deepEqual(typesOf({method: 'POST', address: `${ORIGIN}/s`, body: form}), texts)
  const body =
    '{"plz":"01067","page":"2","days":2,"price":12.5,"id":653247040368672768,"note":"1,653247040368672768"}'
  const sent = {method: 'POST', address: `${ORIGIN}/s`, body}
  assert.deepEqual(typesOf(sent), [
    ...['plz string', 'page string', 'days integer', 'price number', 'id string', 'note string'],
  ])
  // An identifier that JavaScript would round keeps its digits.
  const fixed = inputsOf(sent).map((input) => ({...input, use: 'fixed' as const}))
  assert.match(JSON.stringify(proposeTool(sent, {origin: ORIGIN, inputs: fixed})), /"653247040368672768"/)
})

test('a body that an action cannot send is named', () => {
  const sends = (contentType: string, body: string) =>
    problemOfBody({method: 'POST', address: `${ORIGIN}/x`, contentType, body})
  assert.match(sends('multipart/form-data; boundary=x', '--x') ?? '', /needs a script/)
  assert.match(sends('text/plain', 'hello') ?? '', /needs a script/)
  assert.equal(sends('application/json', '{}'), undefined)
  assert.equal(sends('', ''), undefined)
})

test('the operation of GraphQL is named by the request, or by its query', () => {
  const body = (value: object) => ({body: JSON.stringify(value)})
  assert.equal(operationOf(body({operationName: 'SearchBooks', query: 'query A { a }'})), 'SearchBooks')
  assert.equal(operationOf(body({query: '\n  mutation AddBook($id: ID!) { add(id: $id) }'})), 'AddBook')
  for (const none of [{}, body({query: '{ all { id } }'}), body({operation: 'x'})])
    assert.equal(operationOf(none), undefined)
})

test('a token that stands on the page is read there at each call, and is in no tool', () => {
  const token = 'kq9Zr61jfPLmN02xWk4Vt7'
  const exchange = {
    method: 'POST',
    address: `${ORIGIN}/cart?form_key=${token}`,
    body: `csrfmiddlewaretoken=${token}&product=12345678&words=form_key&pin=4711`,
  }
  const placeOf = (value: string) =>
    [token, '12345678', 'form_key'].includes(value) ? {selector: '[data-t]', attribute: 'data-t'} : undefined
  const tool = toolOf(exchange, {
    origin: ORIGIN,
    inputs: inputsOf(exchange, ['form_key'], ['4711'], {placeOf}),
    headers: [{name: 'X-CSRF-Token', cookie: 'csrftoken'}],
    result: {kind: 'text'},
  })
  assert.deepEqual(tool.request.query, [{name: 'form_key', selector: '[data-t]', attribute: 'data-t'}])
  assert.deepEqual(tool.request.body, [
    {name: 'csrfmiddlewaretoken', selector: '[data-t]', attribute: 'data-t'},
    {name: 'product', value: '12345678'},
    {name: 'words', parameter: 'words'},
  ])
  assert.equal(problemOfAction(tool), undefined)
  assert.doesNotMatch(JSON.stringify(tool), new RegExp(`${token}|4711`))
  // What a person typed, or a server sent, is not read from the page.
  for (const [typed, secrets, earlier] of [
    [[token], [], []],
    [[], [token], []],
  ] as const)
    assert.ok(inputsOf(exchange, typed, secrets, {placeOf, earlier}).every(({use}) => use !== 'page'))
  const random = {...exchange, address: `${ORIGIN}/cart?x=${token}`, body: ''}
  const earlier = [{...exchange, answer: {key: token}}]
  assert.equal(inputsOf(random, [], [], {placeOf})[0]?.use, 'page')
  assert.equal(inputsOf(random, [], [], {placeOf, earlier})[0]?.use, 'leave')
})

test('an operation of GraphQL is never what agents set, and a list of them is split', () => {
  const operations = [
    {operationName: 'Cart', query: 'query Cart { cart { id } }', variables: {}},
    {operationName: 'Search', query: 'query Search($q: String) { s(q: $q) { id } }', variables: {q: 'rope'}},
    {documentId: '4711', variables: {first: 2}, doc_id: 77},
  ]
  const usesOf = (exchange: Exchange) =>
    Object.fromEntries(inputsOf(exchange, ['Search', 'Cart']).map(({name, use}) => [name, use]))
  const batch = {
    method: 'POST',
    address: `${ORIGIN}/graphql`,
    body: JSON.stringify(operations.slice(0, 2)),
    answer: [{data: {cart: {id: 1}}}, {data: {s: [{id: 2}]}}],
  }
  const [cart, search, ...others] = operationsIn(batch)
  assert.deepEqual([cart?.answer, search?.answer, others.length], [...batch.answer, 0])
  assert.equal(search && proposeName(search, []), 'search')
  assert.deepEqual(search && usesOf(search), {
    operationName: 'fixed',
    query: 'fixed',
    'variables.q': 'parameter',
  })
  assert.deepEqual(usesOf({...batch, body: JSON.stringify(operations[2])}), {
    documentId: 'fixed',
    'variables.first': 'parameter',
    doc_id: 'fixed',
  })
  assert.ok(
    !Object.entries(usesOf(batch)).some(([name, use]) => /query|operation/.test(name) && use !== 'fixed'),
  )
  for (const body of ['[{"id":1}]', '[]', '{"a":1}'])
    assert.deepEqual(operationsIn({...batch, body}), [{...batch, body}])
})

test('what a server ignores is left out, because the page looks for it itself', () => {
  const search = (word: string, answer: unknown) => ({
    method: 'GET',
    address: `${ORIGIN}/breads?q=${word}`,
    answer,
  })
  const useOf = (answer: unknown, earlier: unknown) =>
    inputsOf(search('rye', answer), ['rye'], [], {earlier: [search('spelt', earlier)]})[0]?.use
  assert.equal(useOf([{title: 'Rye'}], [{title: 'Rye'}]), 'leave')
  assert.equal(useOf([{title: 'Rye'}], [{title: 'Spelt'}]), 'parameter')
  assert.equal(useOf([], []), 'parameter')
})

test('what was chosen on the page has the choices and is optional, as a page number is', () => {
  const exchange = {method: 'GET', address: `${ORIGIN}/list?diet=vegan&seats=2&page=3`}
  const choices: Readonly<Record<string, string[]>> = {vegan: ['vegan', 'none'], 2: ['1', '2']}
  const known = {
    choicesOf: (one: string) => choices[one]?.map((value) => ({value, label: value})),
    earlier: [{method: 'GET', address: `${ORIGIN}/list?diet=vegan&seats=2`}],
  }
  const inputs = inputsOf(exchange, ['vegan', '2'], [], known)
  const schema = JSON.parse(toolOf(exchange, {origin: ORIGIN, inputs, result: {kind: 'text'}}).inputSchema)
  assert.deepEqual(schema, {
    type: 'object',
    properties: {
      diet: {type: 'string', enum: ['vegan', 'none']},
      seats: {type: 'integer', enum: [1, 2]},
      page: {type: 'integer', description: 'Such as “3”.'},
    },
  })
  assert.equal(inputsOf(exchange, ['vegan', '2'])[2]?.use, 'fixed')
})

test('what an earlier answer had is set by agents, and says which tool returns it', () => {
  const search: Exchange = {
    method: 'GET',
    address: `${ORIGIN}/api/books?q=knots`,
    answer: {
      books: [
        {id: 41, title: 'Knots'},
        {id: 42, title: 'More knots'},
      ],
      total: 2,
    },
  }
  const loan: Exchange = {
    method: 'POST',
    address: `${ORIGIN}/api/loans`,
    contentType: 'application/json',
    body: JSON.stringify({bookId: 42, days: 7, clientId: 9, total: 2}),
    answer: {due: '2026-12-24'},
  }
  const inputs = inputsOf(loan, ['7'], [], {earlier: [search]})
  const schema = JSON.parse(toolOf(loan, {origin: ORIGIN, inputs, result: {kind: 'text'}}).inputSchema)
  assert.deepEqual(schema, {
    type: 'object',
    properties: {
      bookId: {type: 'integer', description: 'The id that /api/books returns.'},
      days: {type: 'integer', description: 'Such as “7”.'},
    },
    required: ['bookId'],
  })
  const renewed = {method: 'GET', address: `${ORIGIN}/api/books/42`, answer: {}}
  const [path] = inputsOf(renewed, [], [], {earlier: [search]})
  assert.equal(path?.source?.member, 'id')
  // Nothing else may be on a page of one thing: its address says which.
  const onPage = inputsOf(loan, [], [], {ids: ['42', '7']}).filter(({isOfPage}) => isOfPage)
  assert.deepEqual(
    onPage.map(({name, use, isRequired}) => [name, use, isRequired]),
    [['bookId', 'parameter', true]],
  )
})
