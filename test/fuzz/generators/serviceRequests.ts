import fc from 'fast-check'
import {hardPath, wildPath} from '../../schemas/rules/paths/patterns.ts'
import {words} from '../../support/words.ts'
import {jsonString} from './json.ts'
import {type FuzzRequest, requestsLike, type Sample, type Slots} from './requests.ts'
import {oddNumber, repeated, weighted, wildText} from './text.ts'

/** Public ids of the sites that exist while the service is fuzzed. */
export const PUBLIC_IDS = ['shop-public', 'globs-public'] as const

const SLOTS: Slots = {
  site: fc.oneof(
    weighted(8, fc.constantFrom(...PUBLIC_IDS)),
    weighted(1, fc.stringMatching(/^[a-z0-9-]{1,40}$/)),
  ),
  /** Paths of pages: what matchers go on for long with, escapes, dots, and all kinds of text. */
  path: fc.oneof(
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
  ),
  hash: fc.oneof(fc.stringMatching(/^[0-9a-f]{64}$/), wildText),
  text: wildText,
  string: jsonString,
  number: oddNumber,
  tool: fc.oneof(fc.constantFrom('"searchProducts"', '"tool7"'), jsonString),
  outcome: fc.oneof(fc.constantFrom('"ok"', '"error"', '"declined"'), jsonString),
  bucket: fc.oneof(fc.constantFrom('0', '9'), oddNumber),
  count: fc.oneof(fc.constantFrom('1', '200'), oddNumber),
  type: fc.constantFrom('"site"', '"tool"', '"formTool"', '"x"'),
}

const SAMPLES: readonly Sample[] = [
  [12, 'GET /api/sites/<site>/config?path=<path>'],
  [2, 'GET /api/sites/<site>/config'],
  [3, 'GET /api/sites/<site>/tools/<text>/<hash>.js'],
  [4, 'GET /api/sites/<site>/preview?path=<path>'],
  [1, 'POST /api/sites/<site>/preview', {code: '<string>', tab: '<string>'}],
  [1, 'GET /api/sites/<site>/preview/scripts/<text>/<text>/<hash>.js'],
  [1, 'GET /snippet.<hash>.js'],
  ...words('/snippet.js /healthz /readyz /metrics / /favicon.ico').map((path): Sample => [1, `GET ${path}`]),
  [
    3,
    'POST /webhooks/sanity',
    {_id: '<string>', _type: '<type>', before: '<json>', after: '<json>', sites: '<json>'},
  ],
  [
    3,
    'POST /api/sites/<site>/calls',
    {
      calls: [
        ['<tool>', '<outcome>', '<bucket>', '<count>'],
        ['<tool>', 'error', 0, '<count>', '0123456789abcdef'],
      ],
    },
    'text/plain',
  ],
  [2, 'GET /<text>/<text>/<text>'],
  [1, 'POST /api/sites/<site>/config', '<json>'],
]

const role = fc.constantFrom('stranger', 'stranger', 'stranger', 'previewer', 'sanity')

/** Any request to the service. */
export const serviceRequest: fc.Arbitrary<FuzzRequest> = requestsLike(SAMPLES, SLOTS, role)
