import fc from 'fast-check'
import {groq} from './groq.ts'
import {brokenJson, jsonString, objectOf, wildJson} from './json.ts'
import {type FuzzRequest, type Parts, type Role, requestOf, search, segment} from './parts.ts'
import {oddName, oddNumber, times, weighted, wildText} from './text.ts'
import {actions, dryMutations, mutations, postedQuery} from './transactions.ts'

const usually = (usual: string, odd: fc.Arbitrary<string> = segment) =>
  fc.oneof(weighted(12, fc.constant(usual)), weighted(1, odd))

const version = fc.oneof(
  weighted(12, fc.constantFrom('v1', 'vX', 'v2025-02-19', 'v2021-03-25')),
  weighted(1, fc.constantFrom('v', 'v2025-13-45', 'v0', 'v9999-99-99', 'v1.0', 'V1', 'v1%00')),
)
const dataset = usually('production')
const ids = fc.oneof(
  weighted(4, fc.constantFrom('fuzz-1', 'a-1', 'drafts.fuzz-1', 'fuzz-1,a-1', 'none')),
  weighted(2, segment),
  weighted(
    1,
    times.map((count) => Array(Math.min(count, 1_500)).fill('a-1').join(',')),
  ),
)
const flag = fc.constantFrom('true', 'false', '', '1', '[]')
const jsonText = fc.oneof(wildJson, brokenJson).map((text) => text.slice(0, 3_000))

const GET = (target: fc.Arbitrary<string>, rest: fc.Arbitrary<string>): fc.Arbitrary<Parts> =>
  fc.tuple(target, rest).map(([path, query]) => ({method: 'GET', target: path + query, body: undefined}))

const SEND = (
  method: string,
  target: fc.Arbitrary<string>,
  body: fc.Arbitrary<string>,
): fc.Arbitrary<Parts> => fc.tuple(target, body).map(([path, text]) => ({method, target: path, body: text}))

const at = (...parts: (string | fc.Arbitrary<string>)[]) =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((list) => list.map((part) => `/${part}`).join(''))

const data = (...route: (string | fc.Arbitrary<string>)[]) => at(version, 'data', ...route)

/** Characters of a query that fits into an address. */
const MAX_IN_ADDRESS = 4_000

const query = GET(
  data('query', dataset),
  fc
    .tuple(
      groq.map((text) => text.slice(0, MAX_IN_ADDRESS).toWellFormed()),
      search({
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
        returnQuery: flag,
        $id: jsonText,
        $ids: jsonText,
        $n: oddNumber,
        $deep: jsonText,
        $text: jsonText,
        $__proto__: jsonText,
        tag: wildText,
      }),
    )
    .map(([text, rest]) => `?query=${encodeURIComponent(text)}&${rest.slice(1)}`.slice(0, 15_000)),
)

/** Each route of the lake, and addresses that are none. */
const dataParts: fc.Arbitrary<Parts> = fc.oneof(
  weighted(10, query),
  weighted(8, SEND('POST', data('query', dataset), postedQuery)),
  weighted(
    10,
    SEND(
      'POST',
      fc
        .tuple(
          data('mutate', dataset),
          search({returnIds: flag, returnDocuments: flag, dryRun: flag, visibility: wildText}),
        )
        .map((pair) => pair.join('')),
      mutations,
    ),
  ),
  weighted(3, SEND('POST', data('mutate', 'production?dryRun=true'), dryMutations)),
  weighted(6, SEND('POST', data('actions', dataset), actions)),
  weighted(2, GET(data('doc', dataset, ids), search({excludeContent: flag}))),
  weighted(
    3,
    GET(
      data('listen', dataset),
      search({
        query: groq.map((text) => text.slice(0, MAX_IN_ADDRESS)),
        includeResult: flag,
        effectFormat: fc.constant('mendoza'),
        enableResume: flag,
        $id: jsonText,
      }),
    ),
  ),
  weighted(2, GET(data('live', 'events', dataset), search({includeDrafts: flag, tag: wildText}))),
  weighted(
    2,
    GET(
      data('history', dataset, 'documents', ids),
      search({revision: wildText, time: wildText, lastRevision: flag}),
    ),
  ),
  weighted(
    2,
    GET(
      data('history', dataset, 'transactions', ids),
      search({
        fromTime: wildText,
        toTime: wildText,
        authors: wildText,
        limit: oddNumber,
        reverse: flag,
        effectFormat: fc.constant('mendoza'),
        fromTransaction: wildText,
        excludeContent: flag,
      }),
    ),
  ),
  weighted(
    2,
    GET(
      data('history', dataset, 'events', 'documents', ids),
      search({limit: oddNumber, nextCursor: wildText}),
    ),
  ),
)

const testedTools = fc
  .array(
    objectOf({
      id: fc.oneof(fc.constantFrom('"a-1"', '"fuzz-1"'), jsonString),
      name: jsonString,
      revision: jsonString,
      passed: oddNumber,
      failed: oddNumber,
      problem: jsonString,
    }),
    {maxLength: 4},
  )
  .map((tools) => `[${tools.join(',')}]`)

const otherParts: fc.Arbitrary<Parts> = fc.oneof(
  GET(at('login'), search({to: wildText, code: wildText, origin: wildText})),
  SEND(
    'POST',
    at('login'),
    fc
      .tuple(wildText, wildText, wildText)
      .map(([email, password, to]) => String(new URLSearchParams({email, password, to}))),
  ),
  SEND('POST', at(version, 'auth', 'logout'), fc.oneof(jsonText, fc.constant(''))),
  GET(at(version, 'auth', 'providers'), search({origin: wildText})),
  GET(at(version, 'users', fc.oneof(fc.constant('me'), ids)), search({})),
  GET(at(version, 'users', 'me', 'keyvalue', segment), search({})),
  SEND('PUT', at(version, 'users', 'me', 'keyvalue'), fc.oneof(wildJson, brokenJson)),
  GET(
    at(version, 'projects', segment, fc.constantFrom('', 'users/x', 'datasets/production/acl', 'grants')),
    search({}),
  ),
  GET(
    at(version, fc.constantFrom('ping', 'features', 'help', 'journey/x', 'intake/telemetry-status')),
    search({}),
  ),
  SEND(
    'PUT',
    at(version, 'tests', fc.oneof(fc.constantFrom('a-1', 'fuzz-1'), segment)),
    fc.oneof(objectOf({commit: jsonString, tools: testedTools, partial: flag}), wildJson, brokenJson),
  ),
  SEND('POST', at('webhooks', 'git'), objectOf({ref: jsonString, zen: jsonString, commits: wildJson})),
  GET(at(fc.constantFrom('healthz', 'readyz', 'metrics', '')), search({a: wildText})),
  GET(at('static', fc.oneof(segment, fc.constantFrom('app-12345678.js', 'x.svg', '.secret.js'))), search({})),
  GET(
    fc.array(segment, {maxLength: 6}).map((parts) => `/${parts.join('/')}`),
    search({query: wildText}),
  ),
  GET(
    oddName.map((name) => `/${encodeURIComponent(name.toWellFormed())}.js`),
    search({}),
  ),
)

const role = fc.oneof(
  weighted(1, fc.constant<Role>('stranger')),
  weighted(4, fc.constant<Role>('viewer')),
  weighted(4, fc.constant<Role>('editor')),
  weighted(1, fc.constant<Role>('session')),
)
const anyRole = fc.oneof(weighted(10, role), weighted(1, fc.constant<Role>('gitHost')))

/** Any request to the lake. */
export const lakeRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  weighted(20, requestOf(dataParts, role)),
  weighted(6, requestOf(otherParts, anyRole)),
)
