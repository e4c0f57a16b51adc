import type {RouteAccess} from '../../../lake/http/gate.ts'

/** A request to a route, and who may send it. */
export type Row = {
  /** Method and path of the route declaration. */
  route: string
  /** The path to request. */
  path: string
  access: RouteAccess
  /** The status for clients with permission. */
  status?: number
  body?: unknown
  /** Whether it changes published documents, which authors may not. */
  publishes?: boolean
}

const dataset = '/v2025-02-19/data'
const mutations = {mutations: [{patch: {id: 'a', set: {title: 'changed'}}}]}
const actions = {actions: [{actionType: 'sanity.action.document.delete', publishedId: 'none'}]}

/** Every route of a lake with Studio and webhooks. The test fails for a route that is missing here. */
export const rows: readonly Row[] = [
  {route: 'GET /healthz', path: '/healthz', access: 'open'},
  {route: 'GET /readyz', path: '/readyz', access: 'open'},
  {route: 'GET /metrics', path: '/metrics', access: 'open'},
  {route: 'GET /*', path: '/static/nothing-12345678.js', access: 'open', status: 404},
  {route: 'GET /help', path: '/help', access: 'open', status: 503},
  {route: 'GET /help/:page', path: '/help/index', access: 'open', status: 503},
  {route: 'GET /login', path: '/login', access: 'open'},
  {route: 'POST /login', path: '/login', access: 'open', status: 403},
  {route: 'GET /v:version/auth/providers', path: '/v1/auth/providers', access: 'open'},
  {route: 'POST /v:version/auth/logout', path: '/v1/auth/logout', access: 'open', status: 204},
  {route: 'GET /v:version/check/cors', path: '/v1/check/cors', access: 'open'},
  {route: 'GET /v:version/ping', path: '/v1/ping', access: 'open'},
  {route: 'GET /v:version/data/ping/:dataset', path: '/v1/data/ping/production', access: 'open'},
  {route: 'GET /v:version/tests', path: '/v1/tests', access: 'read'},
  {route: 'GET /v:version/tests/:site', path: '/v1/tests/none', access: 'read'},
  {route: 'PUT /v:version/tests/:site', path: '/v1/tests/none', access: 'report', status: 404, body: {}},
  {route: 'GET /v:version/problems', path: '/v1/problems', access: 'read'},
  // Authorized by the signature, which is missing here.
  {route: 'POST /webhooks/git', path: '/webhooks/git', access: 'open', status: 401, body: {}},

  {
    route: 'GET /v:version/data/query/:dataset',
    path: `${dataset}/query/production?query=*`,
    access: 'read',
  },
  {
    route: 'GET /v:version/data/query/:dataset',
    path: `${dataset}/query/production?query=*&perspective=drafts`,
    access: 'read',
  },
  // The default perspective of older versions is `raw`: everything that the client may read.
  {
    route: 'GET /v:version/data/query/:dataset',
    path: '/v1/data/query/production?query=*',
    access: 'read',
  },
  {
    route: 'POST /v:version/data/query/:dataset',
    path: `${dataset}/query/production`,
    access: 'read',
    body: {query: '*'},
  },
  {
    route: 'POST /v:version/data/query/:dataset',
    path: `${dataset}/query/production?perspective=raw`,
    access: 'read',
    body: {query: '*'},
  },
  {
    route: 'GET /v:version/data/doc/:dataset/:ids',
    path: `${dataset}/doc/production/a,drafts.a`,
    access: 'read',
  },
  {
    route: 'GET /v:version/data/export/:dataset',
    path: `${dataset}/export/production`,
    access: 'read',
  },
  {route: 'GET /v:version/datasets', path: '/v2021-06-07/datasets', access: 'read'},
  {
    route: 'GET /v:version/data/live/events/:dataset',
    path: `${dataset}/live/events/production`,
    access: 'read',
  },
  {
    route: 'GET /v:version/data/live/events/:dataset',
    path: `${dataset}/live/events/production?includeDrafts=true`,
    access: 'read',
  },

  {
    route: 'GET /v:version/data/listen/:dataset',
    path: `${dataset}/listen/production?query=*`,
    access: 'read',
  },
  {
    route: 'GET /v:version/data/history/:dataset/documents/:ids',
    path: `${dataset}/history/production/documents/a`,
    access: 'read',
  },
  {
    route: 'GET /v:version/data/history/:dataset/transactions/:ids',
    path: `${dataset}/history/production/transactions/a`,
    access: 'read',
  },
  {
    route: 'GET /v:version/data/history/:dataset/activity',
    path: `${dataset}/history/production/activity`,
    access: 'read',
  },
  {
    route: 'GET /v:version/data/history/:dataset/events/documents/:id',
    path: `${dataset}/history/production/events/documents/a`,
    access: 'read',
  },
  {route: 'GET /v:version/users/me', path: '/v1/users/me', access: 'read'},
  {route: 'GET /v:version/users/:ids', path: '/v1/users/api-token', access: 'read'},
  {
    route: 'GET /v:version/projects/:project/users/:id',
    path: '/v1/projects/local/users/api-token',
    access: 'read',
  },
  {
    route: 'GET /v:version/projects/:project/datasets/:dataset/acl',
    path: '/v1/projects/local/datasets/production/acl',
    access: 'read',
  },
  {route: 'GET /v:version/access/me', path: '/v1/access/me', access: 'read'},
  {
    route: 'PUT /v:version/access/me/password',
    path: '/v1/access/me/password',
    access: 'read',
    status: 403,
    body: {password: 'correct horse battery'},
  },
  {route: 'GET /v:version/access/requests/me', path: '/v1/access/requests/me', access: 'read'},
  {
    route: 'DELETE /v:version/access/me/sessions/:id',
    path: '/v1/access/me/sessions/none',
    access: 'read',
    status: 404,
  },
  {route: 'GET /v:version/access/audit', path: '/v1/access/audit', access: 'administer'},
  {route: 'GET /v:version/access/audit/lines', path: '/v1/access/audit/lines', access: 'administer'},
  {route: 'GET /v:version/access/people', path: '/v1/access/people', access: 'administer'},
  {
    route: 'POST /v:version/access/people',
    path: '/v1/access/people',
    access: 'administer',
    status: 400,
    body: {},
  },
  {
    route: 'POST /v:version/access/people/:id/link',
    path: '/v1/access/people/none/link',
    access: 'administer',
    status: 404,
    body: {},
  },
  {
    route: 'PUT /v:version/access/people/:id/rights',
    path: '/v1/access/people/none/rights',
    access: 'administer',
    status: 404,
    body: {rights: []},
  },
  {
    route: 'DELETE /v:version/access/people/:id',
    path: '/v1/access/people/none',
    access: 'administer',
    status: 404,
  },
  {
    route: 'DELETE /v:version/access/people/:id/sessions',
    path: '/v1/access/people/none/sessions',
    access: 'administer',
    status: 404,
  },
  {
    route: 'POST /v:version/access/tokens',
    path: '/v1/access/tokens',
    access: 'administer',
    status: 400,
    body: {},
  },
  {
    route: 'DELETE /v:version/access/tokens/:id',
    path: '/v1/access/tokens/none',
    access: 'administer',
    status: 404,
  },
  {route: 'GET /v:version/projects/:project', path: '/v1/projects/local', access: 'read'},
  {
    route: 'GET /v:version/projects/:project/datasets',
    path: '/v1/projects/local/datasets',
    access: 'read',
  },
  {
    route: 'GET /v:version/graphql/*',
    path: '/v1/graphql/production/default',
    access: 'read',
    status: 404,
  },
  {
    route: 'POST /v:version/graphql/*',
    path: '/v1/graphql/production/default',
    access: 'read',
    status: 404,
    body: {query: '{a}'},
  },
  {
    route: 'POST /v:version/assets/:kind/:dataset',
    path: '/v1/assets/images/production',
    access: 'write',
    status: 404,
    body: {},
  },
  {
    route: 'POST /v:version/agent/*',
    path: '/v1/agent/action/prompt/production',
    access: 'write',
    status: 404,
    body: {},
  },
  {route: 'GET /v:version/projects/:project/grants', path: '/v1/projects/local/grants', access: 'read'},
  {
    route: 'GET /v:version/projects/:project/user-applications',
    path: '/v1/projects/local/user-applications',
    access: 'read',
  },
  {route: 'GET /v:version/journey/*', path: '/v1/journey/trial', access: 'read'},
  {route: 'GET /v:version/help', path: '/v1/help', access: 'read'},
  {route: 'GET /v:version/intake/telemetry-status', path: '/v1/intake/telemetry-status', access: 'read'},
  {route: 'GET /v:version/features', path: '/v1/features', access: 'read'},
  {
    route: 'GET /v:version/projects/:project/new-content-release-allowed',
    path: '/v1/projects/local/new-content-release-allowed',
    access: 'read',
  },
  {
    route: 'GET /v:version/subscriptions/project/:project',
    path: '/v1/subscriptions/project/local',
    access: 'read',
  },
  {
    route: 'GET /v:version/data/references/:dataset/documents/:id/to',
    path: '/v1/data/references/production/documents/a/to',
    access: 'read',
  },
  {route: 'GET /v:version/users/me/keyvalue/:keys', path: '/v1/users/me/keyvalue/a', access: 'read'},
  {route: 'PUT /v:version/users/me/keyvalue', path: '/v1/users/me/keyvalue', access: 'read', body: []},
  // A WebSocket route returns 404 without an upgrade.
  {route: 'GET /_streams', path: '/_streams', access: 'read', status: 404},
  {route: 'GET /v:version/socket/:dataset', path: '/v1/socket/production', access: 'read', status: 404},

  {
    route: 'POST /v:version/data/mutate/:dataset',
    path: `${dataset}/mutate/production`,
    access: 'write',
    body: mutations,
    publishes: true,
  },
  {
    route: 'POST /v:version/data/mutate/:dataset',
    path: `${dataset}/mutate/production`,
    access: 'write',
    body: {mutations: [{createOrReplace: {_id: 'drafts.b', _type: 'post'}}]},
  },
  {
    route: 'POST /v:version/data/actions/:dataset',
    path: `${dataset}/actions/production`,
    access: 'write',
    // Deletes nothing, because the document does not exist.
    status: 409,
    body: actions,
  },
]
