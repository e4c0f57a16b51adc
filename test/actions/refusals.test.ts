import assert from 'node:assert/strict'
import {test} from 'node:test'
import {problemOfAction} from '../../schemas/actions/problem.ts'
import {parameters, requestTool} from './support.ts'

const SCHEMA = parameters({query: {type: 'string'}, page: {type: 'integer'}, filter: {type: 'object'}}, [
  'query',
])

function problemOf(tool: object): string | undefined {
  const problem = problemOfAction({inputSchema: SCHEMA, ...tool})
  return problem && `${problem.field}: ${problem.message}`
}

const ADDRESSES: [address: string, message: string | undefined][] = [
  ['/api/events', undefined],
  ['/api/{query}/x?page={page}&a=1', undefined],
  ['https://api.example.com', undefined],
  ['', 'The address is empty.'],
  [
    'api/events',
    'The address must begin with “/” or “https://”. Write it like “/api/events” or “https://api.example.com/events”.',
  ],
  ['www.example.com/api', 'Write “https://www.example.com/api”, with the “https://”.'],
  ['//cdn.example.com/x', 'Write “https://cdn.example.com/x”, with the “https:”.'],
  [
    'javascript:alert(1)',
    'The address begins with “javascript:”, which would run or contain code instead of being loaded from a website. Write it like “/api/events” or “https://api.example.com/events”.',
  ],
  [
    ' DATA:text/html,x',
    'The address begins with “DATA:”, which would run or contain code instead of being loaded from a website. Write it like “/api/events” or “https://api.example.com/events”.',
  ],
  [
    'ftp://example.com/x',
    'The address begins with “ftp:”, which pages cannot load. Write it like “/api/events” or “https://api.example.com/events”.',
  ],
  ['/x<script>alert(1)</script>', 'The address contains "<": remove it. A parameter is written as {name}.'],
  ['/\\evil.example', 'The address contains "\\": remove it. A parameter is written as {name}.'],
  ['https://{query}.example.com/', 'A parameter cannot be part of the host: write it after the first “/”.'],
  [
    'https://me:secret@example.com/',
    'The address contains a user name or a password, which every visitor could read: remove it.',
  ],
  ['/api/../admin', 'The address contains “.” or “..” as a part of the path: write the whole path instead.'],
  ['/api/:query', 'Write the parameter “:query” as “{query}”.'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a mistake that people make.
  ['/api/${args.query}', 'Write “{query}” instead of “{args.query}”.'],
  ['/api/{}', 'There is “{}” without a name: write the name of a parameter between the braces.'],
  ['/api/{query', 'There is a single “{” or “}”: a parameter is written as {name}, between both.'],
  ['/api?{query}=1', 'A parameter cannot be the name of a value: write it after “=”, as in “q={q}”.'],
  ['/api#top', 'A request never sends what is after “#”: remove it.'],
  ['/api/{page}', 'The address needs “page”: make the parameter required.'],
  ['/api/{Query}', 'The tool has no parameter “Query”. Upper and lower case differ: write “query”.'],
  [
    '/api/{branch}',
    'The tool has no parameter “branch”. It has “query”, “page”, “filter”: add it to the parameters, or choose one of these.',
  ],
  [
    '/api?f={filter}',
    'The parameter “filter” may be a group of values, which only a body of JSON can have: choose text, a number, or yes or no as its kind.',
  ],
]
for (const [address, message] of ADDRESSES) {
  test(`the address ${JSON.stringify(address)} is ${message === undefined ? 'accepted' : 'refused'}`, () => {
    const problem = problemOf(requestTool({address}, SCHEMA))
    assert.equal(problem, message && `request.address: ${message}`)
  })
}

const REQUESTS: [what: string, request: object, problem: string][] = [
  [
    'a body with GET',
    {body: [{name: 'a', value: '1'}]},
    'request.body: Browsers send no body with GET: choose POST, or move the rows to the query.',
  ],
  [
    'an unknown method',
    {method: 'get'},
    'request.method: The method must be one of: GET, POST, PUT, PATCH, DELETE.',
  ],
  ['a row without a name', {query: [{value: '1'}]}, 'request.query.0.name: The name of a row is missing.'],
  [
    'a row that sends nothing',
    {query: [{name: 'a'}]},
    'request.query.0: The row sends nothing: choose a parameter, write a value, or remove the row.',
  ],
  [
    'a row with two values',
    {query: [{name: 'a', value: '1', parameter: 'query'}]},
    'request.query.0.value: The row has a parameter and a value: remove one of them.',
  ],
  [
    'a value that is not JSON',
    {method: 'POST', body: [{name: 'a', value: 'yes', format: 'json'}]},
    'request.body.0.value: The value “yes” is not valid JSON: invalid symbol at line 1, column 1.',
  ],
  [
    'two values in one place',
    {
      method: 'POST',
      body: [
        {name: 'a', value: '1'},
        {name: 'a.b', value: '2'},
      ],
    },
    'request.body.0.name: “a” and “a.b” cannot both be sent: remove one of them.',
  ],
  [
    'a list that is a group',
    {
      method: 'POST',
      body: [
        {name: 'a[0]', value: '1'},
        {name: 'a.b', value: '2'},
      ],
    },
    'request.body.0.name: “a[0]” and “a.b” make the same thing a list and a group: change one of them.',
  ],
  [
    'a broken place in the answer',
    {result: {kind: 'list', path: 'data..items'}},
    'request.result.path: The place in the answer cannot be read at character 5. Write it like “data.items” or “authors[0].name”.',
  ],
  [
    'a broken place of a value',
    {result: {kind: 'object', members: [{path: 'a['}]}},
    'request.result.members.0.path: The place of a value cannot be read at character 2. Write it like “data.items” or “authors[0].name”.',
  ],
  [
    'a list as the text of an error',
    {error: 'errors[].detail'},
    'request.error: The place of the text of an error contains “[]”: write a position instead, as in “items[0].id”.',
  ],
  [
    'a value twice',
    {result: {kind: 'object', members: [{path: 'a'}, {path: 'b.a'}]}},
    'request.result.members.1.name: “a” is returned twice: rename or remove one of them.',
  ],
  [
    'a value without a name',
    {result: {kind: 'list', members: [{path: '[0]'}]}},
    'request.result.members.0.name: The name of a value is missing.',
  ],
  [
    'too many entries',
    {result: {kind: 'list', limit: 1_000}},
    'request.result.limit: The number of entries must be a whole number from 1 to 200.',
  ],
  [
    'a value of the page for another website',
    {address: 'https://api.example.com/x', headers: [{name: 'X-CSRF-Token', cookie: 'csrftoken'}]},
    'request.headers: “X-CSRF-Token” stands on the page, and is sent to its own website only: begin the address with “/”, or remove the row.',
  ],
  [
    'more pages than an agent waits for',
    {result: {kind: 'parts', parts: [{name: 'a', kind: 'list', selector: 'li'}], pages: 6}},
    'request.result.pages: The number of pages must be a whole number from 1 to 5.',
  ],
  [
    'a broken selector',
    {query: [{name: 'a', selector: 'meta['}]},
    'request.query.0.selector: Browsers cannot read this selector: expected attribute name, at character 5.',
  ],
  [
    'a broken name of a cookie',
    {query: [{name: 'a', cookie: 'a=b'}]},
    'request.query.0.cookie: “a=b” cannot be the name of a cookie: write one like “csrftoken”.',
  ],
  [
    'a header that browsers send',
    {headers: [{name: 'Cookie', value: 'a'}]},
    'request.headers.0.name: Browsers send “Cookie” by themselves: remove the row.',
  ],
  [
    'a header of agents',
    {headers: [{name: 'X-A', parameter: 'query'}]},
    'request.headers.0.parameter: A header is always the same, or comes from the page.',
  ],
  [
    'a header with a line end',
    {headers: [{name: 'X-A', value: 'a\r\nb'}]},
    'request.headers.0.value: A header cannot contain these characters.',
  ],
  [
    'a text that is also a value',
    {
      method: 'POST',
      body: [
        {name: 'a', inside: 'json', member: 'b', value: '1'},
        {name: 'a', value: '1'},
      ],
    },
    'request.body.1.name: “a” and “a › b” cannot both be sent: remove one of them.',
  ],
  [
    'a text of two formats',
    {
      query: [
        {name: 'a', inside: 'json', member: 'b', value: '1'},
        {name: 'a', inside: 'query', member: 'b', value: '1'},
      ],
    },
    'request.query.0.name: “a › b” and “a › b” make the same thing a list and a group: change one of them.',
  ],
  [
    'a text without a place in it',
    {query: [{name: 'a', inside: 'json', value: '1'}]},
    'request.query.0.member: The name of a value in a text is missing.',
  ],
  ['no result', {result: undefined}, 'request.result: Choose what the tool returns of the answer.'],
]
for (const [what, request, problem] of REQUESTS) {
  test(`a request with ${what} is refused`, () => {
    assert.equal(problemOf(requestTool({address: '/api', ...request}, SCHEMA)), problem)
  })
}

const OTHERS: [what: string, tool: object, problem: string][] = [
  [
    'an unknown action',
    {action: 'read'},
    'action: Choose what the tool does: request, reading, link, script.',
  ],
  ['a request without one', {action: 'request'}, 'request: The request is missing: write its address.'],
  [
    'a reading of nothing',
    {action: 'reading', reading: {}},
    'reading.parts: The tool reads nothing: add a part of the page.',
  ],
  [
    'a broken selector',
    {action: 'reading', reading: {parts: [{name: 'a', kind: 'text', selector: 'form['}]}},
    'reading.parts.0.selector: Browsers cannot read this selector: expected attribute name, at character 5.',
  ],
  [
    'an attribute without a name',
    {action: 'reading', reading: {parts: [{name: 'a', kind: 'attribute', selector: 'a'}]}},
    'reading.parts.0.attribute: The attribute is missing.',
  ],
  [
    'a link to a script',
    {action: 'link', link: {address: 'javascript:x'}},
    'link.address: The address begins with “javascript:”, which would run or contain code instead of being loaded from a website. Write it like “/api/events” or “https://api.example.com/events”.',
  ],
]
for (const [what, tool, problem] of OTHERS) {
  test(`${what} is refused`, () => {
    assert.equal(problemOf(tool), problem)
  })
}
