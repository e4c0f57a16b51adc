import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {parseCurl} from '../../../schemas/making/curl.ts'
import type {Exchange} from '../../../schemas/making/inputs.ts'
import {runs} from '../../runner/runs.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

/** Commands in the shapes that browsers, documents of APIs and people write. */
const READ: readonly (readonly [command: string, exchange: Exchange, leftOut?: readonly string[]])[] = [
  ['curl https://library.example/api/events', {method: 'GET', address: 'https://library.example/api/events'}],
  ['curl library.example', {method: 'GET', address: 'https://library.example/'}],
  [
    "curl 'https://library.example/api/events?q=rope&page=1' -H 'accept: application/json' --compressed",
    {method: 'GET', address: 'https://library.example/api/events?q=rope&page=1'},
  ],
  [
    "curl 'https://library.example/api/events' \\\n  -H 'accept: */*' \\\n  -H 'user-agent: Mozilla/5.0' \\\n  -b 'session=abc' \\\n  --compressed ;",
    {method: 'GET', address: 'https://library.example/api/events'},
    ['user-agent', 'Cookie'],
  ],
  [
    `curl -X POST https://library.example/api/loans -H "Content-Type: application/json" -d '{"book": "b1"}'`,
    {
      method: 'POST',
      address: 'https://library.example/api/loans',
      contentType: JSON_TYPE,
      body: '{"book": "b1"}',
    },
  ],
  [
    `curl https://library.example/api/loans --json '{"book":"b1"}'`,
    {
      method: 'POST',
      address: 'https://library.example/api/loans',
      contentType: JSON_TYPE,
      body: '{"book":"b1"}',
    },
  ],
  [
    `curl 'https://library.example/graphql' -H 'content-type: application/json' --data-raw $'{"query":"{ events\\u0021 }\\n"}'`,
    {
      method: 'POST',
      address: 'https://library.example/graphql',
      contentType: JSON_TYPE,
      body: '{"query":"{ events! }\n"}',
    },
  ],
  [
    'curl -d book=b1 -d branch=harbour https://library.example/loans',
    {
      method: 'POST',
      address: 'https://library.example/loans',
      contentType: FORM,
      body: 'book=b1&branch=harbour',
    },
  ],
  [
    'curl -G https://library.example/search -d q=rope --data-urlencode "title=two words"',
    {method: 'GET', address: 'https://library.example/search?q=rope&title=two%20words'},
  ],
  [
    'curl -XDELETE https://library.example/loans/7 -H "Authorization: Bearer abc.def"',
    {method: 'DELETE', address: 'https://library.example/loans/7'},
    ['Authorization'],
  ],
  [
    'curl -u ada:secret https://library.example/loans',
    {method: 'GET', address: 'https://library.example/loans'},
    ['Authorization'],
  ],
  [
    'curl --request PUT --url https://library.example/loans/7 --header "X-CSRF-Token: 1" --data "{}"',
    {method: 'PUT', address: 'https://library.example/loans/7', contentType: FORM, body: '{}'},
    ['X-CSRF-Token'],
  ],
  ['curl -sSL "https://library.example/a b"', {method: 'GET', address: 'https://library.example/a%20b'}],
  ['/usr/bin/curl -sk https://library.example/', {method: 'GET', address: 'https://library.example/'}],
  [
    `curl "https://library.example/say?text=\\"hi\\""`,
    {method: 'GET', address: 'https://library.example/say?text=%22hi%22'},
  ],
  [
    `curl 'https://library.example/say' -d 'it'\\''s'`,
    {method: 'POST', address: 'https://library.example/say', contentType: FORM, body: "it's"},
  ],
  [
    `curl https://library.example/say --data-raw '@home'`,
    {method: 'POST', address: 'https://library.example/say', contentType: FORM, body: '@home'},
  ],
  ['curl -I https://library.example/', {method: 'HEAD', address: 'https://library.example/'}],
  [
    'curl -m 10 --retry 3 -o out.json https://library.example/events',
    {method: 'GET', address: 'https://library.example/events'},
  ],
  [
    'curl https://library.example/events -H "Origin: https://library.example" -H "Sec-Fetch-Mode: cors"',
    {method: 'GET', address: 'https://library.example/events'},
    ['Origin', 'Sec-Fetch-Mode'],
  ],
]

for (const [command, exchange, leftOut = []] of READ)
  test(`reads ${command.slice(0, 70)}`, () => {
    assert.deepEqual(parseCurl(command), {ok: true, value: {exchange, leftOut}})
  })

const REFUSED: readonly (readonly [command: string, problem: RegExp])[] = [
  ['', /no cURL command/],
  ["fetch('https://library.example/')", /no cURL command.*“Copy as cURL”/],
  ['curl', /no address/],
  ['curl https://a.example https://b.example', /two addresses/],
  ["curl 'https://library.example/", /not closed/],
  ['curl https://library.example -H', /ends after -H/],
  ['curl -F photo=@a.png https://library.example', /files or a form in parts/],
  ['curl -d @body.json https://library.example', /sends a file/],
  ['curl ftp://library.example/', /is not an address/],
  [`curl https://library.example/${'a'.repeat(100_001)}`, /shorten it/],
]

for (const [command, problem] of REFUSED)
  test(`refuses ${command.slice(0, 50) || 'nothing'}`, () => {
    const parsed = parseCurl(command)
    assert.equal(parsed.ok, false)
    assert.match(parsed.ok ? '' : parsed.problem, problem)
  })

test('any text is read or refused', () => {
  const words = fc.constantFrom(
    'curl',
    '-d',
    '-X',
    "'",
    '"',
    '\\',
    '$',
    "$'",
    '\n',
    'https://a.example',
    '--',
    '-',
    '@',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string()), {maxLength: 12}), (texts) => {
      parseCurl(`curl ${texts.join(' ')}`)
    }),
    {numRuns: runs(200)},
  )
})
