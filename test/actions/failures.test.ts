import assert from 'node:assert/strict'
import {test} from 'node:test'
import {failureOf, json, NOTHING, ORIGIN, outcomeOf, requestTool, run, SEARCH, scriptOf} from './support.ts'

const FAILURES: [string, () => Response | Promise<Response>, RegExp][] = [
  [
    'status 404',
    json({error: 'gone'}, 404),
    /^The website says: “gone”. The request failed with status 404\. Check the arguments\.$/,
  ],
  [
    'a refusal',
    json({error: 'Too short'}),
    /^The website says: “Too short”. The website refused the request\. Check the arguments\.$/,
  ],
  [
    'a refusal with an empty list',
    json({success: false, items: [], data: {message: 'Please sign in'}}),
    /^The website says: “Please sign in”. The website sent nothing that this tool reads\./,
  ],
  ['status 401', json({}, 401), /^The request failed with status 401\. The visitor may have to sign in/],
  ['status 422', json({}, 422), /^The request failed with status 422\. Check the arguments\.$/],
  ['status 429', json({}, 429), /^The request failed with status 429\. Try again later\.$/],
  ['status 503', json({}, 503), /^The request failed with status 503\. Try again later\.$/],
  [
    'HTML',
    () => new Response('<html>'),
    /^The website sent nothing that this tool reads\. The visitor may have to sign in/,
  ],
  ['an object', json({items: []}), /^The website sent nothing that this tool reads\./],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch')), /^The website could not be reached/],
]
for (const [what, respond, message] of FAILURES) {
  test(`a list says what an agent can do about ${what}`, async () => {
    const script = scriptOf(requestTool({address: '/api', query: [{name: 'q', parameter: 'query'}]}, SEARCH))
    assert.match(await failureOf(script, {query: 'rope'}, respond), message)
  })
}

const LARGE: Readonly<Record<string, string>> = {
  'many bytes': 'x'.repeat(6_000_000),
  'many elements': '<b>x</b>'.repeat(200_000),
  'many elements within each other': '<div>'.repeat(100_000),
  'elements that are open in each one that follows': `<p>${'<b id=1>'.repeat(100)}</p>${'<p>x</p>'.repeat(8_000)}`,
  'many attributes of one element': `<p x=">" ${Array.from({length: 300_000}, (_, at) => `a${at}`).join(' ')}>`,
  'elements around tables, with ends within them': '<div><table><td></div></td></table>'.repeat(20_000),
}
const PARTS = [{name: 'title', kind: 'text', selector: 'h1'}]
for (const [what, body] of Object.entries(LARGE)) {
  test(`a page with ${what} is not read`, async () => {
    const script = scriptOf(requestTool({address: '/page', result: {kind: 'parts', parts: PARTS}}))
    const respond = () => page('https://library.example/page', body)
    assert.match(await failureOf(script, {}, respond), /^The website sent nothing that this tool reads\./)
  })
}

test('a page that names an unknown encoding is decoded', async () => {
  const script = scriptOf(requestTool({address: '/page', result: {kind: 'parts', parts: PARTS}}))
  const headers = {'content-type': 'text/html; charset=none'}
  const respond = () => new Response('<div>'.repeat(100_000), {headers})
  assert.match(await failureOf(script, {}, respond), /^The website sent nothing that this tool reads\./)
})

test('JSON that is too long is not read, and in an error it says nothing', async () => {
  const long = {detail: 'x'.repeat(6_000_000)}
  const script = scriptOf(requestTool({address: '/api'}))
  assert.match(await failureOf(script, {}, json(long)), /^The website sent nothing that this tool reads\./)
  assert.match(await failureOf(script, {}, json(long, 422)), /^The request failed with status 422/)
  const type = {'content-type': 'application/json'}
  const deep = (status: number) => () =>
    new Response(`${'{"errors":'.repeat(99_999)}1${'}'.repeat(99_999)}`, {status, headers: type})
  assert.match(await failureOf(script, {}, deep(422)), /^The request failed with status 422/)
  assert.match(await failureOf(script, {}, deep(200)), /^The website refused the request/)
})

test('to find nothing is a result, and no failure', async () => {
  const list = scriptOf(requestTool({address: '/api', query: [{name: 'q', parameter: 'query'}]}, SEARCH))
  const one = scriptOf(requestTool({address: '/books/{query}', result: {kind: 'object'}}, SEARCH))
  const found = async (script: string, respond: () => Response) =>
    (await run(script, {query: 'rope'}, respond)).result
  const nothing = {found: 0, message: 'Nothing was found for “rope”.'}
  assert.deepEqual(await found(list, json([])), nothing)
  assert.deepEqual(await found(list, () => new Response(null, {status: 204})), nothing)
  assert.deepEqual(await found(one, json(null)), nothing)
  // A list that is absent is empty.
  assert.deepEqual(await found(list, json(null)), nothing)
  const inner = scriptOf(
    requestTool(
      {
        address: '/api',
        query: [{name: 'q', parameter: 'query'}],
        result: {kind: 'list', path: 'data.items[].tags'},
      },
      SEARCH,
    ),
  )
  for (const body of [{}, {data: null}, {data: {total: 0}}, {data: {items: []}}])
    assert.deepEqual(await found(inner, json(body)), nothing)
  const whole = scriptOf(
    requestTool(
      {address: '/api', query: [{name: 'q', parameter: 'query'}], result: {kind: 'object'}},
      SEARCH,
    ),
  )
  // One thing is returned as it is: what is empty in it may be what was asked. Charts count it as nothing.
  for (const thing of [{products: [], total: 0}, {found: 0, suggestions: ['Moby-Dick']}, {errors: []}])
    assert.deepEqual(await found(whole, json(thing)), thing)
  assert.deepEqual(await found(one, json({error: 'gone'}, 404)), {
    found: 0,
    message: 'The website says: “gone”. Nothing was found for “rope”.',
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
  [
    '204',
    () => new Response(null, {status: 204}),
    'Done. The website sent nothing that this tool reads.',
    'Renewed.',
  ],
  ['an empty list', json([]), 'Done. The website sent nothing that this tool reads.', 'Renewed.'],
  [
    'an empty answer',
    () => new Response(''),
    'Done. The website sent nothing that this tool reads.',
    'Renewed.',
  ],
  [
    'a page of thanks',
    THANKS,
    `!The website led to the page “/thanks”. ${LOOK}`,
    'Renewed. The website led to the page “/thanks”.',
  ],
  [
    'the sign-in page',
    SIGN_IN,
    `!The website led to a page to sign in. The visitor may have to sign in first. ${LOOK}`,
  ],
  [
    'a page with the address of a sign-in page',
    () => page('https://library.example/account/sign-in?next=/', '<h1>Choose how</h1>'),
    `!The website led to a page to sign in. The visitor may have to sign in first. ${LOOK}`,
  ],
  ['a cut connection', cut, `!The website could not be reached, or its answer not read. ${LOOK}`],
  [
    '404',
    json(NOT_FOUND, 404),
    '!The website says: “Your basket has expired”. The request failed with status 404. Check the arguments.',
  ],
  [
    '409',
    json({detail: 'Seat 4 is taken'}, 409),
    '!The website says: “Seat 4 is taken”. The request failed with status 409. Check the arguments.',
  ],
  ['429', json({}, 429), '!The request failed with status 429. Try again later.'],
  ['500', json({}, 500), `!The request failed with status 500. ${LOOK}`],
  [
    '503 with a sentence',
    json({message: 'Closed'}, 503),
    `!The website says: “Closed”. The request failed with status 503. ${LOOK}`,
  ],
  [
    'a refusal by fields with status 200',
    json({errors: {count: ['Too many']}}),
    '!The website says: “count: Too many”. The website refused the request. Check the arguments.',
  ],
  [
    'a refusal with status 200',
    json({success: false, message: 'Sold out'}),
    '!The website says: “Sold out”. The website refused the request. Check the arguments.',
  ],
  ...[
    {status: 'error', message: 'Sold out'},
    {status: 'validation_failed', message: 'Sold out'},
    {result: 'error', msg: 'Sold out'},
    {Success: 'false', Message: 'Sold out'},
    {isSuccess: 0, message: 'Sold out'},
    {ok: false, data: 'Sold out'},
    {valid: false, message: 'Sold out'},
    {code: 400, message: 'Sold out'},
    {status: false, message: 'Sold out'},
    {result: false, message: 'Sold out'},
    {error: true, message: 'Sold out'},
    {error: 1, message: 'Sold out'},
    {data: {success: false, message: 'Sold out'}},
  ].map((body, at): (typeof CHANGES)[number] => {
    const type = ['text/plain', 'text/javascript', 'text/html', ''][at] ?? 'application/json'
    return [
      `the refusal ${JSON.stringify(body)} as “${type}”`,
      () => new Response(new TextEncoder().encode(JSON.stringify(body)), {headers: {'content-type': type}}),
      '!The website says: “Sold out”. The website refused the request. Check the arguments.',
    ]
  }),
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

/** A result of each kind, and what else than it may come. */
const UNREAD: [result: object, ...responds: (() => Response)[]][] = [
  [{kind: 'list'}, SIGN_IN, THANKS, () => new Response('<p>'), json('Sold out'), json({msg: 'no stock'})],
  [{kind: 'list', path: 'items'}, json({items: 'x'}), json({items: {}})],
  [{kind: 'object'}, SIGN_IN, THANKS, () => new Response('<p>')],
  [{kind: 'text'}, SIGN_IN, THANKS],
  [{kind: 'message', message: 'Renewed.'}, SIGN_IN, () => notLed('<form><input type=password></form>')],
  [{kind: 'parts', parts: PARTS}, SIGN_IN, json({id: 1})],
]
for (const [result, ...responds] of UNREAD)
  test(`an agent reads that a change may have happened, if a tool of ${Object(result).kind} got something else`, async () => {
    for (const respond of responds) {
      const [changes, reads] = ['POST', 'GET'].map((method) => {
        const script = scriptOf(requestTool({method, address: '/api', result}))
        return outcomeOf(async () => (await run(script, {}, respond)).result)
      })
      assert.match(
        (await changes) ?? '',
        /^!.*It may have happened: look at the page before you call this again\.$/,
      )
      assert.doesNotMatch((await reads) ?? '', /It may have happened/)
    }
  })

test('an answer that has a place for errors, and none there, is no refusal', async () => {
  for (const error of [[], {}, {code: 0, message: 'OK'}, null, '', 0, false])
    for (const method of ['POST', 'GET'])
      for (const body of [
        {success: true, error, id: 5},
        {items: [], errors: error, error},
      ]) {
        const result =
          'id' in body ? {kind: 'object', members: [{path: 'id'}]} : {kind: 'list', path: 'items'}
        const script = scriptOf(requestTool({method, address: '/api', result}))
        const nothing = method === 'GET' ? NOTHING : 'Done. The website sent nothing that this tool reads.'
        assert.deepEqual((await run(script, {}, json(body))).result, 'id' in body ? {id: 5} : nothing)
      }
})

test('a text at the place of errors that the editor named is a refusal of a change', async () => {
  const refused = {data: {add: {userErrors: [{message: 'Sold out'}]}}}
  for (const result of [
    {kind: 'message'},
    {kind: 'object'},
    {kind: 'object', members: [{path: 'data.add'}]},
  ]) {
    const error = 'data.add.userErrors[0].message'
    const script = scriptOf(requestTool({method: 'POST', address: '/graphql', error, result}))
    assert.equal(
      await failureOf(script, {}, json(refused)),
      'The website says: “Sold out”. The website refused the request. Check the arguments.',
    )
    assert.ok((await run(script, {}, json({data: {add: {userErrors: []}}}))).result)
  }
  // Other places also have words of what is done.
  const script = scriptOf(
    requestTool({method: 'POST', address: '/api', error: 'message', result: {kind: 'message'}}),
  )
  assert.equal((await run(script, {}, json({message: 'Added to the basket'}))).result, 'Done.')
})

test('a change is done if what the tool reads is there and empty', async () => {
  const one = {kind: 'object'}
  const items = {kind: 'object', members: [{path: 'items'}]}
  for (const [result, body] of [
    [one, {}],
    [one, []],
    [one, {errors: []}],
    [one, {items: [], next: null}],
    [{...one, path: 'order'}, {order: {}}],
    [items, {items: [], ok: true}],
  ])
    for (const method of ['POST', 'DELETE'])
      assert.equal(
        (await run(scriptOf(requestTool({method, address: '/api', result})), {}, json(body))).result,
        'Done. The website sent nothing that this tool reads.',
      )
})

test('the text of an answer that says no to a change is a refusal', async () => {
  const text = (method: string) => scriptOf(requestTool({method, address: '/api', result: {kind: 'text'}}))
  const no = {success: false, message: 'Sold out'}
  assert.equal(
    await failureOf(text('POST'), {}, json(no)),
    'The website says: “Sold out”. The website refused the request. Check the arguments.',
  )
  for (const [method, body] of [
    ['GET', no],
    ['GET', {error: 'Sold out'}],
    ['POST', {success: true, error: []}],
  ] as const)
    assert.equal((await run(text(method), {}, json(body))).result, JSON.stringify(body))
  assert.equal((await run(text('POST'), {}, () => new Response('Added'))).result, 'Added')
})

test('a search by POST that a person marked as one finds nothing, and changes nothing', async () => {
  const result = {kind: 'list', path: 'items'}
  const search = {
    ...requestTool({method: 'POST', address: '/search', nothing: 'No boats.', result}),
    annotations: {readOnlyHint: 'true'},
  }
  assert.deepEqual((await run(scriptOf(search), {}, json({items: [], total: 0}))).result, {
    found: 0,
    message: 'No boats.',
  })
  assert.equal(
    await failureOf(scriptOf(search), {}, json({}, 500)),
    'The request failed with status 500. Try again later.',
  )
})

test('an agent reads what a website sent in place of what a change returns', async () => {
  const returned: [result: object, body: unknown, words: string][] = [
    [{kind: 'list', path: 'items'}, {message: 'Card declined'}, 'Card declined'],
    [{kind: 'list', path: 'items'}, 'Sold out', 'Sold out'],
    [{kind: 'object', path: 'order'}, {order: null, message: 'Card declined'}, 'Card declined'],
    [{kind: 'object', members: [{path: 'id'}]}, {message: 'Card declined'}, 'Card declined'],
    [{kind: 'object', path: 'order'}, [[1]], ''],
  ]
  for (const [result, body, words] of returned)
    assert.equal(
      await failureOf(scriptOf(requestTool({method: 'POST', address: '/api', result})), {}, json(body)),
      `${words && `The website says: “${words}”. `}The website sent nothing that this tool reads. The visitor may have to sign in first. ${LOOK}`,
    )
  for (const result of [
    {kind: 'object', path: 'order'},
    {kind: 'object', members: [{path: 'id'}]},
    {kind: 'list', path: 'items'},
  ])
    for (const body of [{}, [], true, null])
      assert.equal(
        (await run(scriptOf(requestTool({method: 'PATCH', address: '/api', result})), {}, json(body))).result,
        'Done. The website sent nothing that this tool reads.',
      )
  for (const body of [7, {id: null, paid: true}])
    assert.deepEqual(
      (
        await run(
          scriptOf(requestTool({method: 'POST', address: '/api', result: {kind: 'object'}})),
          {},
          json(body),
        )
      ).result,
      body,
    )
})

test('one thing that is not there is a refusal or nothing, and never empty', async () => {
  const result = {kind: 'object', members: [{path: 'title'}, {path: 'tags[].name'}]}
  const script = scriptOf(requestTool({address: '/api', result}))
  for (const body of [{error: 'Unknown'}, {errors: [{message: 'Unknown'}], data: null}])
    assert.equal(
      await failureOf(script, {}, json(body)),
      'The website says: “Unknown”. The website refused the request. Check the arguments.',
    )
  // Some say of what does not exist that it is no success.
  for (const body of [
    {success: false, message: 'Unknown'},
    {status: 'fail', msg: 'Unknown'},
  ])
    assert.deepEqual((await run(script, {}, json(body))).result, {
      found: 0,
      message: 'The website says: “Unknown”. Nothing was found.',
    })
  assert.deepEqual((await run(script, {}, json({other: 1}))).result, NOTHING)
  const failed = {title: 'Job 7', tags: [{name: 'a'}], status: 'failed', error: 'x'}
  assert.deepEqual((await run(script, {}, json(failed))).result, {title: 'Job 7', name: ['a']})
})

/** A page that came without leading elsewhere. */
const notLed = (text: string) => new Response(text, {headers: {'content-type': 'text/html'}})

const LED = /^The website led to a page to sign in/
for (const method of ['GET', 'POST'])
  test(`${method} is led to a sign-in page by its address, or by a password that its content asks for`, async () => {
    const script = scriptOf(
      requestTool({method, address: '/api', result: {kind: 'message', message: 'Renewed.'}}),
    )
    const outcomeAt = (address: string) =>
      outcomeOf(async () => (await run(script, {}, () => page(ORIGIN + address, '<h1>'))).result)
    for (const address of [
      ...['/login', '/users/sign_in', '/wp-login.php', '/account/logon', '/signon/', '/Account/SignIn;id=1'],
      ...['/oauth2/authorize', '/auth/realms/a/auth', '/session/new', '/anmelden', '/de/anmelden'],
    ])
      assert.match((await outcomeAt(address)).slice(1), LED, address)
    for (const address of [
      ...['/lessons', '/authors', '/blog/auth-explained', '/blogin', '/session/newest'],
      ...['/blog/how-to-login', '/orders/9/authorize'],
    ])
      assert.match(await outcomeAt(address), /^"Renewed\./, address)
    const outcomeWith = (text: string) =>
      outcomeOf(async () => (await run(script, {}, () => notLed(text))).result)
    const field = '<form><input name=p type="password"></form>'
    assert.match((await outcomeWith(`<header><nav></nav></header><main>${field}</main>`)).slice(1), LED)
    for (const text of [
      `<header><nav><a>Home</a></nav>${field}</header><main>Added</main>`,
      `<main>Added</main><footer>${field}</footer>`,
      `<main>Added</main><!-- ${field} --><template>${field}</template><script>'${field}<!--'</script>`,
      `<main>Saved<h2>Change your password</h2>${field}${field}</main>`,
    ])
      assert.equal(await outcomeWith(text), '"Renewed."', text)
    // Shops ask next to each other to sign in and to sign up.
    for (const text of [field, field + field])
      assert.match(
        (
          await outcomeOf(async () => (await run(script, {}, () => page(`${ORIGIN}/konto`, text))).result)
        ).slice(1),
        LED,
      )
    const whole = scriptOf(requestTool({method, address: '/api', result: {kind: 'text'}}))
    assert.equal((await run(whole, {}, () => notLed(field))).result, field)
  })

const TEXT_PARAMETER = {type: 'string'}
test('what was not found is named by the words that were searched', async () => {
  const search = (properties: object, required: string[], rows: object) =>
    scriptOf(
      requestTool(
        {address: '/api', query: Object.entries(rows).map(([name, parameter]) => ({name, parameter}))},
        JSON.stringify({type: 'object', properties, required}),
      ),
    )
  const given = {words: 'rope', color: 'in', branch: 'North', day: '2026-12-24'}
  const found = async (script: string) => Object((await run(script, given, json([]))).result).message
  const two = {color: TEXT_PARAMETER, words: TEXT_PARAMETER}
  assert.equal(
    await found(search(two, ['color', 'words'], {color: 'color', q: 'words'})),
    'Nothing was found for “rope”.',
  )
  const several = {color: TEXT_PARAMETER, branch: TEXT_PARAMETER}
  assert.equal(
    await found(search(several, ['color', 'branch'], {a: 'color', b: 'branch'})),
    'Nothing was found.',
  )
  // The names of an address's query tell, too.
  const inAddress = requestTool(
    {address: '/api?q={words}&in={color}'},
    JSON.stringify({type: 'object', properties: two, required: ['color']}),
  )
  assert.equal(await found(scriptOf(inAddress)), 'Nothing was found for “rope”.')
  const {words, ...others} = given
  for (const left of [{...others, words: null}, {...others, words: ''}, others])
    assert.equal(
      Object((await run(scriptOf(inAddress), left, json([]))).result).message,
      'Nothing was found.',
    )
  const colour = {colorOperation: TEXT_PARAMETER, color: TEXT_PARAMETER}
  assert.equal(
    await found(search(colour, ['colorOperation'], {op: 'colorOperation', c: 'color'})),
    'Nothing was found.',
  )
  assert.equal(
    await found(search(two, ['color'], {'search[in]': 'color', 'search[q]': 'words'})),
    'Nothing was found for “rope”.',
  )
  for (const name of ['apiKey', 'lang'])
    assert.equal(
      await found(search({words: TEXT_PARAMETER}, ['words'], {[name]: 'words'})),
      'Nothing was found.',
    )
  assert.equal(
    await found(
      search({words: TEXT_PARAMETER, color: TEXT_PARAMETER}, [], {searchTerm: 'words', c: 'color'}),
    ),
    'Nothing was found for “rope”.',
  )
  const choice = {branch: {...TEXT_PARAMETER, enum: ['North']}, day: {...TEXT_PARAMETER, format: 'date'}}
  assert.equal(await found(search(choice, ['branch', 'day'], {b: 'branch', d: 'day'})), 'Nothing was found.')
})

test('errors within errors are read in one pass, at any depth', async () => {
  const nested = Array.from({length: 60}).reduce<object>((inner) => ({errors: inner}), {title: ['Too short']})
  assert.match(
    await failureOf(scriptOf(requestTool({address: '/api'})), {}, json(nested, 422)),
    /title: Too short/,
  )
})

test('a date is asked for in its form, before anything is sent', async () => {
  const schema = JSON.stringify({type: 'object', properties: {day: {type: 'string', format: 'date'}}})
  const script = scriptOf(requestTool({address: '/api', query: [{name: 'day', parameter: 'day'}]}, schema))
  assert.equal(
    await failureOf(script, {day: 'next friday'}, json([])),
    '“next friday” for “day” is not a date: write it like 2026-12-24.',
  )
  for (const day of ['2026-13-05', '2026-12-45'])
    assert.match(await failureOf(script, {day}, json([])), /is not a date/)
  for (const given of [{day: '2026-12-24'}, {}])
    assert.equal((await run(script, given, json([]))).sent.length, 1)
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
  [
    'issues in an error (Zod 4)',
    {error: {name: 'ZodError', issues: [{path: ['date'], message: TEXT}]}},
    'date: ',
  ],
  ['a description (Shopify, /cart/add.js)', {status: 422, message: 'Cart Error', description: TEXT}],
  [
    'a code before a message (GitHub)',
    {message: TEXT, errors: [{resource: 'Loan', field: 'day', code: 'x'}]},
  ],
  ['a text of a field with a usual name (Shopify, GraphQL Admin)', {errors: {title: [TEXT]}}, 'title: '],
  ['a field next to its message (Mailchimp, Spring)', {errors: [{field: 'day', message: TEXT}]}, 'day: '],
  ['texts of a field with a usual name alone (Rails 8)', {title: [TEXT, 'x']}, 'title: '],
  ['a list of texts alone', {errors: [TEXT]}],
  [
    'a pointer (JSON:API)',
    {errors: [{source: {pointer: '/data/attributes/title'}, detail: TEXT}]},
    'title: ',
  ],
  ['a pointer (RFC 9457)', {title: 'x', errors: [{detail: TEXT, pointer: '#/day'}]}, 'day: '],
  ['a message of a field with a usual name (Mongoose 8)', {errors: {title: {message: TEXT}}}, 'title: '],
  ['errors by fields (Zod 4, flattened)', {error: {formErrors: [], fieldErrors: {day: [TEXT]}}}, 'day: '],
  ['rules of a field (class-validator)', [{property: 'day', constraints: {isDate: TEXT}}], 'day: '],
  ['a reason (Elasticsearch 9)', {error: {root_cause: [{reason: 'x'}], type: 'x', reason: TEXT}}],
  ['an issue of the whole body (Zod 4)', {issues: [{path: [], message: TEXT}]}],
  ['an info (MediaWiki)', {error: {code: 'x', info: TEXT}}],
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

test('what a website says as plain text is told, too', async () => {
  const plain = () =>
    new Response('Seat 4 is taken\n', {status: 409, headers: {'content-type': 'text/plain'}})
  assert.equal(
    await failureOf(scriptOf(requestTool({address: '/api'})), {}, plain),
    'The website says: “Seat 4 is taken”. The request failed with status 409. Check the arguments.',
  )
})

test('a sentence of any script has one end', async () => {
  const said = failureOf(scriptOf(requestTool({address: '/api'})), {}, json({message: '売り切れです。'}, 409))
  assert.match(await said, /^The website says: “売り切れです。” The request failed/)
})

test('the text of an error is short, or at another place if the editor says so', async () => {
  const usual = scriptOf(requestTool({address: '/api'}))
  const long = await failureOf(usual, {}, json({message: '😀'.repeat(1_000_000)}, 400))
  assert.ok(long.length < 280 && long.isWellFormed(), long)
  for (const body of [null, [], {errors: null, message: 7}, {errors: {a: []}}, {errors: [null], error: {}}])
    assert.equal(
      await failureOf(usual, {}, json(body, 403)),
      'The request failed with status 403. The visitor may have to sign in first.',
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
