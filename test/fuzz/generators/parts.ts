import fc from 'fast-check'
import {words} from '../../support/words.ts'
import {brokenJson, deepJson} from './json.ts'
import {oddName, repeated, weighted, wildText} from './text.ts'

/** Who sends a request. The last two sign its body as the sender of a webhook does; `previewer` is a page with drafts. */
export type Role = 'stranger' | 'viewer' | 'editor' | 'session' | 'previewer' | 'sanity' | 'gitHost'

/** A request without what proves its role. */
export type FuzzRequest = {
  readonly role: Role
  /** Which client address sends it. */
  readonly client: number
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: {readonly [name: string]: string}
  readonly body: string | undefined
}

/** The bytes of a text in UTF-8, one character each. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1')

/** A text without the bytes that would end a line or a word of a request line. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
/** A part of a path: as it should be, encoded, or raw. */
export const segment = fc.oneof(
  weighted(3, oddName.map(encoded)),
  weighted(
    2,
    wildText.map((text) => encoded(text).slice(0, 6_000)),
  ),
  weighted(2, fc.constantFrom(...words(`.. . %2e%2e %2e%2e%2f ..%2f..%2f %5c.. %00 % %zz %c0%ae ;x=1`))),
  weighted(
    1,
    wildText.map((text) => utf8(text).replaceAll(/[\0\r\n ?#]/g, '')),
  ),
)

/** `name=value` pairs of a query string, of which some are odd. */
export function search(pairs: {readonly [name: string]: fc.Arbitrary<string>}): fc.Arbitrary<string> {
  const known = Object.entries(pairs).map(([name, value]) =>
    value.map((text) => `${encodeURIComponent(name)}=${encoded(text)}`),
  )
  const odd = fc.oneof(
    fc.tuple(segment, segment).map((pair) => pair.join('=')),
    repeated(fc.constantFrom('&', 'a&', 'a=b&', '[]=', '%', 'a[0]=1&'), fc.integer({min: 1, max: 2_000})),
    fc.constantFrom('&&&', '=', '%zz=1', 'a=%', '__proto__=1', '$=1', '$x=', '$x={', 'query[]=1'),
  )
  const pair = known.length === 0 ? odd : fc.oneof(weighted(8, fc.oneof(...known)), weighted(1, odd))
  return fc.array(pair, {maxLength: 4}).map((list) => (list.length === 0 ? '' : `?${list.join('&')}`))
}

/** What a request is made of, before its framing. */
export type Parts = {
  readonly method: string
  readonly target: string
  readonly body: string | undefined
  readonly type?: string
}

/** True once in so many times. */
function seldom<T>(value: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> {
  return fc.oneof(weighted(times - 1, fc.constant(undefined)), weighted(1, value))
}

/** Headers that change how a request is understood: each is one that some part of the servers reads. */
const oddHeader = fc.tuple(
  fc.constantFrom(
    ...words(`
      accept accept-encoding if-none-match if-modified-since range cookie origin referer x-forwarded-for
      x-forwarded-proto x-forwarded-host forwarded authorization last-event-id x-sanity-project-id
      sec-fetch-site x-http-method-override content-encoding content-type user-agent sanity-webhook-signature
      idempotency-key x-hub-signature-256 x-gitlab-token webhook-signature`),
  ),
  fc.oneof(
    wildText.map((text) =>
      utf8(text)
        .replaceAll(/[^ -~\x80-\xff]/g, '')
        .slice(0, 8_000),
    ),
    fc.constantFrom(
      ...[
        'null',
        '*',
        '"',
        'W/"a", "b"',
        'W/',
        'bytes=0-0,1-2,-',
        ',,;q=x',
        'gzip;q=0, *;q=0',
        'identity;q=0',
      ],
      ...[
        'Bearer ',
        'Bearer x',
        'Basic YTpi',
        'handrail_session=forged; handrail_session=x',
        ';;==;',
        'gzip',
      ],
      ...[
        '[fe80::1%eth0]:5001, 127.0.0.1:80',
        '[',
        ':,:,:',
        'unknown, ::1, 1.2.3.4:5',
        'https',
        'cross-site',
      ],
      ...['text/html', 'text/plain', 'multipart/form-data; boundary=x', 'application/json;; charset=utf-16'],
    ),
    repeated(fc.constantFrom('"a",', 'W/"x", ', 'a/b;c=d,', 'a=b; '), fc.integer({min: 1, max: 1_000})),
  ),
)

/** Requests of these parts: mostly as HTTP says, with the right content type, and without odd headers. */
export function requestOf(parts: fc.Arbitrary<Parts>, roles: fc.Arbitrary<Role>): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      parts,
      role: roles,
      client: fc.nat(99),
      method: seldom(fc.constantFrom('HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'), 20),
      body: seldom(fc.oneof(brokenJson, deepJson, wildText), 16),
      headers: fc.array(oddHeader, {maxLength: 3, size: '-1'}),
    })
    .map(({parts: {target, type = 'application/json', ...part}, role, client, headers, ...odd}) => {
      const body = odd.body ?? part.body
      return {
        role,
        client,
        method: odd.method ?? part.method,
        target: target.replaceAll(/[^\x21-\xff]/g, ''),
        headers: {...(body !== undefined && {'content-type': type}), ...Object.fromEntries(headers)},
        body,
      }
    })
}
