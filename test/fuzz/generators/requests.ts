import fc from 'fast-check'
import {words} from '../../support/words.ts'
import {brokenJson, deepJson, wildJson} from './json.ts'
import {bounded, oddName, repeated, times, weighted, wildText} from './text.ts'

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

/** A good request, and how often it is taken. Each `<name>` in its target and its body stands for the slot of that name. */
export type Sample = readonly [
  weight: number,
  line: string,
  /** JSON, or text with its type. */
  body?: unknown,
  type?: string,
]

/** What a place of a sample may be: JSON in a body of JSON, otherwise text. */
export type Slots = {readonly [name: string]: fc.Arbitrary<string>}

const FORM = 'application/x-www-form-urlencoded'

/** The bytes of a text in UTF-8, one character each. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1')

/** A text without the bytes that would end a line or a word of a request line. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

/** A part of a path, or a pair of a query, that is none: encoded, or raw. */
const oddPart = fc.oneof(
  oddName.map(encoded),
  wildText.map((text) => encoded(text).slice(0, 6_000)),
  wildText.map((text) => utf8(text).replaceAll(/[\0\r\n ?#]/g, '')),
  fc.constantFrom(...words(`.. . %2e%2e %2e%2e%2f ..%2f..%2f %5c.. %00 % %zz %c0%ae ;x=1 v0 v2025-13-45 V1`)),
  fc.constantFrom(
    ...words(`&&& = ?a=b %zz=1 a=% __proto__=1 $=1 $x= $x={ query[]=1 path[a]=b path=a&path=b`),
    '',
  ),
  repeated(fc.constantFrom('&', 'a&', 'a=b&', '[]=', '%', 'a[0]=1&'), fc.integer({min: 1, max: 2_000})),
)

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
      ...words(
        `null * " W/ bytes=0-0,1-2,- ,,;q=x Bearer ;;==; gzip [ :,:,: https cross-site text/html text/plain`,
      ),
      ...['W/"a", "b"', 'gzip;q=0, *;q=0', 'Bearer x', 'Basic YTpi', 'application/json;; charset=utf-16'],
      ...['handrail_session=forged; handrail_session=x', 'multipart/form-data; boundary=x'],
      ...['[fe80::1%eth0]:5001, 127.0.0.1:80', 'unknown, ::1, 1.2.3.4:5'],
    ),
    repeated(fc.constantFrom('"a",', 'W/"x", ', 'a/b;c=d,', 'a=b; '), fc.integer({min: 1, max: 1_000})),
  ),
)

/** A text with its slots filled, as a pattern finds them. */
function filled(text: string, pattern: RegExp, slots: Slots, write = (value: string) => value) {
  const parts = text.split(pattern).map((part, at) => {
    const slot = slots[part]
    return at % 2 === 1 && slot !== undefined ? slot.map(write) : fc.constant(part)
  })
  return fc.tuple(...parts).map((list) => list.join(''))
}

/** The text of a body, in which one value is any JSON, or missing. */
function withHole(body: unknown, at: number, isMissing: boolean): string {
  let count = -1
  const hole = isMissing ? undefined : '<json>'
  return JSON.stringify(body, (_, value: unknown) => (++count === at ? hole : value)) ?? ''
}

/** Repeats the entries of the first list in a text. */
function longer(text: string, count: number): string {
  return text.replace(/\[([[{].*[\]}])\]/, (_, entries: string) => {
    return `[${Array(bounded(Math.min(count, 3_000), entries.length))
      .fill(entries)
      .join(',')}]`
  })
}

/** Replaces one part of a path or a query. */
function withPart(target: string, [at, odd]: [number, string]): string {
  const parts = target.slice(1).split(/([/?&])/)
  return `/${parts.with(2 * (at % Math.ceil(parts.length / 2)), odd).join('')}`
}

/**
 * Requests like the samples: with other values in their slots, and sometimes something odd in an address, a body, a header or
 * the method.
 */
export function requestsLike(
  samples: readonly Sample[],
  own: Slots,
  roles: fc.Arbitrary<Role>,
): fc.Arbitrary<FuzzRequest> {
  const slots = {...own, json: wildJson}
  const sample = fc.oneof(...samples.map((one) => weighted(one[0], fc.constant(one))))
  return fc
    .tuple(sample, seldom(fc.nat(30), 2), fc.boolean())
    .chain(([[, line, body, type = 'application/json'], hole = -1, isMissing]) => {
      const [method = '', target = ''] = line.split(/ (.*)/)
      return fc
        .record({
          target: filled(target, /<(\w+)>/, slots, encoded),
          text:
            typeof body === 'string' && type === FORM
              ? filled(body, /<(\w+)>/, slots, encoded)
              : filled(withHole(body, hole, isMissing), /"<(\w+)>"/, slots),
          role: roles,
          client: fc.nat(99),
          count: seldom(times, 20),
          part: seldom(fc.tuple(fc.nat(20), oddPart), 5),
          method: seldom(fc.constantFrom(...words('HEAD POST PUT PATCH DELETE OPTIONS QUERY')), 20),
          body: seldom(fc.oneof(brokenJson, deepJson, wildText), 16),
          headers: fc.array(oddHeader, {maxLength: 3, size: '-1'}),
        })
        .map(({target, text, role, client, count, part, headers, ...odd}) => {
          const own = body === undefined ? undefined : count === undefined ? text : longer(text, count)
          const sent = odd.body ?? own
          const address = part === undefined ? target : withPart(target, part)
          return {
            role,
            client,
            method: odd.method ?? method,
            target: address.replaceAll(/[^\x21-\xff]/g, '').slice(0, 30_000),
            headers: {...(sent !== undefined && {'content-type': type}), ...Object.fromEntries(headers)},
            body: sent,
          }
        })
    })
}
