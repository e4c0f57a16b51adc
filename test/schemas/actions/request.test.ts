import assert from 'node:assert/strict'
import {test} from 'node:test'
import {describeAction} from '../../../schemas/actions/describe.ts'
import {parseAction} from '../../../schemas/actions/parseAction.ts'
import {failureOf, ORIGIN, pageWith, parameters, requestTool, run, scriptOf} from './support.ts'

const SEARCH = parameters(
  {
    query: {type: 'string'},
    branch: {type: 'string'},
    tags: {type: 'array', items: {type: 'string'}},
    page: {type: 'integer'},
  },
  ['query'],
)

const json =
  (value: unknown, status = 200) =>
  () =>
    Response.json(value, {status})

test('a request sends arguments and fixed values, and leaves out what the agent leaves out', async () => {
  const script = scriptOf(
    requestTool(
      {
        address: '/api/v2/events?sort=date&q={query}',
        query: [
          {name: 'branch', parameter: 'branch'},
          {name: 'tag', parameter: 'tags'},
          {name: 'limit', value: '20'},
        ],
        result: {
          kind: 'list',
          path: 'data.items',
          members: [{path: 'title'}, {name: 'when', path: 'starts.at'}],
          limit: 2,
        },
      },
      SEARCH,
    ),
  )
  const items = [1, 2, 3].map((n) => ({title: `Event ${n}`, starts: {at: `2026-12-0${n}`}, secret: 'x'}))
  const few = await run(script, {query: 'rope & sail'}, json({data: {items}}))
  assert.deepEqual(few.sent, [
    {
      url: `${ORIGIN}/api/v2/events?sort=date&limit=20&q=rope+%26+sail`,
      method: 'GET',
      headers: {Accept: 'application/json'},
      body: undefined,
    },
  ])
  assert.deepEqual(few.result, [
    {title: 'Event 1', when: '2026-12-01'},
    {title: 'Event 2', when: '2026-12-02'},
    '1 more not shown',
  ])
  const all = await run(script, {query: 'x', branch: 'a/b', tags: ['new', 'c d']}, json({data: {items}}))
  assert.equal(
    all.sent[0]?.url,
    `${ORIGIN}/api/v2/events?sort=date&limit=20&q=x&branch=a%2Fb&tag=new&tag=c+d`,
  )
})

test('a parameter in a path stays one part of it', async () => {
  const script = scriptOf(
    requestTool(
      {
        address: 'https://api.example.com/books/{query}/copies',
        result: {kind: 'object', members: [{path: 'title'}]},
      },
      SEARCH,
    ),
  )
  for (const [query, path] of [
    ['a/b?c#d', 'a%2Fb%3Fc%23d'],
    ['..%2F', '..%252F'],
    ['\ud800é', '%EF%BF%BD%C3%A9'],
  ] as const) {
    const {sent} = await run(script, {query}, json({title: 'x'}))
    assert.equal(sent[0]?.url, `https://api.example.com/books/${path}/copies`)
  }
  for (const query of ['', '.', '..'])
    assert.match(await failureOf(script, {query}, json({})), /cannot be a part of an address/)
})

test('a body of JSON has groups, lists, numbers and the texts of GraphQL', async () => {
  const text = `query Search($q: String!) {\n  events(q: $q) { title, \`x\`, \${a} }\n}`
  const script = scriptOf(
    requestTool(
      {
        method: 'POST',
        address: '/graphql',
        body: [
          {name: 'query', value: text},
          {name: 'variables.q', parameter: 'query'},
          {name: 'variables.branch', parameter: 'branch'},
          {name: 'variables.first', value: '10', format: 'json'},
          {name: 'ids[1]', value: 'b'},
          {name: 'ids[0]', value: 'a'},
        ],
        result: {kind: 'list', path: 'data.events.edges', members: [{path: 'node.title'}]},
      },
      SEARCH,
    ),
  )
  const edges = [{node: {title: 'Rope', id: 1}}]
  const {result, sent} = await run(script, {query: "it's"}, json({data: {events: {edges}}}))
  assert.deepEqual(result, [{title: 'Rope'}])
  assert.deepEqual(JSON.parse(sent[0]?.body ?? ''), {
    query: text,
    variables: {q: "it's", first: 10},
    ids: ['a', 'b'],
  })
  assert.deepEqual(sent[0]?.headers, {Accept: 'application/json', 'Content-Type': 'application/json'})
  const broken = json({errors: [{message: 'no'}], data: null})
  assert.equal(
    await failureOf(script, {query: 'x'}, broken),
    'The website says: “no” The website refused the request. Check the arguments.',
  )
})

test('a body of a form is encoded as one', async () => {
  const script = scriptOf(
    requestTool(
      {
        method: 'POST',
        encoding: 'form',
        address: '/renew',
        body: [
          {name: 'action', value: 'renew'},
          {name: 'q', parameter: 'query'},
          {name: 'page', parameter: 'page'},
        ],
        result: {kind: 'message', message: 'The book was renewed.'},
      },
      SEARCH,
    ),
  )
  const {result, sent} = await run(script, {query: 'a&b=c'}, () => new Response(null, {status: 204}))
  assert.equal(result, 'The book was renewed.')
  assert.equal(sent[0]?.body, 'action=renew&q=a%26b%3Dc')
})

const NOTHING = {found: 0, message: 'Nothing was found.'}

const FAILURES: [string, () => Response | Promise<Response>, RegExp][] = [
  [
    'status 404',
    json({error: 'gone'}, 404),
    /^The website says: “gone” The request failed with status 404\. Check the arguments\.$/,
  ],
  ['a refusal', json({error: 'Too short'}), /^The website says: “Too short” The website sent no list, so/],
  ['status 401', json({}, 401), /^The request failed with status 401\. The visitor may have to sign in/],
  ['status 422', json({}, 422), /^The request failed with status 422\. Check the arguments\.$/],
  ['status 429', json({}, 429), /^The request failed with status 429\. Try again later\.$/],
  ['status 503', json({}, 503), /^The request failed with status 503\. Try again later\.$/],
  ['HTML', () => new Response('<html>'), /^The website did not send data \(JSON\)/],
  ['an object', json({items: []}), /^The website sent no list, so/],
  ['null', json(null), /^The website sent no list, so/],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch')), /^The website could not be reached/],
]
for (const [what, respond, message] of FAILURES) {
  test(`a list says what an agent can do about ${what}`, async () => {
    const script = scriptOf(requestTool({address: '/api', query: [{name: 'q', parameter: 'query'}]}, SEARCH))
    assert.match(await failureOf(script, {query: 'rope'}, respond), message)
  })
}

test('to find nothing is a result, and no failure', async () => {
  const list = scriptOf(requestTool({address: '/api', query: [{name: 'q', parameter: 'query'}]}, SEARCH))
  const one = scriptOf(requestTool({address: '/books/{query}', result: {kind: 'object'}}, SEARCH))
  const found = async (script: string, respond: () => Response) =>
    (await run(script, {query: 'rope'}, respond)).result
  const nothing = {found: 0, message: 'Nothing was found for “rope”.'}
  assert.deepEqual(await found(list, json([])), nothing)
  assert.deepEqual(await found(list, () => new Response(null, {status: 204})), nothing)
  assert.deepEqual(await found(one, json(null)), nothing)
  assert.deepEqual(await found(one, json({error: 'gone'}, 404)), {
    found: 0,
    message: 'The website says: “gone” Nothing was found for “rope”.',
  })
})

const THANKS = () => page('https://library.example/thanks', '<h1>Thank you</h1>')
const SIGN_IN = () =>
  page('https://library.example/login', '<form><input name=a><input type="password"></form>')
const page = (url: string, text: string) => {
  const response = new Response(text, {headers: {'content-type': 'text/html; charset=utf-8'}})
  return Object.defineProperties(response, {redirected: {value: true}, url: {value: url}})
}
const cut = () => Promise.reject(new TypeError('Failed to fetch'))
const LOOK = 'It may have happened: look at the page before you call this again.'
const NOT_FOUND = {message: 'Your basket has expired'}

/** What an agent reads of a request that may have changed something; a text that begins with an exclamation mark is an error. */
const CHANGES: [
  came: string,
  respond: () => Response | Promise<Response>,
  reads: string,
  message?: string,
][] = [
  ['204', () => new Response(null, {status: 204}), 'Done. The website sent nothing back.', 'Renewed.'],
  ['an empty list', json([]), 'Done. The website sent nothing back.', 'Renewed.'],
  ['an empty answer', () => new Response(''), 'Done. The website sent nothing back.', 'Renewed.'],
  [
    'a page of thanks',
    THANKS,
    `!The website led to the page “/thanks”. ${LOOK}`,
    'Renewed. The website led to the page “/thanks”.',
  ],
  [
    'the sign-in page',
    SIGN_IN,
    `!The website led to its sign-in page: the visitor may have to sign in. ${LOOK}`,
  ],
  ['a cut connection', cut, `!The website could not be reached, or the connection broke. ${LOOK}`],
  [
    '404',
    json(NOT_FOUND, 404),
    '!The website says: “Your basket has expired” The request failed with status 404. Check the arguments.',
  ],
  [
    '409',
    json({detail: 'Seat 4 is taken'}, 409),
    '!The website says: “Seat 4 is taken” The request failed with status 409. Check the arguments.',
  ],
  ['429', json({}, 429), '!The request failed with status 429. Try again later.'],
  ['500', json({}, 500), `!The request failed with status 500. ${LOOK}`],
  [
    '503 with a sentence',
    json({message: 'Closed'}, 503),
    `!The website says: “Closed” The request failed with status 503. ${LOOK}`,
  ],
  [
    'a refusal with status 200',
    json({success: false, message: 'Sold out'}),
    '!The website says: “Sold out” The website refused the request. Check the arguments.',
    'Renewed.',
  ],
]
for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
  for (const [came, respond, reads, message] of CHANGES)
    test(`an agent that sends ${method} and gets ${came} does not believe that nothing happened`, async () => {
      const results = [
        {kind: 'list'},
        {kind: 'object', path: 'order'},
        {kind: 'message', message: 'Renewed.'},
      ]
      for (const result of results) {
        const script = scriptOf(requestTool({method, address: '/api', result}))
        const read = await run(script, {}, respond).then(
          ({result}) => result,
          (error: unknown) => `!${error instanceof Error ? error.message : ''}`,
        )
        const expected = result.kind === 'message' ? (message ?? reads) : reads
        // An empty list is one thing, too.
        if (came !== 'an empty list' || result.kind !== 'object') assert.equal(read, expected, result.kind)
      }
    })

test('a query of GraphQL only reads, whatever is in its texts', async () => {
  const graphql = (value: string) =>
    scriptOf(
      requestTool({
        method: 'POST',
        address: '/graphql',
        body: [{name: 'query', value}],
        result: {kind: 'list', path: 'data.all'},
      }),
    )
  const empty = json({data: {all: []}})
  for (const query of [
    '{ all { id } }',
    'query A { all(text: "} mutation") { id } }',
    '# mutation\nquery { all { id } }',
  ])
    assert.deepEqual((await run(graphql(query), {}, empty)).result, NOTHING)
  for (const query of ['mutation { add { id } }', 'query A { all { id } } mutation B { add { id } }'])
    assert.match(String((await run(graphql(query), {}, empty)).result), /^Done\./)
})

const TEXT = 'The date is in the past.'
const ERRORS: [what: string, body: unknown, field?: string][] = [
  ['a message', {message: TEXT, stack: 'x'}],
  ['an error with a message', {error: {code: 'DATE', message: TEXT}}],
  ['an error', {error: TEXT}],
  ['an error of OAuth', {error: 'invalid_request', error_description: TEXT}],
  ['problem details', {type: 'about:blank', title: 'Unprocessable', detail: TEXT, status: 422}],
  ['the title of problem details', {type: 'about:blank', title: TEXT}],
  ['JSON:API', {errors: [{status: '422', title: 'Invalid', detail: TEXT}]}],
  ['a list of texts', {errors: [TEXT, 'x']}],
  [
    'texts by fields (Laravel 12, Rails 8, ASP.NET Core 9)',
    {message: 'Invalid.', errors: {date: [TEXT, 'x']}},
    'date: ',
  ],
  ['texts by fields alone (Django REST framework 3.16)', {date: [TEXT], nights: ['x']}, 'date: '],
  ['a list in a message (NestJS 12)', {statusCode: 400, message: [TEXT, 'x'], error: 'Bad Request'}],
  [
    'a list in detail (FastAPI 0.121)',
    {detail: [{type: 'x', loc: ['body', 'date'], msg: TEXT}]},
    'body.date: ',
  ],
  ['a list of fields (express-validator 7)', {errors: [{type: 'field', msg: TEXT, path: 'date'}]}, 'date: '],
  ['a description (Shopify, /cart/add.js)', {status: 422, message: 'Cart Error', description: TEXT}],
  ['a text with line breaks', {message: ` The date is\n\u200bin\u0000\tthe\u2028past. `}],
]
for (const [what, body, field = ''] of ERRORS) {
  test(`what a website says in ${what} is told to the agent, if it refuses the request`, async () => {
    const script = scriptOf(requestTool({address: '/api'}))
    assert.equal(
      await failureOf(script, {}, json(body, 422)),
      `The website says: “${field}${TEXT}” The request failed with status 422. Check the arguments.`,
    )
    assert.equal(
      await failureOf(script, {}, json(body, 500)),
      `The website says: “${field}${TEXT}” The request failed with status 500. Try again later.`,
    )
  })
}

test('the text of an error is short, or at another place if the editor says so', async () => {
  const usual = scriptOf(requestTool({address: '/api'}))
  const long = await failureOf(usual, {}, json({message: '😀'.repeat(1_000_000)}, 400))
  assert.ok(long.length < 280 && long.isWellFormed(), long)
  for (const body of [
    null,
    [],
    'x',
    {errors: null, message: 7},
    {errors: {a: []}},
    {errors: [null], error: {}},
  ])
    assert.equal(
      await failureOf(usual, {}, json(body, 403)),
      'The request failed with status 403. The visitor may have to sign in to the website first.',
    )
  const own = scriptOf(requestTool({address: '/api', error: 'fault[0].reason'}))
  const body = {message: 'Internal.', fault: [{reason: TEXT}]}
  assert.match(
    await failureOf(own, {}, json(body, 409)),
    /says: “The date is in the past\.” The request failed/,
  )
  assert.equal(
    await failureOf(own, {}, json({message: 'Internal.'}, 409)),
    'The request failed with status 409. Check the arguments.',
  )
})

test('what an agent reads if there is nothing may be a text of the editor', async () => {
  const script = scriptOf(
    requestTool({address: '/api', nothing: 'No event at {branch} has “{query}”.'}, SEARCH),
  )
  const {result} = await run(script, {query: `\`\${1}`}, json([]))
  assert.deepEqual(result, {found: 0, message: `No event at  has “\`\${1}”.`})
})

test('a list may be of texts, and members may be of lists in the answer', async () => {
  const texts = scriptOf(requestTool({address: '/api', result: {kind: 'list', limit: 2}}))
  assert.deepEqual((await run(texts, {}, json(['a', 'b', 'c']))).result, ['a', 'b', '1 more not shown'])
  const names = scriptOf(
    requestTool({
      address: '/api',
      result: {
        kind: 'list',
        members: [{name: 'by', path: 'authors[].name'}, {path: 'first[0]'}, {name: 'x-y', path: '["a.b"]'}],
      },
    }),
  )
  const books = [{authors: [{name: 'Ada'}, {}], first: ['f'], 'a.b': 1}, null, {authors: {name: 'Bo'}}]
  assert.deepEqual(JSON.parse(JSON.stringify((await run(names, {}, json(books))).result)), [
    {by: ['Ada', null], first: 'f', 'x-y': 1},
    {by: []},
    {by: ['Bo']},
  ])
})

test('one thing, and a text', async () => {
  const one = scriptOf(
    requestTool({address: '/api', result: {kind: 'object', path: 'book', members: [{path: 'title'}]}}),
  )
  assert.deepEqual((await run(one, {}, json({book: {title: 'Sails', price: 3}}))).result, {title: 'Sails'})
  assert.deepEqual((await run(one, {}, json({book: null}))).result, NOTHING)
  const text = scriptOf(requestTool({address: '/hours.txt', result: {kind: 'text'}}))
  assert.equal((await run(text, {}, () => new Response(' Mon 9–17\n'))).result, 'Mon 9–17')
  assert.deepEqual((await run(text, {}, () => new Response(' '))).result, NOTHING)
  const long = await run(text, {}, () => new Response('x'.repeat(2_000_000)))
  assert.equal(String(long.result).slice(4_999), 'x… (the first 5000 of 2000000 characters)')
})

test('a name that is its own code is sent as a name', async () => {
  const constants = [true, false, null, 5].map((value) => ({
    name: String(value),
    value: String(value),
    format: 'json',
  }))
  const sent = {name: 'args.query', parameter: 'query'}
  const members = ['title', 'true', 'class', 'item'].map((path) => ({name: `item?.${path}`, path}))
  const script = scriptOf(
    requestTool(
      {
        method: 'POST',
        address: '/api',
        body: [...constants, {...sent, name: '["args.query"]'}],
        result: {kind: 'list', members},
      },
      SEARCH,
    ),
  )
  const {result, sent: requests} = await run(script, {query: 'rope'}, json([{title: 'Rope', class: 1}]))
  const body = {true: true, false: false, null: null, 5: 5, 'args.query': 'rope'}
  assert.deepEqual(JSON.parse(requests[0]?.body ?? ''), body)
  assert.deepEqual(JSON.parse(JSON.stringify(result)), [{'item?.title': 'Rope', 'item?.class': 1}])
})

test('what stands on the page is sent at the moment of the call, to its own website only', async () => {
  const tool = requestTool({
    method: 'POST',
    address: '/loans',
    headers: [
      {name: 'X-CSRF-Token', selector: 'meta[name=csrf-token]', attribute: 'content'},
      {name: 'X-XSRF-TOKEN', cookie: 'XSRF-TOKEN'},
      {name: 'X-Requested-With', value: 'XMLHttpRequest'},
    ],
    query: [{name: 'form_key', cookie: 'form_key'}],
    encoding: 'form',
    body: [
      {name: 'csrfmiddlewaretoken', selector: 'input[name=csrfmiddlewaretoken]'},
      {name: 'book', value: 'b1'},
    ],
    result: {kind: 'message'},
  })
  const script = scriptOf(tool)
  const action = parseAction(tool, undefined)
  assert.deepEqual(
    (action ? describeAction(action) : []).slice(1, 3).map(({text}) => text),
    [
      'X-CSRF-Token = content of “meta[name=csrf-token]” of the page, X-XSRF-TOKEN = the cookie “XSRF-TOKEN” of the page, X-Requested-With = "XMLHttpRequest"',
      'form_key = the cookie “form_key” of the page',
    ],
  )
  const page = {'meta[name=csrf-token]': 'META', 'input[name=csrfmiddlewaretoken]': 'FIELD'}
  const cookies = 'other=XSRF-TOKEN; XSRF-TOKEN=a%3D%3D; form_key=50%'
  const call = (document: ReturnType<typeof pageWith>) =>
    run(script, {}, () => new Response(), new AbortController().signal, document)
  const {sent} = await call(pageWith(page, cookies))
  assert.deepEqual(sent, [
    {
      url: `${ORIGIN}/loans?form_key=50%25`,
      method: 'POST',
      headers: {'X-CSRF-Token': 'META', 'X-XSRF-TOKEN': 'a==', 'X-Requested-With': 'XMLHttpRequest'},
      body: 'book=b1&csrfmiddlewaretoken=FIELD',
      mode: 'same-origin',
    },
  ])
  await assert.rejects(call(pageWith({}, cookies)), {
    message: /^The page has no “(?:meta|input)\[name=[\w-]+\]”\. Open another page/,
  })
  await assert.rejects(call(pageWith(page)), {message: /^The page has no cookie “form_key”\./})
})

test('texts that hold JSON or a query are put together of rows', async () => {
  const script = scriptOf(
    requestTool(
      {
        method: 'POST',
        address: '/graphql',
        query: [
          {name: 'variables', inside: 'json', member: 'filter.words', parameter: 'query'},
          {name: 'operationName', value: 'Search'},
          {name: 'variables', inside: 'json', member: 'filter.branch', parameter: 'branch'},
          {name: 'variables', inside: 'json', member: 'first', value: '10', format: 'json'},
        ],
        body: [
          {name: 'requests[0].indexName', value: 'books'},
          {name: 'requests[0].params', inside: 'query', member: 'query', parameter: 'query'},
          {name: 'requests[0].params', inside: 'query', member: 'page', parameter: 'page'},
          {name: 'requests[0].params', inside: 'query', member: 'tag', parameter: 'tags'},
          {name: 'requests[0].params', inside: 'query', member: 'facets', value: '["a"]', format: 'json'},
        ],
        result: {kind: 'message'},
      },
      SEARCH,
    ),
  )
  const {sent} = await run(script, {query: 'a & "b"', tags: ['x', 'y']}, json({}))
  const {searchParams} = new URL(sent[0]?.url ?? '')
  assert.equal(searchParams.get('variables'), '{"filter":{"words":"a & \\"b\\""},"first":10}')
  assert.equal(searchParams.get('operationName'), 'Search')
  const [{params, indexName}] = JSON.parse(sent[0]?.body ?? '').requests
  assert.equal(indexName, 'books')
  assert.deepEqual(
    [...new URLSearchParams(params)].map((pair) => pair.join('=')),
    ['query=a & "b"', 'tag=x', 'tag=y', 'facets=["a"]'],
  )
})

test('identifiers that JavaScript would round keep their digits', async () => {
  const answer =
    '{"id":653247040368672768,"old":-653247040368672769,"price":1.5e300,"qty":2,"note":"653247040368672768"}'
  for (const method of ['GET', 'POST']) {
    const script = scriptOf(requestTool({method, address: '/api', result: {kind: 'object'}}))
    const {result} = await run(script, {}, () => new Response(answer))
    assert.deepEqual(result, {
      id: '653247040368672768',
      old: '-653247040368672769',
      price: 1.5e300,
      qty: 2,
      note: '653247040368672768',
    })
  }
})

test('a call that the agent cancels ends the request', async () => {
  const controller = new AbortController()
  const script = scriptOf(requestTool({address: '/api'}))
  controller.abort()
  assert.match(await failureOf(script, {}, json([]), controller.signal), /aborted/)
})

test('the script of a request is one that a developer would write', () => {
  const script = scriptOf(
    requestTool({address: '/api/events', query: [{name: 'q', parameter: 'query'}]}, SEARCH),
  )
  assert.equal(
    script,
    `const address = new URL('/api/events', self.origin)
address.searchParams.append('q', args.query)

const timeout = AbortSignal.timeout(20_000)
const fail = (problem) => {
  signal.throwIfAborted()
  throw new Error(timeout.aborted ? 'The website did not reply within 20 seconds. Try again later.' : problem)
}
const response = await fetch(address, {
  headers: {Accept: 'application/json'},
  signal: AbortSignal.any([signal, timeout]),
}).catch(() => fail('The website could not be reached. Try again later.'))

const saidIn = (body) => {
  // The first problem of a list, or of an object with lists, and the field that it is about.
  const listed = [body?.detail, body?.message].filter(Array.isArray)
  const problems = [body?.errors, ...listed, Object.values(body ?? {}).every(Array.isArray) && body]
    .find((one) => one && typeof one === 'object') ?? {}
  const [key, error] = Object.entries(problems).flatMap(([key, one]) => [one].flat().map((each) => [key, each]))[0] ?? []
  const name = error?.msg ? [error.loc ?? error.path ?? []].flat().join('.') : Array.isArray(problems[key]) && key
  const field = name ? name + ': ' : ''
  const said = [error?.detail, error?.msg, error?.message, error?.title, error, body?.errors, body?.error?.message,
    body?.detail, body?.description, body?.message, body?.error_description, body?.error, body?.title]
    .find((text) => typeof text === 'string' && text !== '')
  const text = typeof said === 'string' && said ? (field + said).slice(0, 200).replace(/[\\s\\p{C}]+/gu, ' ').trim() : ''
  return text && \`The website says: “\${text}” \`
}
if (!response.ok) {
  const {status} = response
  const said = saidIn(await response.json().catch(() => undefined))
  let advice = 'Check the arguments.'
  if (status === 401 || status === 403) advice = 'The visitor may have to sign in to the website first.'
  if (status === 429 || status >= 500) advice = 'Try again later.'
  throw new Error(\`\${said}The request failed with status \${status}. \${advice}\`)
}
if (response.status === 204) return {found: 0, message: \`Nothing was found for “\${args.query}”.\`}
// A number that JavaScript would round, such as a long identifier, becomes a text.
const exact = (key, value, {source} = {}) =>
  !Number.isSafeInteger(value) && /^-?\\d+$/.test(source) ? source : value
const answer = await response.text().then((text) => JSON.parse(text, exact)).catch(() => fail('The website did not send data (JSON). The visitor may have to sign in first, or this tool has to be changed.'))
const items = answer
if (!Array.isArray(items)) {
  throw new Error(saidIn(answer) + 'The website sent no list, so this tool does not work until it is changed. Tell the visitor.')
}
if (items.length === 0) return {found: 0, message: \`Nothing was found for “\${args.query}”.\`}
const cut = (list, limit) => {
  const more = list.length - limit
  return more > 0 ? [...list.slice(0, limit), \`\${more} more not shown\`] : list
}
return cut(items.map((item) => ({title: item?.title})), 10)
`,
  )
})
