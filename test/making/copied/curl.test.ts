import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {toolOfCopied} from '../../../making/copied/copiedTool.ts'
import {parseCurl} from '../../../making/copied/curl.ts'
import {multipartText} from '../../../making/multipart.ts'
import type {Exchange} from '../../../making/values.ts'
import {isRecord} from '../../../schemas/record.ts'
import {runs} from '../../runner/runs.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

const SITE = 'https://library.example'

const get = (address: string): Exchange => ({method: 'GET', address: SITE + address})

const post = (address: string, body: string, contentType = FORM, method = 'POST'): Exchange => ({
  method,
  address: SITE + address,
  contentType,
  body,
})

type Row = readonly [what: string, command: string, exchange: Exchange, leftOut?: readonly string[]]

/** Commands as browsers, programs, documents and people write them. */
const READ: readonly Row[] = [
  ['an address', `curl ${SITE}/api/events`, get('/api/events')],
  ['an address without https', 'curl library.example', get('/')],
  [
    'Chrome (bash)',
    `curl '${SITE}/api/events?q=rope&page=1' \\
  -H 'accept: application/json' \\
  -b 'session=abc' \\
  -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64)' ;`,
    get('/api/events?q=rope&page=1'),
    ['user-agent', 'Cookie'],
  ],
  [
    'Chrome (bash), with a line break and an exclamation mark in the data',
    `curl '${SITE}/graphql' -H 'content-type: application/json' --data-raw $'{"query":"{ events\\u0021 }\\n"}'`,
    post('/graphql', '{"query":"{ events! }\n"}', JSON_TYPE),
  ],
  [
    'Chrome (bash), with brackets in the address',
    `curl '${SITE}/jsonapi?filter\\[status\\]=1' -H 'accept: */*'`,
    get('/jsonapi?filter[status]=1'),
  ],
  [
    'Firefox (POSIX)',
    `curl '${SITE}/api/events' --compressed -X POST -H 'User-Agent: Mozilla/5.0' -H 'Content-Type: application/json' -H 'Sec-Fetch-Mode: cors' --data-raw '{"q":"it'\\''s"}'`,
    post('/api/events', `{"q":"it's"}`, JSON_TYPE),
    ['User-Agent', 'Sec-Fetch-Mode'],
  ],
  [
    'Safari',
    `curl '${SITE}/api/loans' \\
-X 'POST' \\
-H 'Content-Type: application/json' \\
-H 'Referer: ${SITE}/' \\
--data-binary '{"book":"b1"}'`,
    post('/api/loans', '{"book":"b1"}', JSON_TYPE),
    ['Referer'],
  ],
  [
    'Postman',
    `curl --location --request PATCH '${SITE}/loans/7' \\\n--header 'Content-Type: application/json' \\\n--data '{\n    "days": 7\n}'`,
    post('/loans/7', '{\n    "days": 7\n}', JSON_TYPE, 'PATCH'),
  ],
  [
    'Postman, with a form',
    `curl --location '${SITE}/loans' --header 'Content-Type: application/x-www-form-urlencoded' --data-urlencode 'book=b 1' --data-urlencode 'days=7'`,
    post('/loans', 'book=b%201&days=7'),
  ],
  [
    'Insomnia',
    `curl --request PUT \\\n  --url ${SITE}/loans/7 \\\n  --header 'X-CSRF-Token: 1' \\\n  --header 'content-type: application/json' \\\n  --data '{"days":7}'`,
    post('/loans/7', '{"days":7}', JSON_TYPE, 'PUT'),
    ['X-CSRF-Token'],
  ],
  [
    'a word processor',
    `curl –X POST —header “Accept: */*” –d ‘{“book”: “b1”}’ “${SITE}/loans”`,
    post('/loans', '{"book": "b1"}'),
  ],
  ['a prompt', `ada@host:~$ curl ${SITE}/events`, get('/events')],
  ['prompts in each line', `$ curl ${SITE}/events \\\n>   -G -d q=rope`, get('/events?q=rope')],
  ['comments', `#!/bin/sh\n# finds events\ncurl ${SITE}/events # all`, get('/events')],
  ['another program before', `time sudo /usr/bin/curl -sk ${SITE}/`, get('/')],
  ['another program after', `curl -s ${SITE}/events 2>/dev/null | jq '.[0]'`, get('/events')],
  ['a file for the answer', `curl ${SITE}/events > events.json && echo done`, get('/events')],
  ['blanks after a backslash', `curl ${SITE}/events \\  \n  -H 'X-A: b7'`, get('/events'), ['X-A']],
  ['letters together', `curl -sSXPOST ${SITE}/loans -dbook=b1`, post('/loans', 'book=b1')],
  [
    'options with values of every kind',
    `curl -m 10 --retry 3 --retry-delay 2 --max-redirs 5 --interface eth0 --trace-ascii log -o out.json --capath /etc --resolve a:443:1 -w '%{http_code}' -e x -A y -x proxy -Y 1 ${SITE}/events`,
    get('/events'),
  ],
  [
    'names, passwords and tokens',
    `curl -u ada:secret --oauth2-bearer abc -H "Cookie: a=b" ${SITE.replace('//', '//ada:secret@')}/loans`,
    {method: 'GET', address: `${SITE.replace('//', '//ada:secret@')}/loans`},
    ['Cookie', 'Authorization'],
  ],
  [
    'a query by options',
    `curl -G ${SITE}/s?a=1 -d q=rope --data-urlencode "t=two words"`,
    get('/s?a=1&q=rope&t=two%20words'),
  ],
  [
    'a query by --url-query',
    `curl --url-query "q=two words" --url-query +x=%20 ${SITE}/s`,
    get('/s?q=two%20words&x=%20'),
  ],
  [
    'data of several options',
    `curl -d book=b1 -d branch=harbour ${SITE}/loans`,
    post('/loans', 'book=b1&branch=harbour'),
  ],
  ['data to encode without a name', `curl --data-urlencode 'a b' ${SITE}/say`, post('/say', 'a%20b')],
  ['JSON in two parts', `curl --json '{"a":' --json '1}' ${SITE}/say`, post('/say', '{"a":1}', JSON_TYPE)],
  [
    'bytes in octal and hexadecimal',
    `curl -d $'n=caf\\303\\251\\x21\\\\303' ${SITE}/say`,
    post('/say', 'n=café!\\303'),
  ],
  [
    'a form in parts',
    `curl -F name=Ada -F 'note="a \\"b\\"";type=text/plain' --form-string at=@home ${SITE}/say`,
    post(
      '/say',
      multipartText([
        ['name', 'Ada'],
        ['note', 'a "b"'],
        ['at', '@home'],
      ]),
    ),
  ],
  ['quotes in quotes', `curl "${SITE}/say?text=\\"hi\\""`, get('/say?text=%22hi%22')],
  ['an @ that is a text', `curl ${SITE}/say --data-raw '@home'`, post('/say', '@home')],
  [
    'a variable in a header',
    `curl ${SITE}/e -H "Authorization: Bearer $TOKEN"`,
    get('/e'),
    ['Authorization'],
  ],
  ['a query of OData', `curl "${SITE}/odata?$filter=a"`, get('/odata?$filter=a')],
]

for (const [what, command, exchange, leftOut = []] of READ)
  test(`reads ${what}`, () => {
    assert.deepEqual(parseCurl(command), {ok: true, value: {exchange, headers: [], leftOut}})
  })

const REFUSED: readonly (readonly [what: string, command: string, problem: RegExp])[] = [
  ['nothing', '', /no cURL command/],
  ['no address', 'curl', /no address/],
  ['two addresses', 'curl https://a.example https://b.example', /two addresses/],
  ['two commands', "curl 'https://a.example' ;\ncurl 'https://b.example'", /several commands/],
  ['two commands in two lines', 'curl https://a.example\ncurl https://b.example', /several commands/],
  ['two requests', 'curl https://a.example --next https://b.example', /several requests/],
  ['an open quotation mark', "curl 'https://library.example/", /not closed/],
  ['an end after an option', 'curl https://library.example -H', /ends after -H/],
  ['a file in a form', 'curl -F photo=@a.png https://library.example', /sends a file/],
  ['data of a file', 'curl -d @body.json https://library.example', /sends a file/],
  ['encoded data of a file', "curl --data-urlencode 'q@file' https://library.example", /sends a file/],
  ['data in the lines below', 'curl -d @- https://library.example <<EOF\n{"a": 1}\nEOF', /sends a file/],
  ['an upload', 'curl -T a.png https://library.example', /sends a file/],
  ['a file of options', 'curl -K options https://library.example', /options from a file/],
  ['a variable in the address', 'curl "https://library.example/$BOOK_ID"', /“\$BOOK_ID”.*its value instead/],
  ['data with GET', "curl -X GET https://library.example -d '{}'", /data with GET/],
  ['HEAD', 'curl -I https://library.example', /is “HEAD”/],
  ['OPTIONS', 'curl -X OPTIONS https://library.example', /is “OPTIONS”/],
  ['another protocol', 'curl ftp://library.example/', /is not an address/],
]

for (const [what, command, problem] of REFUSED)
  test(`refuses ${what}`, () => {
    const parsed = parseCurl(command)
    assert.equal(parsed.ok, false)
    assert.match(parsed.ok ? '' : parsed.problem, problem)
  })

test('what a tool returns stays when a command is filled in; without it, agents get the text', () => {
  const result = {kind: 'list', path: 'data', members: [{path: 'id'}]}
  const resultFor = (request: unknown) => {
    const copied = toolOfCopied(`curl ${SITE}/hours`, [SITE], request)
    const filled = copied.ok ? copied.value.fields.request : undefined
    return isRecord(filled) ? filled.result : undefined
  }
  assert.deepEqual(resultFor({address: '/x', result}), result)
  for (const none of [undefined, {}, {result: {}}]) assert.deepEqual(resultFor(none), {kind: 'text'})
})

test('any text is read or refused', () => {
  const words = fc.constantFrom(' ', '\n', ...`curl -d -X ' " \\ $ $' https://a.example -- - @`.split(' '))
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string()), {maxLength: 12}), (texts) => {
      parseCurl(`curl ${texts.join(' ')}`)
    }),
    {numRuns: runs(200)},
  )
})

test('a command with several operations of GraphQL is refused, and a list of one is that operation', () => {
  const commandOf = (operations: number) => {
    const list = Array.from({length: operations}, (_, at) => ({
      operationName: `A${at}`,
      query: `query A${at} { a }`,
    }))
    return `curl https://example.com/graphql --json '${JSON.stringify(list)}'`
  }
  assert.match(JSON.stringify(toolOfCopied(commandOf(1), [], undefined)), /"name":"a0"/)
  const several = toolOfCopied(commandOf(3), [], undefined)
  assert.match(several.ok ? '' : several.problem, /^The command sends 3 operations at once/)
})
