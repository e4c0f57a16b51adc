import type {RouteAccess} from '../../../lake/http/gate.ts'

type More = {
  /** The status for clients with permission. */
  readonly status?: number
  readonly body?: unknown
  /** Whether it changes published documents, which authors may not. */
  readonly publishes?: boolean
}

/** A request to a route, as it is declared, and who may send it. */
export type Row = readonly [route: string, path: string, access: RouteAccess, more?: More]

const dataset = '/v2025-02-19/data'
const mutations = {mutations: [{patch: {id: 'a', set: {title: 'changed'}}}]}
/** Deletes nothing, because the document does not exist. */
const actions = {actions: [{actionType: 'sanity.action.document.delete', publishedId: 'none'}]}

/** Every route of a lake with Studio and webhooks. The test fails for a route that is missing here. */
export const rows: readonly Row[] = [
  ['GET /healthz', '/healthz', 'open'],
  ['GET /readyz', '/readyz', 'open'],
  ['GET /metrics', '/metrics', 'open'],
  ['GET /*', '/static/nothing-12345678.js', 'open', {status: 404}],
  ['GET /help', '/help', 'open', {status: 503}],
  ['GET /help/:page', '/help/index', 'open', {status: 503}],
  ['GET /login', '/login', 'open'],
  ['POST /login', '/login', 'open', {status: 403}],
  ['GET /v:version/auth/providers', '/v1/auth/providers', 'open'],
  ['POST /v:version/auth/logout', '/v1/auth/logout', 'open', {status: 204}],
  ['GET /v:version/check/cors', '/v1/check/cors', 'open'],
  ['GET /v:version/ping', '/v1/ping', 'open'],
  ['GET /v:version/data/ping/:dataset', '/v1/data/ping/production', 'open'],
  ['GET /v:version/tests', '/v1/tests', 'read'],
  ['GET /v:version/tests/:site', '/v1/tests/none', 'read'],
  ['PUT /v:version/tests/:site', '/v1/tests/none', 'report', {status: 404, body: {}}],
  ['GET /v:version/problems', '/v1/problems', 'read'],
  // Authorized by the secret in the address.
  ['POST /webhooks/git/:secret', '/webhooks/git/guessed', 'open', {status: 401, body: {}}],
  ['GET /v:version/data/query/:dataset', `${dataset}/query/production?query=*`, 'read'],
  ['POST /v:version/data/query/:dataset', `${dataset}/query/production`, 'read', {body: {query: '*'}}],
  ['GET /v:version/data/doc/:dataset/:ids', `${dataset}/doc/production/a,drafts.a`, 'read'],
  ['GET /v:version/data/export/:dataset', `${dataset}/export/production`, 'read'],
  ['GET /v:version/datasets', '/v2021-06-07/datasets', 'read'],
  ['GET /v:version/data/live/events/:dataset', `${dataset}/live/events/production`, 'read'],
  ['GET /v:version/data/listen/:dataset', `${dataset}/listen/production?query=*`, 'read'],
  [
    'GET /v:version/data/history/:dataset/documents/:ids',
    `${dataset}/history/production/documents/a`,
    'read',
  ],
  [
    'GET /v:version/data/history/:dataset/transactions/:ids',
    `${dataset}/history/production/transactions/a`,
    'read',
  ],
  ['GET /v:version/data/history/:dataset/activity', `${dataset}/history/production/activity`, 'read'],
  [
    'GET /v:version/data/history/:dataset/events/documents/:id',
    `${dataset}/history/production/events/documents/a`,
    'read',
  ],
  ['GET /v:version/users/me', '/v1/users/me', 'read'],
  ['GET /v:version/users/:ids', '/v1/users/api-token', 'read'],
  ['GET /v:version/projects/:project/users/:id', '/v1/projects/local/users/api-token', 'read'],
  [
    'GET /v:version/projects/:project/datasets/:dataset/acl',
    '/v1/projects/local/datasets/production/acl',
    'read',
  ],
  ['GET /v:version/access/me', '/v1/access/me', 'read'],
  [
    'PUT /v:version/access/me/password',
    '/v1/access/me/password',
    'read',
    {status: 403, body: {password: 'correct horse battery'}},
  ],
  ['GET /v:version/access/requests/me', '/v1/access/requests/me', 'read'],
  ['DELETE /v:version/access/me/sessions/:id', '/v1/access/me/sessions/none', 'read', {status: 404}],
  ['GET /v:version/access/audit', '/v1/access/audit', 'administer'],
  ['GET /v:version/access/people', '/v1/access/people', 'administer'],
  ['POST /v:version/access/people', '/v1/access/people', 'administer', {status: 400, body: {}}],
  [
    'POST /v:version/access/people/:id/link',
    '/v1/access/people/none/link',
    'administer',
    {status: 404, body: {}},
  ],
  [
    'PUT /v:version/access/people/:id/rights',
    '/v1/access/people/none/rights',
    'administer',
    {status: 404, body: {rights: []}},
  ],
  ['DELETE /v:version/access/people/:id', '/v1/access/people/none', 'administer', {status: 404}],
  [
    'DELETE /v:version/access/people/:id/sessions',
    '/v1/access/people/none/sessions',
    'administer',
    {status: 404},
  ],
  ['POST /v:version/access/tokens', '/v1/access/tokens', 'administer', {status: 400, body: {}}],
  ['DELETE /v:version/access/tokens/:id', '/v1/access/tokens/none', 'administer', {status: 404}],
  ['GET /v:version/projects/:project', '/v1/projects/local', 'read'],
  ['GET /v:version/projects/:project/datasets', '/v1/projects/local/datasets', 'read'],
  ['GET /v:version/graphql/*', '/v1/graphql/production/default', 'read', {status: 404}],
  [
    'POST /v:version/graphql/*',
    '/v1/graphql/production/default',
    'read',
    {status: 404, body: {query: '{a}'}},
  ],
  ['POST /v:version/assets/:kind/:dataset', '/v1/assets/images/production', 'write', {status: 404, body: {}}],
  ['POST /v:version/agent/*', '/v1/agent/action/prompt/production', 'write', {status: 404, body: {}}],
  ['GET /v:version/projects/:project/grants', '/v1/projects/local/grants', 'read'],
  ['GET /v:version/projects/:project/user-applications', '/v1/projects/local/user-applications', 'read'],
  ['GET /v:version/journey/*', '/v1/journey/trial', 'read'],
  ['GET /v:version/help', '/v1/help', 'read'],
  ['GET /v:version/intake/telemetry-status', '/v1/intake/telemetry-status', 'read'],
  ['GET /v:version/features', '/v1/features', 'read'],
  [
    'GET /v:version/projects/:project/new-content-release-allowed',
    '/v1/projects/local/new-content-release-allowed',
    'read',
  ],
  ['GET /v:version/subscriptions/project/:project', '/v1/subscriptions/project/local', 'read'],
  [
    'GET /v:version/data/references/:dataset/documents/:id/to',
    '/v1/data/references/production/documents/a/to',
    'read',
  ],
  ['GET /v:version/users/me/keyvalue/:keys', '/v1/users/me/keyvalue/a', 'read'],
  ['PUT /v:version/users/me/keyvalue', '/v1/users/me/keyvalue', 'read', {body: []}],
  // A WebSocket route returns 404 without an upgrade.
  ['GET /_streams', '/_streams', 'read', {status: 404}],
  ['GET /v:version/socket/:dataset', '/v1/socket/production', 'read', {status: 404}],
  [
    'POST /v:version/data/mutate/:dataset',
    `${dataset}/mutate/production`,
    'write',
    {body: mutations, publishes: true},
  ],
  [
    'POST /v:version/data/mutate/:dataset',
    `${dataset}/mutate/production`,
    'write',
    {body: {mutations: [{createOrReplace: {_id: 'drafts.b', _type: 'post'}}]}},
  ],
  [
    'POST /v:version/data/actions/:dataset',
    `${dataset}/actions/production`,
    'write',
    {status: 409, body: actions},
  ],
]
