import assert from 'node:assert/strict'
import {subscribe, unsubscribe} from 'node:diagnostics_channel'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import type {FastifyInstance} from 'fastify'
import {isJsonObject} from '../../../common/json.ts'
import {everywhere, mayUse} from '../../../lake/access/rights/rights.ts'
import type {RouteAccess} from '../../../lake/http/gate.ts'
import {PATIENCE} from '../../support/eventually.ts'
import {temporaryFolder} from '../support/git.ts'
import {runLake} from '../support/lake.ts'
import {accountsIn} from '../support/signIn.ts'
import {type Row, rows} from './everyRoute.ts'

/** A running lake, and the routes it registered with their access levels. */
async function startLake(t: TestContext) {
  const routes = new Map<string, RouteAccess | undefined>()
  const record = (message: unknown) => {
    const {fastify}: {fastify?: FastifyInstance} = Object(message)
    fastify?.addHook('onRoute', ({method, url, config}) => {
      for (const one of [method].flat()) routes.set(`${one} ${url}`, config?.access)
    })
  }
  subscribe('fastify.initialization', record)
  const studioDir = join(await temporaryFolder(t), 'studio')
  const settings = {studioDir, gitRemote: '/nowhere', gitWebhookSecrets: ['secret']}
  const lake = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}}, settings)
  unsubscribe('fastify.initialization', record)
  const accounts = accountsIn(lake.stateFolder)
  const principals = {
    stranger: undefined,
    'wrong token': 'wrong',
    'no rights': await accounts.tokens.add('no rights', []),
    reporter: await accounts.tokens.add('reporter', everywhere('reporter')),
    viewer: await accounts.tokens.add('viewer', everywhere('viewer')),
    author: await accounts.tokens.add('author', everywhere('author')),
    publisher: await accounts.tokens.add('publisher', everywhere('publisher')),
    administrator: await accounts.tokens.add('administrator', everywhere('administrator')),
  }
  return {...lake, routes, principals}
}

type PrincipalName = keyof Awaited<ReturnType<typeof startLake>>['principals']

function expectedStatus([, , access, {status = 200, publishes} = {}]: Row, name: PrincipalName): number {
  if (access === 'open') return status
  if (name === 'wrong token' || name === 'stranger') return 401
  if (name === 'no rights' || (name === 'author' && publishes === true)) return 403
  return mayUse(everywhere(name), access) ? status : 403
}

test('every route, as a stranger and in every role', async (t) => {
  const {address, routes, principals} = await startLake(t)
  const known = [...routes.keys()].filter((route) => !/^(HEAD|OPTIONS) /.test(route))
  assert.deepEqual([...new Set(rows.map(([route]) => route))].sort(), known.sort())
  for (const [name, token] of Object.entries(principals)) {
    const headers = {origin: address, ...(token && {authorization: `Bearer ${token}`})}
    for (const row of rows) {
      const [route, path, , {body: sent} = {}] = row
      const [method = ''] = route.split(' ')
      const body = sent === undefined ? {} : {body: JSON.stringify(sent)}
      const type = sent === undefined ? {} : {'content-type': 'application/json'}
      const response = await fetch(address + path, {method, headers: {...headers, ...type}, ...body})
      await response.body?.cancel()
      const isName = (text: string): text is PrincipalName => text in principals
      assert.ok(isName(name))
      const expected = expectedStatus(row, name)
      assert.equal(response.status, expected, `${name}: ${method} ${path}`)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff', path)
      const allowed = response.headers.get('access-control-allow-origin')
      assert.equal(allowed, path === '/v1/check/cors' ? '*' : null, `${name}: ${path}`)
      assert.equal(response.headers.get('access-control-allow-credentials'), null, path)
      const policy = response.headers.get('cross-origin-resource-policy')
      if (response.status < 400) assert.equal(policy, 'same-origin', `${name}: ${path}`)
    }
  }
})

test('a HEAD request needs the same permission as its GET', async (t) => {
  const {routes} = await startLake(t)
  for (const [route, access] of routes)
    if (route.startsWith('HEAD ')) assert.equal(access, routes.get(route.replace('HEAD', 'GET')), route)
})

test('no route accepts a preflighted request of a page of another origin', async (t) => {
  const {address} = await startLake(t)
  for (const [route, path] of rows) {
    const [method = ''] = route.split(' ')
    const headers = {origin: 'https://elsewhere.example', 'access-control-request-method': method}
    const response = await fetch(address + path, {method: 'OPTIONS', headers})
    assert.equal(response.status, 404, route)
    assert.equal(response.headers.get('access-control-allow-origin'), null, route)
  }
})

test('a client without credentials learns how to get in', async (t) => {
  const {address} = await startLake(t)
  const read = async (headers: Record<string, string>) => {
    const response = await fetch(`${address}/v1/data/query/production?query=*`, {headers})
    const body: unknown = await response.json()
    assert.ok(isJsonObject(body))
    assert.deepEqual([response.status, body.errorCode], [401, 'SIO-401-ANF'])
    return body.message
  }
  assert.equal(
    await read({}),
    `Sign in at ${address}/login, or send a token as "Authorization: Bearer …": "npm run lake -- token add" makes one`,
  )
  const cookie = `handrail_session_${new URL(address).port}=ended`
  assert.equal(await read({cookie}), `The session has ended: sign in at ${address}/login`)
  assert.match(String(await read({authorization: 'Bearer wrong'})), /^The token is not valid: /)
})

test('a request without permission is rejected before its body arrives', async (t) => {
  const {address} = await startLake(t)
  for (const [route, path, access] of rows) {
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
      signal: AbortSignal.timeout(PATIENCE * 1_000),
    })
    assert.equal(response.status, 401, route)
    await response.body?.cancel()
  }
})
