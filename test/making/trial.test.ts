import assert from 'node:assert/strict'
import {test} from 'node:test'
import {argumentsOf, toolOf} from '../../making/exchange.ts'
import {type Input, inputsOf} from '../../making/inputs.ts'
import type {ProposedResult} from '../../making/tree.ts'
import {agentGets, changesOf, requestOf, type TrialAnswer} from '../../making/trial.ts'
import type {Exchange} from '../../making/values.ts'
import {ORIGIN, pageWith, run, scriptOf} from '../actions/support.ts'

const LIST: ProposedResult = {
  kind: 'list',
  path: 'data.items',
  members: [{path: 'title'}, {path: 'at.day', name: 'day'}, {path: 'tags[].name', name: 'tags'}],
  limit: 2,
}
const RESULTS: readonly ProposedResult[] = [
  LIST,
  {kind: 'list', path: '', members: []},
  {kind: 'list', path: 'data.items[].tags', members: [{path: 'name'}], limit: 4},
  {kind: 'object', path: 'data', members: [{path: 'items[0].title', name: 'first'}, {path: 'total'}]},
  {kind: 'object', path: '', members: []},
  {kind: 'text'},
  {kind: 'message', message: 'Done.'},
]

const EXCHANGES: readonly Exchange[] = [
  {method: 'GET', address: `${ORIGIN}/api/books/b17.json?q=rope&page=1&tag=a&tag=b%26c&empty=`},
  {method: 'GET', address: `${ORIGIN}/all`},
  {method: 'GET', address: `${ORIGIN}/list?branch=North`},
  {method: 'GET', address: 'https://api.example.com/a|b/c?q=%E4pfel+%27x%27'},
  {
    method: 'POST',
    address: `${ORIGIN}/order?step=2`,
    body: '{"b":[{"id":7},{"id":"8"}],"note":"","a":{"x":null}}',
  },
  {
    method: 'POST',
    address: `${ORIGIN}/graphql`,
    body: '{"query":"query A { all { id } }","variables":{"q":"rope"}}',
  },
  {
    method: 'POST',
    address: `${ORIGIN}/graphql?variables=%7B%22a%22%3A%7B%22b%22%3A1%7D%2C%22c%22%3A%22x%22%7D`,
    body: '{"requests":[{"indexName":"books","params":"query=a+b&page=1&tag=x&tag=y"}]}',
  },
  {method: 'POST', address: `${ORIGIN}/add`, body: 'form_key=8fJ2kLm0Qx1&id=7&input=%7B%22q%22%3A%22x%22%7D'},
  {method: 'POST', address: `${ORIGIN}/lines`, body: '[{"id":7},{"id":8,"qty":2}]'},
  {method: 'PUT', address: `${ORIGIN}/renew`, body: 'book=b1&text=a%26b&text=c'},
  {method: 'DELETE', address: `${ORIGIN}/books/1234567`},
]

type Answer = Exclude<TrialAnswer, string>

const json = (value: unknown, status = 200): Partial<Answer> => ({
  status,
  contentType: 'application/json',
  text: JSON.stringify(value),
})
const html = (text: string, more: object = {}): Partial<Answer> => ({
  contentType: 'text/html; charset=utf-8',
  text,
  ...more,
})
const items = [1, 2, 3].map((n) => ({title: `Event ${n}`, at: {day: n}, tags: [{name: 'x'}, 'y'], other: n}))

const ANSWERS: Readonly<Record<string, Partial<Answer> | undefined>> = {
  'a list': json({data: {items, total: 3}}),
  'a list without a group': json(items),
  'one thing': json({data: {total: 1}}),
  'an empty list': json({data: {items: []}}),
  'an empty list alone': json([]),
  null: json(null),
  'a long identifier': {contentType: 'application/json', text: '{"data":{"total":653247040368672768}}'},
  'a text in JSON': json('abc'),
  'a text': {contentType: 'text/plain', text: '  Open until 17:00\n'},
  'a long text': {contentType: 'text/plain', text: 'long '.repeat(2_000)},
  nothing: {status: 204, text: ''},
  'nothing with status 200': {text: ''},
  'status 401 with a message': json({message: 'Missing X-App-Token'}, 401),
  'status 403': {status: 403, contentType: 'text/html', text: '<h1>Forbidden</h1>'},
  'status 404': json({error: {message: 'No such book'}}, 404),
  'status 404 without a message': {status: 404},
  'status 408': {status: 408},
  'status 422': json({errors: {date: ['Is in the past.']}}, 422),
  'status 429': {status: 429},
  'status 500': json({error: 'broken'}, 500),
  'a page instead of JSON': html('<!doctype html><h1>Events</h1>'),
  'a page where visitors sign in': html('<input type="password">'),
  'another page': html('<h1>Thanks</h1>', {redirected: true, url: `${ORIGIN}/thanks?a=1`}),
  'a page to which visitors are led to sign in': html('<input name=a type=password>', {redirected: true}),
  'errors of GraphQL': json({errors: [{message: 'Unknown field'}], data: null}),
  'a refusal': json({success: false, message: 'Sold out'}),
  'no network': undefined,
}

/** Chosen by hand, so that each place has what agents set, what is always sent, and what is left out. */
const inputsWith = (exchange: Exchange, use: Input['use']) =>
  inputsOf(exchange, [], [], {placeOf: () => ({cookie: 'form_key'})}).map((input, at) =>
    at % 2 === 1 && input.place !== 'path' ? {...input, use} : input,
  )

const {signal} = new AbortController()
const PAGE = pageWith({'meta[name=csrf-token]': 'META'}, 'form_key=COOKIE')
Object.assign(globalThis, {document: PAGE})
const HEADERS = [
  {name: 'X-CSRF-Token', selector: 'meta[name=csrf-token]', attribute: 'content'},
  {name: 'X-Requested-With', value: 'XMLHttpRequest'},
]

for (const exchange of EXCHANGES)
  test(`${exchange.method} ${exchange.address} is tried as its script calls it, whatever comes back`, async () => {
    for (const use of ['parameter', 'fixed', 'leave'] as const)
      for (const result of RESULTS) {
        const inputs = inputsWith(exchange, use)
        const headers = exchange.method === 'POST' ? HEADERS : []
        const tool = toolOf(exchange, {origin: ORIGIN, inputs, headers, result})
        const args = argumentsOf(inputs)
        const script = scriptOf({...tool})
        for (const [what, partial] of Object.entries(ANSWERS)) {
          const answer = partial && {
            status: 200,
            contentType: '',
            text: '',
            url: `${ORIGIN}/x`,
            redirected: false,
            ...partial,
          }
          const read = await outcomeOf(() =>
            run(script, args, () => responseOf(answer), signal, PAGE).then(({result}) => result),
          )
          const tried = await outcomeOf(async () => agentGets(tool, args, answer ?? 'unreached'))
          assert.deepEqual(tried, read, `${what}: ${JSON.stringify(result)}`)
        }
        const {sent} = await run(script, args, () => new Response('{}'), signal, PAGE).catch(() => ({
          sent: [],
        }))
        const {address, body, ...rest} = requestOf(tool, args, ORIGIN)
        if (sent.length > 0)
          assert.deepEqual(
            [{url: address, body: body && String(body), ...rest}],
            sent.map(({body, ...one}) => ({...one, body})),
          )
      }
  })

async function outcomeOf(call: () => Promise<unknown>): Promise<string> {
  return call().then(
    (value) => JSON.stringify(value) ?? 'undefined',
    (error: unknown) => `!${error instanceof Error ? error.message : ''}`,
  )
}

function responseOf(answer: Answer | undefined): Response | Promise<Response> {
  if (!answer) return Promise.reject(new TypeError('Failed to fetch'))
  const {status, contentType, text, url, redirected} = answer
  const response = new Response(status === 204 ? null : text, {
    status,
    headers: {'content-type': contentType},
  })
  return Object.defineProperties(response, {redirected: {value: redirected}, url: {value: url}})
}

test('only requests that change nothing are tried without asking', () => {
  const changing = EXCHANGES.filter((exchange) =>
    changesOf(toolOf(exchange, {origin: ORIGIN, inputs: inputsOf(exchange), result: LIST})),
  )
  assert.deepEqual(
    changing.map(({method, address}) => `${method} ${new URL(address).pathname}`),
    ['POST /order', 'POST /graphql', 'POST /add', 'POST /lines', 'PUT /renew', 'DELETE /books/1234567'],
  )
})
