import assert from 'node:assert/strict'
import {subscribe, unsubscribe} from 'node:diagnostics_channel'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import type {FastifyInstance} from 'fastify'
import type {Visibility} from '../../../lake/access/access.ts'
import {Accounts} from '../../../lake/access/accounts.ts'
import type {RouteAccess} from '../../../lake/http/gate.ts'
import {temporaryFolder} from '../support/git.ts'
import {runLake} from '../support/lake.ts'

type Row = {
  /** Method and path of the route declaration. */
  route: string
  /** The path to request. */
  path: string
  access: RouteAccess
  /** The status for clients with permission. */
  status?: number
  body?: unknown
}

const dataset = '/v2025-02-19/data'
const mutations = {mutations: [{patch: {id: 'a', set: {title: 'changed'}}}]}
const actions = {actions: [{actionType: 'sanity.action.document.delete', publishedId: 'none'}]}

/** Every route of a lake with Studio and webhooks. The test fails for a route that is missing here. */
const rows: Row[] = [
  {route: 'GET /healthz', path: '/healthz', access: 'open'},
  {route: 'GET /readyz', path: '/readyz', access: 'open'},
  {route: 'GET /metrics', path: '/metrics', access: 'open'},
  {route: 'GET /*', path: '/static/nothing-12345678.js', access: 'open', status: 404},
  {route: 'GET /login', path: '/login', access: 'open'},
  {route: 'POST /login', path: '/login', access: 'open', status: 403},
  {route: 'GET /v:version/auth/providers', path: '/v1/auth/providers', access: 'open'},
  {route: 'POST /v:version/auth/logout', path: '/v1/auth/logout', access: 'open', status: 204},
  {route: 'GET /v:version/check/cors', path: '/v1/check/cors', access: 'open'},
  {route: 'GET /v:version/ping', path: '/v1/ping', access: 'open'},
  {route: 'GET /v:version/data/ping/:dataset', path: '/v1/data/ping/production', access: 'open'},
  // Authorized by the signature, which is missing here.
  {route: 'POST /webhooks/git', path: '/webhooks/git', access: 'open', status: 401, body: {}},

  {
    route: 'GET /v:version/data/query/:dataset',
    path: `${dataset}/query/production?query=*`,
    access: 'published',
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
    access: 'published',
  },
  {
    route: 'POST /v:version/data/query/:dataset',
    path: `${dataset}/query/production`,
    access: 'published',
    body: {query: '*'},
  },
  {
    route: 'POST /v:version/data/query/:dataset',
    path: `${dataset}/query/production?perspective=raw`,
    access: 'published',
    body: {query: '*'},
  },
  {
    route: 'GET /v:version/data/doc/:dataset/:ids',
    path: `${dataset}/doc/production/a,drafts.a`,
    access: 'published',
  },
  {
    route: 'GET /v:version/data/export/:dataset',
    path: `${dataset}/export/production`,
    access: 'published',
  },
  {route: 'GET /v:version/datasets', path: '/v2021-06-07/datasets', access: 'published'},
  {
    route: 'GET /v:version/data/live/events/:dataset',
    path: `${dataset}/live/events/production`,
    access: 'published',
  },
  {
    route: 'GET /v:version/data/live/events/:dataset',
    path: `${dataset}/live/events/production?includeDrafts=true`,
    access: 'read',
  },

  {
    route: 'GET /v:version/data/listen/:dataset',
    path: `${dataset}/listen/production?query=*`,
    access: 'published',
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
  {route: 'GET /v:version/projects/:project', path: '/v1/projects/local', access: 'read'},
  {
    route: 'GET /v:version/projects/:project/datasets',
    path: '/v1/projects/local/datasets',
    access: 'published',
  },
  {
    route: 'GET /v:version/graphql/*',
    path: '/v1/graphql/production/default',
    access: 'published',
    status: 404,
  },
  {
    route: 'POST /v:version/graphql/*',
    path: '/v1/graphql/production/default',
    access: 'published',
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

/** A running lake, and the routes it registered with their access levels. */
async function startLake(t: TestContext, visibility: Visibility) {
  const routes = new Map<string, RouteAccess | undefined>()
  const record = (message: unknown) => {
    const {fastify}: {fastify?: FastifyInstance} = Object(message)
    fastify?.addHook('onRoute', ({method, url, config}) => {
      for (const one of [method].flat()) routes.set(`${one} ${url}`, config?.access)
    })
  }
  subscribe('fastify.initialization', record)
  const studioDir = join(await temporaryFolder(t), 'studio')
  const settings = {visibility, studioDir, gitRemote: '/nowhere', gitWebhookSecret: 'secret'}
  const lake = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}}, settings)
  unsubscribe('fastify.initialization', record)
  const accounts = new Accounts(lake.editorsFile)
  const principals = {
    stranger: undefined,
    'wrong token': 'wrong',
    viewer: await accounts.addToken('viewer', 'viewer'),
    editor: await accounts.addToken('editor', 'editor'),
    administrator: await accounts.addToken('administrator', 'administrator'),
  }
  return {...lake, routes, principals}
}

type PrincipalName = keyof Awaited<ReturnType<typeof startLake>>['principals']

function expectedStatus({access, status = 200}: Row, name: PrincipalName, visibility: Visibility): number {
  if (access === 'open') return status
  if (name === 'wrong token') return 401
  if (name === 'stranger') return access === 'published' && visibility === 'public' ? status : 401
  return access === 'write' && name === 'viewer' ? 403 : status
}

for (const visibility of ['private', 'public'] as const) {
  test(`every route of a ${visibility} lake, as a stranger, viewer, editor and administrator`, async (t) => {
    const {address, routes, principals} = await startLake(t, visibility)
    const known = [...routes.keys()].filter((route) => !/^(HEAD|OPTIONS) /.test(route))
    assert.deepEqual([...new Set(rows.map(({route}) => route))].sort(), known.sort())
    for (const [name, token] of Object.entries(principals)) {
      const headers = {origin: address, ...(token && {authorization: `Bearer ${token}`})}
      for (const row of rows) {
        const [method = ''] = row.route.split(' ')
        const body = row.body === undefined ? {} : {body: JSON.stringify(row.body)}
        const type = row.body === undefined ? {} : {'content-type': 'application/json'}
        const response = await fetch(address + row.path, {method, headers: {...headers, ...type}, ...body})
        await response.body?.cancel()
        const isName = (text: string): text is PrincipalName => text in principals
        assert.ok(isName(name))
        const expected = expectedStatus(row, name, visibility)
        assert.equal(response.status, expected, `${name}: ${method} ${row.path}`)
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff', row.path)
        const allowed = response.headers.get('access-control-allow-origin')
        const isAllowed =
          row.path === '/v1/check/cors' || (visibility === 'public' && routes.get(row.route) === 'published')
        assert.equal(allowed, isAllowed ? '*' : null, `${name}: ${row.path}`)
        assert.equal(response.headers.get('access-control-allow-credentials'), null, row.path)
        const isOpenToPages = visibility === 'public' && row.access === 'published' && name === 'stranger'
        const policy = response.headers.get('cross-origin-resource-policy')
        if (!isOpenToPages && response.status < 400)
          assert.equal(policy, 'same-origin', `${name}: ${row.path}`)
      }
    }
  })
}

test('a HEAD request needs the same permission as its GET', async (t) => {
  const {routes} = await startLake(t, 'private')
  for (const [route, access] of routes)
    if (route.startsWith('HEAD ')) assert.equal(access, routes.get(route.replace('HEAD', 'GET')), route)
})

test('pages of other origins may send a preflighted request to published reads of a public lake only', async (t) => {
  for (const visibility of ['private', 'public'] as const) {
    const {address, routes} = await startLake(t, visibility)
    const readable = [...routes].filter(([route, access]) => access === 'published' && /^GET /.test(route))
    const expected =
      visibility === 'private' ? [] : readable.map(([route]) => route.replace('GET', 'OPTIONS'))
    const preflights = [...routes.keys()].filter((route) => route.startsWith('OPTIONS '))
    assert.deepEqual(preflights.sort(), expected.sort())
    for (const {route, path} of rows) {
      const [method = '', url = ''] = route.split(' ')
      const headers = {origin: 'https://elsewhere.example', 'access-control-request-method': method}
      const response = await fetch(address + path, {method: 'OPTIONS', headers})
      const isAllowed = expected.includes(`OPTIONS ${url}`)
      assert.equal(response.status, isAllowed ? 204 : 404, route)
      assert.equal(response.headers.get('access-control-allow-origin'), isAllowed ? '*' : null, route)
      assert.equal(response.headers.get('access-control-allow-credentials'), null, route)
    }
  }
})

test('a request without permission is rejected before its body arrives', async (t) => {
  const {address} = await startLake(t, 'private')
  for (const {route, path, access} of rows) {
    const [method = ''] = route.split(' ')
    if (method === 'GET' || access === 'open') continue
    const stalled = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
    })
    const response = await fetch(address + path, {
      method,
      headers: {'content-type': 'application/json'},
      body: stalled,
      duplex: 'half',
      signal: AbortSignal.timeout(5_000),
    })
    assert.equal(response.status, 401, route)
    await response.body?.cancel()
  }
})
