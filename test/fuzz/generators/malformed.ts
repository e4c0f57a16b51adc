import fc from 'fast-check'
import type {FuzzRequest, Role} from '../wire/request.ts'
import {repeated} from './text.ts'

/** Requests that are wrong before they are routed: lines, framing and headers. */
export function malformed(paths: fc.Arbitrary<string>, roles: fc.Arbitrary<Role>): fc.Arbitrary<FuzzRequest> {
  const line = fc.oneof(
    fc
      .tuple(fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT'), paths)
      .map(([method, path]) => `${method} ${path} HTTP/1.1`),
    paths.chain((path) =>
      fc.constantFrom(
        ...[
          `GET ${path} HTTP/1.0`,
          `GET ${path} HTTP/0.9`,
          `GET ${path}`,
          `GET  ${path} HTTP/1.1`,
          `get ${path} HTTP/1.1`,
        ],
        ...[
          `GET http://evil.example${path} HTTP/1.1`,
          `GET ${path}#x HTTP/1.1`,
          `GET ${path} HTTP/2.0`,
          `\r\n\r\nGET ${path} HTTP/1.1`,
        ],
      ),
    ),
    fc.constantFrom(
      ...[
        'CONNECT 127.0.0.1:1 HTTP/1.1',
        'OPTIONS * HTTP/1.1',
        'PRI * HTTP/2.0',
        '\x16\x03\x01\x02\x00\x01\x00',
        '\0',
        '',
      ],
      ...[
        'G\0T / HTTP/1.1',
        'GET \xff HTTP/1.1',
        'GET //evil.example/ HTTP/1.1',
        'GET ? HTTP/1.1',
        'GET /\t HTTP/1.1',
      ],
    ),
    repeated(
      fc.constantFrom('a', '/', '%41', '?', 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'),
      fc.integer({min: 1, max: 2_000}),
    ).map((text) => `GET /${text} HTTP/1.1`),
  )
  const header = fc.oneof(
    fc.constantFrom(
      ...['host: a', 'host: b', 'host:', 'host: a b', 'host: [', 'content-length: 5', 'content-length: -1'],
      ...[
        'content-length: 99999999999999999999',
        'content-length: 5, 5',
        'content-length: 0x5',
        'content-length: 4194304',
      ],
      ...[
        'transfer-encoding: chunked',
        'transfer-encoding: chunked, identity',
        'transfer-encoding : chunked',
      ],
      ...[
        'transfer-encoding: xchunked',
        'expect: 100-continue',
        'expect: nonsense',
        ' folded',
        '\tfolded',
        'no-colon',
      ],
      ...[
        ': x',
        '\0: x',
        'a\0: x',
        'a: \0',
        'a: \r',
        'upgrade: h2c',
        'upgrade: websocket',
        'connection: upgrade',
      ],
      ...[
        'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-version: 13',
        'sec-websocket-version: 99',
      ],
      ...[
        'connection: close',
        'connection: host',
        'content-type: application/json',
        'trailer: host',
        'http2-settings: AAMAAABk',
      ],
    ),
    repeated(fc.constantFrom('a', 'a,', 'a=b;'), fc.integer({min: 1, max: 9_000})).map(
      (text) => `x: ${text}`,
    ),
    repeated(fc.constantFrom('x: 1\r\n', 'cookie: a=b\r\n'), fc.integer({min: 1, max: 2_500})).map(
      (text) => `${text}y: 1`,
    ),
  )
  const body = fc.oneof(
    fc.constantFrom(
      ...[
        '',
        'hello',
        '5\r\nhello\r\n0\r\n\r\n',
        'ffffffffffffffff\r\n',
        '-1\r\n',
        'zz\r\n',
        '5;a=b\r\nhello\r\n0\r\n\r\n',
      ],
      ...[
        '0\r\nhost: evil\r\n\r\n',
        '5\r\nhel',
        '0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
        '5\nhello\n0\n\n',
      ],
    ),
    repeated(
      fc.constantFrom('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n', '1\r\na\r\n', '\r\n', 'a: b\r\n'),
      fc.integer({min: 1, max: 500}),
    ),
  )
  return fc.record({
    role: roles,
    client: fc.nat(99),
    line,
    headers: fc
      .tuple(
        fc.constantFrom<string[]>(['host: {host}'], ['host: {host}'], []),
        fc.array(header, {maxLength: 4}),
      )
      .map(([first, rest]) => [...first, ...rest]),
    body,
    leavesEarly: fc.boolean(),
  })
}
