import fc from 'fast-check'
import {hardPath, wildPath} from '../../schemas/rules/paths/patterns.ts'
import {words} from '../../support/words.ts'
import {brokenJson, jsonString, objectOf, wildJson} from './json.ts'
import {type FuzzRequest, type Parts, type Role, requestOf, search, segment} from './parts.ts'
import {oddNumber, repeated, weighted, wildText} from './text.ts'

/** Public ids of the sites that exist while the service is fuzzed. */
export const PUBLIC_IDS = ['shop-public', 'globs-public'] as const

const publicId = fc.oneof(
  weighted(8, fc.constantFrom(...PUBLIC_IDS)),
  weighted(2, segment),
  weighted(1, fc.stringMatching(/^[a-z0-9-]{1,40}$/)),
)

/** Paths of pages: what matchers go on for long with, escapes, dots, and all kinds of text. */
const pagePath = fc.oneof(
  weighted(3, hardPath),
  weighted(3, wildPath),
  weighted(2, fc.constantFrom(...words(`/ /products/7 /contact // /.. /%2e%2e/ /% /%zz /a?b#c`), '')),
  weighted(2, wildText),
  weighted(
    1,
    repeated(
      fc.constantFrom('/a', '/%C3%A9', '/..', '{a,', '*', '/-', '😀', '%'),
      fc.integer({min: 1, max: 3_000}),
    ),
  ),
)

const search1 = pagePath.map((path) => `?path=${encodeURIComponent(path.toWellFormed()).slice(0, 30_000)}`)
const rawPath = wildText.map(
  (path) =>
    `?path=${Buffer.from(path)
      .toString('latin1')
      .replaceAll(/[\0\r\n ]/g, '')}`,
)
const query = fc.oneof(
  weighted(8, search1),
  weighted(2, rawPath),
  weighted(2, search({path: pagePath})),
  weighted(
    1,
    fc.constantFrom('', '?', '?path', '?path=', '?path=a&path=b', '?path[]=a', '?path[a]=b', '?PATH=/'),
  ),
)

const GET = (target: fc.Arbitrary<string>): fc.Arbitrary<Parts> =>
  target.map((path) => ({method: 'GET', target: path, body: undefined}))

const callRows = fc
  .array(
    fc
      .tuple(
        fc.oneof(fc.constantFrom('"searchProducts"', '"tool7"'), jsonString),
        fc.oneof(fc.constantFrom('"ok"', '"error"', '"declined"'), jsonString),
        fc.oneof(fc.constantFrom('0', '9'), oddNumber),
        fc.oneof(fc.constantFrom('1', '200'), oddNumber),
        fc.oneof(
          fc.constant(''),
          fc.constant(',"0123456789abcdef"'),
          wildJson.map((json) => `,${json}`),
        ),
      )
      .map(([name, outcome, bucket, count, hash]) => `[${name},${outcome},${bucket},${count}${hash}]`),
    {maxLength: 120},
  )
  .map((rows) => `[${rows.join(',')}]`)

const hex = fc.oneof(fc.stringMatching(/^[0-9a-f]{64}$/), segment)

const parts: fc.Arbitrary<Parts> = fc.oneof(
  weighted(12, GET(fc.tuple(publicId, query).map(([id, rest]) => `/api/sites/${id}/config${rest}`))),
  weighted(
    3,
    GET(
      fc
        .tuple(publicId, segment, hex)
        .map(([id, tool, revision]) => `/api/sites/${id}/tools/${tool}/${revision}.js`),
    ),
  ),
  weighted(4, GET(fc.tuple(publicId, query).map(([id, rest]) => `/api/sites/${id}/preview${rest}`))),
  weighted(
    1,
    fc
      .tuple(publicId, fc.oneof(objectOf({secret: jsonString}), wildJson, brokenJson))
      .map(([id, body]) => ({method: 'POST', target: `/api/sites/${id}/preview`, body})),
  ),
  weighted(
    1,
    GET(
      fc
        .tuple(publicId, segment, segment, hex)
        .map(
          ([id, ticket, tool, revision]) =>
            `/api/sites/${id}/preview/scripts/${ticket}/${tool}/${revision}.js`,
        ),
    ),
  ),
  weighted(1, GET(fc.oneof(segment, fc.constant('x')).map((hash) => `/snippet.${hash}.js`))),
  weighted(2, GET(fc.constantFrom('/snippet.js', '/healthz', '/readyz', '/metrics', '/', '/favicon.ico'))),
  weighted(
    3,
    fc
      .oneof(
        objectOf({
          _id: jsonString,
          _type: fc.constantFrom('"site"', '"tool"', '"formTool"', '"x"'),
          before: wildJson,
          after: wildJson,
          publicIds: wildJson,
          sites: wildJson,
        }),
        wildJson,
        brokenJson,
      )
      .map((body) => ({method: 'POST', target: '/webhooks/sanity', body})),
  ),
  weighted(
    3,
    fc
      .tuple(publicId, fc.oneof(weighted(4, objectOf({calls: callRows})), weighted(1, brokenJson)))
      .map(([id, body]) => ({method: 'POST', target: `/api/sites/${id}/calls`, body, type: 'text/plain'})),
  ),
  weighted(2, GET(fc.array(segment, {maxLength: 6}).map((list) => `/${list.join('/')}`))),
  weighted(
    1,
    fc
      .tuple(publicId, fc.oneof(wildJson, brokenJson))
      .map(([id, body]) => ({method: 'POST', target: `/api/sites/${id}/config`, body})),
  ),
)

const role = fc.oneof(
  weighted(6, fc.constant<Role>('stranger')),
  weighted(2, fc.constant<Role>('previewer')),
  weighted(1, fc.constant<Role>('sanity')),
)

/** Any request to the service. */
export const serviceRequest: fc.Arbitrary<FuzzRequest> = requestOf(parts, role)
