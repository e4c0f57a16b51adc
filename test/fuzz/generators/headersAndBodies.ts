import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {words} from '../../support/words.ts'
import {utf8} from '../wire/request.ts'
import {brokenJson, deepJson} from './json.ts'
import {repeated, weighted, wildText} from './text.ts'

/** Bytes that a header value may have. */
const headerValue = wildText.map((text) => utf8(text).replaceAll(/[\0\r\n]/g, ''))

/** Headers that change how a request is understood. Each name is one that some part of the servers reads. */
export const oddHeader = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        ...words(`
          accept accept-encoding if-none-match if-modified-since range cookie origin referer x-forwarded-for
          x-forwarded-proto x-forwarded-host forwarded authorization last-event-id x-sanity-project-id
          sec-fetch-site te x-http-method-override content-encoding user-agent sanity-webhook-signature
          idempotency-key x-hub-signature-256 x-gitlab-token webhook-signature`),
      ),
      headerValue,
    )
    .map(([name, value]) => `${name}: ${value.slice(0, 12_000)}`),
  fc.constantFrom(
    ...['accept: text/html', 'accept: */*;q=0', 'accept: ,,;q=x', 'accept: application/vnd.sanity+json'],
    ...[
      'accept-encoding: br',
      'accept-encoding: gzip;q=0, *;q=0',
      'accept-encoding: identity;q=0',
      'accept-encoding: ,',
    ],
    ...[
      'if-none-match: *',
      'if-none-match: "',
      'if-none-match: W/"a", "b"',
      'if-none-match: W/',
      'range: bytes=0-0,1-2,-',
    ],
    ...['origin: null', 'origin: http://evil.example', 'origin: http://{host}', 'sec-fetch-site: cross-site'],
    ...['cookie: handrail_session=', 'cookie: handrail_session=forged; handrail_session=x', 'cookie: ;;==;'],
    ...[
      'authorization: Bearer ',
      'authorization: Bearer x',
      'authorization: Basic YTpi',
      'authorization: Digest',
    ],
    ...[
      'x-forwarded-for: [fe80::1%eth0]:5001, 127.0.0.1:80',
      `x-forwarded-for: ${'127.0.0.1, '.repeat(500)}`,
    ],
    ...['x-forwarded-for: [', 'x-forwarded-for: %', 'x-forwarded-for: :,:,:', 'x-forwarded-for: 127.0.0.1:'],
    ...['x-forwarded-for: 127.0.0.1', 'x-forwarded-for: unknown, ::1, 1.2.3.4:5', 'x-forwarded-proto: https'],
    ...[
      'content-encoding: gzip',
      'content-encoding: br',
      'x-http-method-override: DELETE',
      'expect: 100-continue',
    ],
    ...[
      'last-event-id: -1',
      'x-sanity-project-id: other',
      'connection: keep-alive, upgrade',
      'upgrade: websocket',
    ],
  ),
  repeated(
    fc.constantFrom('"a",', 'W/"x", ', 'gzip;q=0.1,', 'a/b;c=d,', 'a=b; '),
    fc.integer({min: 1, max: 2_000}),
  ).map((text) => `if-none-match: ${text}`),
)

/** Content types that the servers read, and that a page of another site can send without a preflight. */
export const contentType = fc.constantFrom(
  ...words(`
    application/json application/x-www-form-urlencoded text/plain application/octet-stream
    application/x-ndjson text/html ; a application/merge-patch+json application/JSON;; */*`),
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=x',
  '',
  'application/json, text/plain',
)

/** Sizes of a large body: up to what routes accept. */
const largeSize = fc.constantFrom(1_000, 9_999, 100_000, 1_000_000, 4_100_000)

/** Bodies of any kind. */
export const anyBody = fc.oneof(
  weighted(3, fc.oneof(brokenJson, deepJson).map(utf8)),
  weighted(2, wildText.map(utf8)),
  weighted(
    1,
    fc
      .tuple(
        fc.constantFrom('a&', 'a=b&', '[', '{"a":', '%41', '&', '"\\u0000",', 'a=%zz&', '\0', '[],', '\xff'),
        largeSize,
      )
      .map(([unit, size]) => unit.repeat(Math.ceil(size / unit.length))),
  ),
  weighted(
    1,
    wildText.map((text) => gzipSync(text).toString('latin1')),
  ),
  weighted(
    1,
    fc.constantFrom('--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n', '--x\r\n'),
  ),
)
