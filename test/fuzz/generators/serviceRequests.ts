import fc from 'fast-check'
import {hardPath, wildPath} from '../../support/patterns.ts'
import type {FuzzRequest, Role} from '../wire/request.ts'
import {brokenJson, jsonString, objectOf, wildJson} from './json.ts'
import {malformed} from './malformed.ts'
import {type Parts, requestOf, search, segment} from './parts.ts'
import {repeated, wildText} from './text.ts'

/** Public ids of the sites that exist while the service is fuzzed. */
export const PUBLIC_IDS = ['shop-public', 'globs-public'] as const

const publicId = fc.oneof(
  {weight: 8, arbitrary: fc.constantFrom(...PUBLIC_IDS)},
  {weight: 2, arbitrary: segment},
  {weight: 1, arbitrary: fc.stringMatching(/^[a-z0-9-]{1,40}$/)},
)

/** Paths of pages: what matchers go on for long with, escapes, dots, and all kinds of text. */
const pagePath = fc.oneof(
  {weight: 3, arbitrary: hardPath},
  {weight: 3, arbitrary: wildPath},
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '/',
      '/products/7',
      '/contact',
      '//',
      '/..',
      '/%2e%2e/',
      '/%',
      '/%zz',
      '/a?b#c',
      '',
    ),
  },
  {weight: 2, arbitrary: wildText},
  {
    weight: 1,
    arbitrary: repeated(
      fc.constantFrom('/a', '/%C3%A9', '/..', '{a,', '*', '/-', '😀', '%'),
      fc.integer({min: 1, max: 3_000}),
    ),
  },
)

const search1 = pagePath.map((path) => `?path=${encodeURIComponent(path.toWellFormed()).slice(0, 30_000)}`)
const rawPath = wildText.map(
  (path) =>
    `?path=${Buffer.from(path)
      .toString('latin1')
      .replaceAll(/[\0\r\n ]/g, '')}`,
)
const query = fc.oneof(
  {weight: 8, arbitrary: search1},
  {weight: 2, arbitrary: rawPath},
  {weight: 2, arbitrary: search({path: pagePath})},
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '?',
      '?path',
      '?path=',
      '?path=a&path=b',
      '?path[]=a',
      '?path[a]=b',
      '?PATH=/',
    ),
  },
)

const GET = (target: fc.Arbitrary<string>): fc.Arbitrary<Parts> =>
  target.map((path) => ({method: 'GET', target: path, body: undefined}))

const hex = fc.oneof(fc.stringMatching(/^[0-9a-f]{64}$/), segment)

const parts: fc.Arbitrary<Parts> = fc.oneof(
  {
    weight: 12,
    arbitrary: GET(fc.tuple(publicId, query).map(([id, rest]) => `/api/sites/${id}/config${rest}`)),
  },
  {
    weight: 3,
    arbitrary: GET(
      fc
        .tuple(publicId, segment, hex)
        .map(([id, tool, revision]) => `/api/sites/${id}/tools/${tool}/${revision}.js`),
    ),
  },
  {
    weight: 4,
    arbitrary: GET(fc.tuple(publicId, query).map(([id, rest]) => `/api/sites/${id}/preview${rest}`)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(publicId, fc.oneof(objectOf({secret: jsonString}), wildJson, brokenJson))
      .map(([id, body]) => ({method: 'POST', target: `/api/sites/${id}/preview`, body})),
  },
  {
    weight: 1,
    arbitrary: GET(
      fc
        .tuple(publicId, segment, segment, hex)
        .map(
          ([id, ticket, tool, revision]) =>
            `/api/sites/${id}/preview/scripts/${ticket}/${tool}/${revision}.js`,
        ),
    ),
  },
  {weight: 1, arbitrary: GET(fc.oneof(segment, fc.constant('x')).map((hash) => `/snippet.${hash}.js`))},
  {
    weight: 2,
    arbitrary: GET(
      fc.constantFrom('/snippet.js', '/healthz', '/readyz', '/metrics', '/openapi.json', '/', '/favicon.ico'),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
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
  },
  {weight: 2, arbitrary: GET(fc.array(segment, {maxLength: 6}).map((list) => `/${list.join('/')}`))},
  {
    weight: 1,
    arbitrary: fc
      .tuple(publicId, fc.oneof(wildJson, brokenJson))
      .map(([id, body]) => ({method: 'POST', target: `/api/sites/${id}/config`, body})),
  },
)

const role = fc.oneof(
  {weight: 6, arbitrary: fc.constant<Role>('stranger')},
  {weight: 2, arbitrary: fc.constant<Role>('previewer')},
  {weight: 1, arbitrary: fc.constant<Role>('sanity')},
)

const paths = fc.constantFrom(
  '/healthz',
  '/api/sites/shop-public/config?path=/',
  '/webhooks/sanity',
  '/snippet.js',
  '/nowhere',
)

/** Any request to the service. */
export const serviceRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  {weight: 12, arbitrary: requestOf(parts, role)},
  {weight: 2, arbitrary: malformed(paths, role)},
)
