import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseAddress, parseAddresses, parseOrigin, parseOrigins} from '../../../schemas/rules/origin.ts'
import {accepted, problemOf} from './problem.ts'

const ACCEPTED = [
  'https://www.example.com',
  'https://www.example.com:8443',
  'https://xn--bcher-kva.example',
  'https://192.0.2.1',
  'http://localhost',
  'http://localhost:3001',
  'http://shop.localhost:3001',
  'http://127.0.0.1:8080',
  'http://127.9.9.9',
  'http://[::1]:3000',
]
for (const origin of ACCEPTED) {
  test(`${origin} is a secure origin`, () => assert.equal(accepted(parseOrigin(origin)), origin))
}

const REFUSED: [origin: unknown, problem: RegExp][] = [
  [undefined, /missing/],
  [3, /must be text/],
  ['', /empty/],
  ['*', /list each origin/],
  ['null', /list each origin/],
  ['https://*.example.com', /wildcard/],
  ['www.example.com', /no scheme: type "https:\/\/www\.example\.com"/],
  ['www.example.com:8443', /no scheme: type "https:\/\/www\.example\.com:8443"/],
  ['localhost:3000', /no scheme: type "http:\/\/localhost:3000"/],
  ['http://www.example.com', /not secure: type "https:\/\/www\.example\.com"/],
  ['http://127.0.0.1.example.com', /not secure/],
  ['http://notlocalhost', /not secure/],
  ['http://128.0.0.1', /not secure/],
  ['https://www.example.com/', /type "https:\/\/www\.example\.com"/],
  ['https://www.example.com/shop?x#y', /type "https:\/\/www\.example\.com"/],
  ['https://www.example.com:443', /type "https:\/\/www\.example\.com"/],
  ['HTTPS://WWW.Example.com', /type "https:\/\/www\.example\.com"/],
  ['https://bücher.example', /type "https:\/\/xn--bcher-kva\.example"/],
  ['https://ann:secret@www.example.com', /type "https:\/\/www\.example\.com"/],
  [' https://www.example.com', /type "https:\/\/www\.example\.com"/],
  ['ftp://www.example.com', /not the origin of a web page/],
  ['file:///shop', /not the origin of a web page/],
  ['javascript:alert(1)', /not the origin of a web page|no scheme/],
  ['https://', /not the origin of a web page/],
  ['https://a b', /not the origin of a web page/],
]
for (const [origin, problem] of REFUSED) {
  test(`${JSON.stringify(origin)} is refused as an origin: ${problem.source}`, () => {
    assert.match(problemOf(parseOrigin(origin)) ?? '', problem)
  })
}

const COPIED: [address: string, origin: string][] = [
  ['https://www.example.com', 'https://www.example.com'],
  ['https://www.example.com/', 'https://www.example.com'],
  ['https://www.example.com/shop?x#y', 'https://www.example.com'],
  [' HTTPS://WWW.Example.com:443 ', 'https://www.example.com'],
  ['http://127.0.0.1:4110/opening-hours', 'http://127.0.0.1:4110'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example'],
  ['www.example.com/shop', 'https://www.example.com'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['localhost:3001/', 'http://localhost:3001'],
]
for (const [address, origin] of COPIED) {
  test(`the address ${JSON.stringify(address)} of a site is reduced to ${origin}`, () => {
    assert.equal(accepted(parseAddress(address)), origin)
    assert.deepEqual(accepted(parseAddresses([address])), [origin])
  })
}

test('an address of a site must be one that pages with tools can have', () => {
  assert.match(problemOf(parseAddress('http://www.example.com/shop')) ?? '', /not secure/)
  assert.match(problemOf(parseAddress('https://*.example.com/')) ?? '', /wildcard/)
  for (const text of ['shop', 'ada@example.com', 'Not sure yet.', '*.example.com'])
    assert.equal(parseAddress(text).ok, false, text)
  assert.match(problemOf(parseAddresses(['https://a.example/x', 'https://a.example/y'])) ?? '', /twice/)
  assert.match(problemOf(parseAddresses(['https://a.example', 3])) ?? '', /must be text/)
})

test('a tool without origins has an empty list', () => {
  for (const value of [undefined, null, []]) assert.deepEqual(accepted(parseOrigins(value)), [])
})

test('a list of origins keeps its order', () => {
  const origins = ['https://b.example', 'https://a.example']
  assert.deepEqual(accepted(parseOrigins(origins)), origins)
})

test('one invalid or duplicate origin makes the whole list invalid', () => {
  assert.match(problemOf(parseOrigins(['https://a.example', 'http://b.example'])) ?? '', /not secure/)
  assert.match(problemOf(parseOrigins(['https://a.example', 'https://a.example'])) ?? '', /twice/)
  assert.match(problemOf(parseOrigins([null])) ?? '', /missing/)
  assert.match(problemOf(parseOrigins('https://a.example')) ?? '', /list/)
})
