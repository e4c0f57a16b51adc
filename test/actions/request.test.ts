import assert from 'node:assert/strict'
import {test} from 'node:test'
import {plannedAction} from '../../actions/compile.ts'
import {adviseDocument} from '../../advice/tool.ts'
import {describeAction} from '../../schemas/actions/describe.ts'
import {parseAction} from '../../schemas/actions/parseAction.ts'
import {changesSomething} from '../../schemas/rules/hints/effects.ts'
import {
  failureOf,
  json,
  NOTHING,
  ORIGIN,
  pageWith,
  readableScript,
  requestTool,
  run,
  SEARCH,
  scriptOf,
} from './support.ts'

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
    'The website says: “no”. The website refused the request. Check the arguments.',
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

test('what an agent reads if there is nothing may be a text of the editor', async () => {
  const script = scriptOf(
    requestTool({address: '/api', nothing: 'No event at {branch} has “{query}”.'}, SEARCH),
  )
  const {result} = await run(script, {query: `\`\${1}`}, json([]))
  assert.deepEqual(result, {found: 0, message: 'Nothing was found.'})
  const whole = await run(script, {query: `\`\${1}`, branch: 'the quay'}, json([]))
  assert.deepEqual(whole.result, {found: 0, message: `No event at the quay has “\`\${1}”.`})
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

test('lists that are columns are rows, as a review says', async () => {
  const members = [{path: 'hour[]'}, {name: 'metres', path: 'height[]'}]
  const tool = requestTool({address: '/tides', result: {kind: 'list', path: 'level', members, limit: 2}})
  const level = {hour: [7, 8, 9], height: [1.2, 1.5]}
  assert.deepEqual((await run(scriptOf(tool), {}, json({level}))).result, [
    {hour: 7, metres: 1.2},
    {hour: 8, metres: 1.5},
    '1 more not shown',
  ])
  for (const empty of [{}, {level: {hour: [], height: []}}])
    assert.deepEqual((await run(scriptOf(tool), {}, json(empty))).result, NOTHING)
  const action = parseAction(tool, undefined)
  const returns = action && describeAction(action).find(({title}) => title === 'Returns')?.text
  assert.equal(returns, 'hour from hour[], metres from height[] (of rows of the columns in level, at most 2)')
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
    message: /^The page has no “(?:meta|input)\[name=[\w-]+\]”\. Try another page/,
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

test('an identifier that JavaScript would round is sent with the digits that the agent read', async () => {
  const body = [{name: 'variables.id', parameter: 'query'}]
  const script = scriptOf(requestTool({method: 'POST', address: '/api', body}, SEARCH))
  const {sent} = await run(script, {query: '653247040368672769'}, json([]))
  assert.equal(sent[0]?.body, '{"variables":{"id":"653247040368672769"}}')
})

test('a call that the agent cancels ends the request', async () => {
  const controller = new AbortController()
  const script = scriptOf(requestTool({address: '/api'}))
  controller.abort()
  assert.match(await failureOf(script, {}, json([]), controller.signal), /aborted/)
  // Also while the text of an error comes.
  const late = new AbortController()
  const pull = (stream: ReadableStreamDefaultController) => {
    late.abort()
    stream.error(new TypeError('cut'))
  }
  const respond = () => new Response(new ReadableStream({pull}, {highWaterMark: 0}), {status: 500})
  assert.match(await failureOf(script, {}, respond, late.signal), /aborted/)
})

test('a tool that was turned into a script has the same hints, and no advice about it', () => {
  const words = [{name: 'query', parameter: 'query'}]
  for (const request of [
    {method: 'GET', address: '/api/{query}'},
    {method: 'POST', address: '/api/{query}', body: words},
    {method: 'POST', address: '/cart', query: words},
    {method: 'DELETE', address: '/items/{query}?force={query}'},
    {method: 'PUT', address: '/api', body: [{name: 'query', value: '{ all { id } }'}]},
    ...[
      'query A { all { id } }',
      '{ all { id } }',
      'query($q: ID) { all { mutation } }',
      'mutation { add }',
    ].map((value) => ({
      method: 'POST',
      address: '/api',
      body: [{name: 'query', value}],
    })),
  ]) {
    const tool = requestTool(request, SEARCH)
    const planned = plannedAction(tool)
    assert.ok(planned)
    const script = {...tool, action: 'script', request: undefined, executeJs: readableScript(planned)}
    assert.equal(changesSomething(script), changesSomething(tool))
    assert.deepEqual(
      // The action did not send all parameters either.
      adviseDocument('tool', script).filter(
        ({field, code}) => field === 'executeJs' && code !== 'PARAMETER_UNREAD',
      ),
      [],
    )
  }
})

test('a script that was an action has data as people write it, and sends what they add', async () => {
  const planned = plannedAction(requestTool({address: '/api?q={query}'}, SEARCH))
  assert.ok(planned)
  const script = readableScript(planned)
  assert.match(script, /^const action = \{\n {2}address: "\/api",\n {2}query: \[\n {4}\["q", "query"\]\n/)
  const own = script.replace('["q", "query"]', '["q", "query"], ["lang", {fixed: "en"}]')
  const {sent} = await run(own, {query: 'rope'}, json([]))
  assert.equal(sent[0]?.url, `${ORIGIN}/api?q=rope&lang=en`)
})
