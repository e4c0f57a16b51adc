import assert from 'node:assert/strict'
import {test} from 'node:test'
import {comesFromOurPage} from '../../../lake/access/access.ts'

const ours = new Set(['lake.example'])

test('requests with a session must come from the lake’s own pages', () => {
  const rows: [why: string, method: string, headers: Record<string, string>, accepted: boolean][] = [
    ['a page on this machine reads', 'GET', {host: 'localhost:3333'}, true],
    ['the same by IPv4 address', 'GET', {host: '127.0.0.1:3333'}, true],
    ['the same by IPv6 address', 'GET', {host: '[::1]:3333'}, true],
    ['a page writes', 'POST', {host: 'localhost:3333', origin: 'http://localhost:3333'}, true],
    ['behind a proxy', 'POST', {host: 'lake.example', origin: 'https://lake.example'}, true],
    ['DNS rebinding', 'GET', {host: 'evil.example:3333'}, false],
    [
      'DNS rebinding, with its own origin',
      'POST',
      {host: 'evil.example', origin: 'http://evil.example'},
      false,
    ],
    ['a host name that begins like the lake’s', 'GET', {host: 'localhost.evil.example'}, false],
    ['no host', 'GET', {}, false],
    ['another site writes', 'POST', {host: 'localhost:3333', origin: 'https://evil.example'}, false],
    ['another port writes', 'POST', {host: 'localhost:3333', origin: 'http://localhost:8080'}, false],
    ['a sandboxed frame writes', 'POST', {host: 'localhost:3333', origin: 'null'}, false],
    ['a write without an origin', 'POST', {host: 'localhost:3333'}, false],
    ['an address that a person types', 'GET', {host: 'localhost:3333', 'sec-fetch-site': 'none'}, true],
    ['a page of the lake reads', 'GET', {host: 'localhost:3333', 'sec-fetch-site': 'same-origin'}, true],
    [
      'another port or subdomain reads',
      'GET',
      {host: 'localhost:3333', 'sec-fetch-site': 'same-site'},
      false,
    ],
    [
      'another port or subdomain writes, with the lake’s origin',
      'POST',
      {host: 'localhost:3333', origin: 'http://localhost:3333', 'sec-fetch-site': 'same-site'},
      false,
    ],
    ['another site reads', 'GET', {host: 'localhost:3333', 'sec-fetch-site': 'cross-site'}, false],
    ['another site reads with CORS', 'GET', {host: 'localhost:3333', origin: 'https://evil.example'}, false],
  ]
  for (const [why, method, headers, accepted] of rows) {
    assert.equal(comesFromOurPage(headers, method, ours), accepted, why)
  }
})
