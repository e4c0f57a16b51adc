import fc from 'fast-check'
import {words} from '../../support/words.ts'
import {groq, narrowFilter} from './groq.ts'
import {brokenJson, jsonString, wildJson} from './json.ts'
import {diff, path} from './patches.ts'
import {type FuzzRequest, type Role, requestsLike, type Sample, type Slots} from './requests.ts'
import {oddName, oddNumber, repeated, weighted, wildText} from './text.ts'

const quoted = (text: string) => JSON.stringify(text)

/** Few ids, so that mutations meet; and odd ones. */
const id = fc.oneof(
  weighted(8, fc.constantFrom('fuzz-1', 'fuzz-2', 'fuzz-3', 'Fuzz-1', 'drafts.fuzz-1', 'drafts.fuzz-2')),
  weighted(2, fc.oneof(oddName, repeated(fc.constantFrom('x', 'ä', '.')))),
)
const oneOf = (prefix: string) =>
  fc
    .oneof(weighted(6, fc.constantFrom(`${prefix}1`, `${prefix}2`, `${prefix}3`)), weighted(1, id))
    .map(quoted)
const jsonText = fc.oneof(wildJson, brokenJson).map((text) => text.slice(0, 3_000))
/** As much of a query as fits into an address. */
const inAddress = groq.map((text) => text.slice(0, 4_000))

const SLOTS: Slots = {
  id: id.map(quoted),
  draft: oneOf('drafts.fuzz-'),
  published: oneOf('fuzz-'),
  type: fc.oneof(weighted(8, fc.constant('fuzz')), weighted(2, fc.oneof(oddName, wildText))).map(quoted),
  string: jsonString,
  number: oddNumber,
  path: path.map(quoted),
  diff: diff.map(quoted),
  place: fc.constantFrom('"after"', '"before"', '"replace"'),
  query: groq.map(quoted),
  filter: narrowFilter.map(quoted),
  transaction: fc.oneof(fc.constantFrom('"t-1"', '"t-2"', '""', '"../x"'), jsonString),
  create: fc.constantFrom('"create"', '"createOrReplace"', '"createIfNotExists"', '"x"'),
  // In addresses.
  version: fc.oneof(
    weighted(12, fc.constant('v2025-02-19')),
    weighted(4, fc.constantFrom('v1', 'vX', 'v2021-03-25', 'v9999-99-99', 'v1.0')),
  ),
  groq: inAddress,
  ids: fc.oneof(
    fc.constantFrom('fuzz-1', 'a-1', 'drafts.fuzz-1', 'fuzz-1,a-1', 'none'),
    repeated(fc.constant('a-1,')),
  ),
  perspective: fc.constantFrom(
    'published',
    'raw',
    'drafts',
    'previewDrafts',
    '',
    'x',
    'raw,published',
    '__proto__',
  ),
  flag: fc.constantFrom('true', 'false', '', '1', '[]'),
  text: wildText,
  value: jsonText,
}

const MUTATE = `POST /<version>/data/mutate/production`
const PATCH = {
  id: '<id>',
  set: {'<path>': '<json>'},
  setIfMissing: {'<path>': '<json>'},
  unset: ['<path>'],
  inc: {'<path>': '<number>'},
  diffMatchPatch: {'<path>': '<diff>'},
}
const DOCUMENT = {
  _id: '<id>',
  _type: '<type>',
  name: '<string>',
  n: '<number>',
  list: ['<json>'],
  any: '<json>',
}
const PAIR = {draftId: '<draft>', publishedId: '<published>'}
const actions = (kind: string, rest: object) => ({
  actions: [{actionType: `sanity.action.document.${kind}`, ...rest}],
})
const ACTIONS = [
  actions('create', {publishedId: '<published>', attributes: DOCUMENT}),
  actions('edit', {...PAIR, patch: {set: {'<path>': '<json>'}, merge: {'<path>': '<json>'}}}),
  actions('publish', PAIR),
  actions('unpublish', PAIR),
  actions('discard', {draftId: '<draft>'}),
  actions('version.discard', {versionId: '<draft>'}),
  actions('replaceDraft', {attributes: DOCUMENT}),
  actions('delete', {publishedId: '<published>', includeDrafts: ['<draft>']}),
]

/** The routes of documents, which a viewer or an editor uses. */
const DATA: readonly Sample[] = [
  [
    10,
    `GET /<version>/data/query/production?query=<groq>&perspective=<perspective>&$id=<value>&returnQuery=<flag>`,
  ],
  [
    2,
    `GET /<version>/data/query/production?query=<groq>&$ids=<value>&$n=<value>&$__proto__=<value>&tag=<text>`,
  ],
  [
    8,
    `POST /<version>/data/query/production`,
    {query: '<query>', params: {id: '<string>', ids: ['<string>'], n: '<number>', deep: '<json>'}},
  ],
  [
    3,
    `${MUTATE}?returnIds=<flag>&returnDocuments=<flag>&visibility=<text>`,
    {mutations: [{'<create>': DOCUMENT}, {patch: PATCH}]},
  ],
  [3, MUTATE, {mutations: [{patch: PATCH}], transactionId: '<transaction>'}],
  [
    3,
    MUTATE,
    {
      mutations: [
        {patch: {id: '<id>', insert: {'<place>': '<path>', items: ['<json>']}, dec: {'<path>': '<number>'}}},
      ],
    },
  ],
  [
    2,
    MUTATE,
    {
      mutations: [
        {patch: {query: '<filter>', params: {a: 1}, set: {'<path>': '<json>'}, ifRevisionID: 'none'}},
      ],
    },
  ],
  [1, MUTATE, {mutations: [{delete: {id: '<id>'}}, {delete: {query: '<filter>'}}]}],
  // A dry run, because such a query may select every document.
  [
    3,
    `${MUTATE}?dryRun=true`,
    {mutations: [{patch: {query: '<query>', set: {name: 'x'}}}, {delete: {query: '<query>'}}]},
  ],
  ...ACTIONS.map((body): Sample => [1, `POST /<version>/data/actions/production`, body]),
  [2, `GET /<version>/data/doc/production/<ids>?excludeContent=<flag>`],
  [
    3,
    `GET /<version>/data/listen/production?query=<groq>&includeResult=<flag>&effectFormat=mendoza&enableResume=<flag>&$id=<value>`,
  ],
  [2, `GET /<version>/data/live/events/production?includeDrafts=<flag>&tag=<text>`],
  [
    2,
    `GET /<version>/data/history/production/documents/<ids>?revision=<text>&time=<text>&lastRevision=<flag>`,
  ],
  [
    2,
    `GET /<version>/data/history/production/transactions/<ids>?fromTime=<text>&authors=<text>&limit=<number>&reverse=<flag>&effectFormat=mendoza&fromTransaction=<text>`,
  ],
  [2, `GET /<version>/data/history/production/events/documents/<ids>?limit=<number>&nextCursor=<text>`],
]

const TESTED = {
  id: '<id>',
  name: '<string>',
  revision: '<string>',
  passed: '<number>',
  failed: '<number>',
  problem: '<string>',
}

/** The other routes, and addresses that are none. */
const OTHERS: readonly Sample[] = [
  [1, 'GET /login?to=<text>&code=<text>&origin=<text>'],
  [1, 'POST /login', 'email=<text>&password=<text>&to=<text>', 'application/x-www-form-urlencoded'],
  [1, 'POST /<version>/auth/logout', '<json>'],
  [1, 'GET /<version>/auth/providers?origin=<text>'],
  [1, 'GET /<version>/users/<ids>'],
  [1, 'GET /<version>/users/me/keyvalue/<text>'],
  [1, 'PUT /<version>/users/me/keyvalue', [{key: '<string>', value: '<json>'}]],
  [1, 'GET /v1/projects/<text>/datasets/production/acl'],
  [1, 'GET /<version>/projects/<text>/grants'],
  ...words('/v1/ping /vX/features /v1/help /vX/journey/x /healthz /metrics /').map(
    (path): Sample => [1, `GET ${path}`],
  ),
  [1, 'PUT /v1/tests/fuzz-1', {commit: '<string>', tools: [TESTED, TESTED], partial: true}],
  [1, 'POST /webhooks/git', {ref: '<string>', zen: '<string>', commits: '<json>'}],
  [1, 'GET /readyz?a=<text>'],
  [1, 'GET /static/<text>'],
  [1, 'GET /<text>/<text>/<text>?query=<text>'],
]

const rolesOf = (...roles: Role[]) => fc.constantFrom(...roles)
const USERS: Role[] = ['stranger', 'viewer', 'viewer', 'viewer', 'editor', 'editor', 'editor', 'session']

/** Any request to the lake. */
export const lakeRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  weighted(20, requestsLike(DATA, SLOTS, rolesOf(...USERS))),
  weighted(6, requestsLike(OTHERS, SLOTS, rolesOf(...USERS, 'gitHost'))),
)
