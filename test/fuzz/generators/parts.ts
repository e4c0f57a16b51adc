import fc from 'fast-check'
import {words} from '../../support/words.ts'
import {type FuzzRequest, type Role, utf8} from '../wire/request.ts'
import {anyBody, contentType, oddHeader} from './headersAndBodies.ts'
import {oddName, repeated, weighted, wildText} from './text.ts'

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

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
  'QUERY',
  'SEARCH',
] as const

/** True once in so many times. */
function seldom<T>(value: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> {
  return fc.oneof(weighted(times - 1, fc.constant(undefined)), weighted(1, value))
}

/** Requests of these parts: mostly framed as HTTP says, with the right content type, and without odd headers. */
export function requestOf(parts: fc.Arbitrary<Parts>, roles: fc.Arbitrary<Role>): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      parts,
      role: roles,
      client: fc.nat(99),
      method: seldom(fc.constantFrom(...METHODS), 20),
      type: seldom(contentType, 9),
      body: seldom(anyBody, 16),
      headers: fc.oneof(
        weighted(3, fc.constant<string[]>([])),
        weighted(1, fc.array(oddHeader, {minLength: 1, maxLength: 3})),
      ),
      leavesEarly: fc.oneof(weighted(19, fc.constant(false)), weighted(1, fc.constant(true))),
    })
    .map(
      ({
        parts: {target, type: usual = 'application/json', ...part},
        role,
        client,
        type,
        headers,
        leavesEarly,
        ...odd
      }) => {
        const method = odd.method ?? part.method
        const body = odd.body ?? (part.body === undefined ? undefined : utf8(part.body))
        const framing =
          body === undefined ? [] : [`content-type: ${type ?? usual}`, `content-length: ${body.length}`]
        return {
          role,
          client,
          line: `${method} ${target} HTTP/1.1`,
          headers: ['host: {host}', 'connection: close', ...framing, ...headers],
          body: body ?? '',
          leavesEarly,
        }
      },
    )
}
