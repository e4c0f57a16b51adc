import fc from 'fast-check'
import {type FuzzRequest, type Role, utf8} from '../wire/request.ts'
import {groq} from './groq.ts'
import {brokenJson, jsonString, objectOf, wildJson} from './json.ts'
import {oddNumber, weighted, wildText} from './text.ts'

/** A WebSocket frame (RFC 6455 §5.2). The mask is zero, so that the payload is sent as it is. */
function frame(first: number, payload: string, isMasked = true, claimed = payload.length): string {
  const mask = isMasked ? 0x80 : 0
  const length = Buffer.alloc(claimed < 126 ? 1 : claimed < 65_536 ? 3 : 9)
  if (claimed < 126) length.writeUInt8(mask | claimed)
  else if (claimed < 65_536) {
    length.writeUInt8(mask | 126)
    length.writeUInt16BE(claimed, 1)
  } else {
    length.writeUInt8(mask | 127)
    length.writeBigUInt64BE(BigInt(claimed), 1)
  }
  return String.fromCharCode(first) + length.toString('latin1') + (isMasked ? '\0\0\0\0' : '') + payload
}

const TEXT = 0x81

const path = fc
  .tuple(fc.constantFrom('listen', 'live/events', 'query', 'listen/../query'), groq)
  .map(([route, query]) => `/v1/data/${route}/production?query=${encodeURIComponent(query.toWellFormed())}`)

/** What Studio says over its sockets: it opens and closes streams, and tells others where it is. */
const message = fc.oneof(
  objectOf({
    id: oddNumber,
    open: path.map((text) => JSON.stringify(text)),
    headers: objectOf({accept: jsonString, authorization: jsonString, 'last-event-id': jsonString}),
  }),
  objectOf({id: oddNumber, close: fc.constant('true')}),
  objectOf({
    jsonrpc: fc.constant('"2.0"'),
    id: wildJson,
    method: fc.oneof(
      fc.constantFrom(
        '"presence_subscribe"',
        '"presence_announce"',
        '"presence_rollcall"',
        '"presence_unsubscribe"',
      ),
      fc.constantFrom('"presence_disconnect"', '"__proto__"', '"nope"'),
    ),
    params: objectOf({
      data: objectOf({sessionId: jsonString, locations: wildJson}),
      session: jsonString,
      subscriptionId: jsonString,
    }),
  }),
  wildJson,
  brokenJson,
)

const frames = fc.oneof(
  weighted(
    8,
    message.map((text) => frame(TEXT, utf8(text))),
  ),
  weighted(
    2,
    fc
      .tuple(
        fc.constantFrom(0x80, 0x01, 0x02, 0x82, 0x83, 0x88, 0x89, 0x8a, 0xc1, 0xf1, 0x8f),
        wildText,
        fc.boolean(),
      )
      .map(([first, text, isMasked]) => frame(first, utf8(text), isMasked)),
  ),
  weighted(
    1,
    fc.constantFrom(
      frame(TEXT, 'x', true, 65_537),
      frame(TEXT, 'x', true, 2 ** 40),
      frame(TEXT, '\xff'),
      '\xff'.repeat(40),
    ),
  ),
)

/** Openings of the lake's WebSockets with frames right after them. */
export function socketRequest(roles: fc.Arbitrary<Role>): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      role: roles,
      client: fc.nat(99),
      path: fc.constantFrom(
        '/_streams',
        '/_streams',
        '/v1/socket/production',
        '/v1/socket/production',
        '/v1/socket/x',
        '/healthz',
      ),
      origin: fc.oneof(
        weighted(6, fc.constant('origin: http://{host}')),
        weighted(1, fc.constantFrom('origin: null', 'origin: http://evil.example', 'x: 1')),
      ),
      frames: fc.array(fc.tuple(frames, fc.constantFrom(1, 1, 1, 1, 40)), {maxLength: 8}),
      leavesEarly: fc.boolean(),
    })
    .map(({path: target, origin, frames: list, ...rest}) => ({
      ...rest,
      line: `GET ${target} HTTP/1.1`,
      headers: [
        'host: {host}',
        'connection: upgrade',
        'upgrade: websocket',
        'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-version: 13',
        origin,
      ],
      body: list.map(([text, count]) => text.repeat(count)).join(''),
    }))
}
