import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {parseCopied} from '../../../making/copied/copiedTool.ts'
import type {Exchange} from '../../../making/values.ts'
import {runs} from '../../runner/runs.ts'

const SITE = 'https://library.example'
const JSON_TYPE = 'application/json'
const search = (body: string, contentType: string | undefined = JSON_TYPE): Exchange => ({
  method: 'POST',
  address: `${SITE}/api/search`,
  contentType,
  body,
})

const READ: readonly (readonly [what: string, text: string, exchange: Exchange, leftOut?: string[]])[] = [
  [
    'Chrome (fetch)',
    `fetch("${SITE}/api/search", {
  "headers": {
    "accept": "*/*",
    "content-type": "application/json",
    "x-csrf-token": "abc"
  },
  "referrer": "${SITE}/",
  "body": "{\\"q\\":\\"it's\\"}",
  "method": "POST",
  "mode": "cors",
  "credentials": "include"
});`,
    search(`{"q":"it's"}`),
    ['x-csrf-token'],
  ],
  [
    'Chrome (fetch), without a body',
    `fetch("${SITE}/api/books?q=a%20b", {"headers": {"accept": "*/*"}, "body": null, "method": "GET"});`,
    {method: 'GET', address: `${SITE}/api/books?q=a%20b`},
  ],
  [
    'Firefox (fetch)',
    `await fetch("${SITE}/api/loans/7", {
    "credentials": "include",
    "headers": {"User-Agent": "Mozilla/5.0"},
    "method": "DELETE",
    "mode": "cors"
});`,
    {method: 'DELETE', address: `${SITE}/api/loans/7`},
    ['User-Agent'],
  ],
  [
    'the documents of an API',
    `const response = await fetch('${SITE}/api/search', {
  method: 'post',
  headers: {Authorization: 'Bearer 1', 'Content-Type': 'application/json'},
  body: JSON.stringify({q: \`rope\`, near: [-1, 2], open: true}),
})
const books = await response.json()`,
    search('{"q":"rope","near":[-1,2],"open":true}'),
    ['Authorization'],
  ],
  [
    'a call whose answer is used at once',
    `fetch('${SITE}/api/books').then((response) => response.json())`,
    {method: 'GET', address: `${SITE}/api/books`},
  ],
  ['cURL', `curl ${SITE}/api/books`, {method: 'GET', address: `${SITE}/api/books`}],
  [
    'cURL, with the name of a command of PowerShell in its address',
    `curl ${SITE}/irm/books -H 'Referer: ${SITE}/'`,
    {method: 'GET', address: `${SITE}/irm/books`},
    ['Referer'],
  ],
  [
    'cURL, with a caret and a Command Prompt in its data',
    `curl '${SITE}/api/search' --data-raw 'q=^"a^"'`,
    search('q=^"a^"', 'application/x-www-form-urlencoded'),
  ],
]

for (const [what, text, exchange, leftOut = []] of READ)
  test(`reads ${what}`, () => {
    assert.deepEqual(parseCopied(text), {ok: true, value: {exchange, headers: [], leftOut}})
  })

test('a header that may be a secret or about a visitor is not taken over', () => {
  const headers = 'apikey: 2022-11-28; X-Pin: 1234; X-User: 1; X-Trace: a8f3kq9Z; X-Api-Version: k3f9'.split(
    '; ',
  )
  const parsed = parseCopied(`curl ${SITE} ${headers.map((one) => `-H '${one}'`).join(' ')}`)
  assert.deepEqual(parsed.ok && parsed.value.headers, [])
})

const REFUSED: readonly (readonly [what: string, text: string, problem: RegExp])[] = [
  ['an address of a variable', 'fetch(`${' + 'base}/books`)', /values that only its page knows/],
  [
    'a body of a variable',
    `fetch('${SITE}', {method: 'POST', body: data})`,
    /values that only its page knows/,
  ],
  ['options of a variable', `fetch('${SITE}', {...options, headers: {}})`, /values that only its page knows/],
  [
    'headers of a variable',
    `fetch('${SITE}', {headers: {...common, accept: '*/*'}})`,
    /values that only its page knows/,
  ],
  ['a call that ends too early', `fetch('${SITE}', {`, /cannot be read/],
  ['another method', `fetch('${SITE}', {method: 'OPTIONS'})`, /is “OPTIONS”/],
  ['an address that is none', "fetch('/api/books')", /no address/],
  ['PowerShell', `PS> irm -Uri "${SITE}/loans" -Method Get`, /choose “Copy as cURL \(bash\)”/],
  [
    'Chrome (PowerShell)',
    `$s = New-Object X\nInvoke-WebRequest -Uri "${SITE}" \`\n-Method "POST"`,
    /for Windows/,
  ],
  ['PowerShell, with curl.exe', `PS C:\\> curl.exe \`\n  -H "X-A: b7" \`\n  "${SITE}"`, /for Windows/],
  ['Firefox (Windows)', `curl "${SITE}" --data-raw "{""a"" : ""b""}"`, /for Windows/],
  ['Chrome (cmd)', `curl ^"${SITE}/cards?q=50^%^25^" ^\r\n  -H ^"accept: */*^"`, /for Windows/],
  [
    'Chrome (cmd) before 2024',
    `curl "${SITE}" --data-binary "^{^\\^"name^\\^":^\\^"hello^\\^"^}"`,
    /for Windows/,
  ],
  ['a long text', `curl ${SITE}/${'a'.repeat(100_001)}`, /shorten it/],
]

for (const [what, text, problem] of REFUSED)
  test(`refuses ${what}`, () => {
    const parsed = parseCopied(text)
    assert.match(parsed.ok ? '' : parsed.problem, problem)
  })

test('any text of these kinds is read or refused', () => {
  const words = ['fetch(', "'https://a.example'", ', {', 'body:', '`', '})', 'irm ', '^"', '}', '\n']
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...words), fc.string()), {maxLength: 12}), (texts) => {
      for (const begin of ['fetch(', 'curl ']) parseCopied(begin + texts.join(''))
    }),
    {numRuns: runs(200)},
  )
})
