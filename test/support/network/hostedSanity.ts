import {randomUUID} from 'node:crypto'
import {mkdir} from 'node:fs/promises'
import {connect} from 'node:net'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import type {TestContext} from 'node:test'
import {createGunzip} from 'node:zlib'
import fastifyStatic from '@fastify/static'
import fastify, {type FastifyRequest} from 'fastify'
import {unpackTar} from 'modern-tar/fs'
import {token} from '../../lake/support/app.ts'
import {temporaryFolder} from '../../lake/support/git.ts'
import {runLake} from '../../lake/support/lake.ts'
import {recordOf} from '../answers.ts'
import {redirectSanityHost, type SanityHost, sanityCertificate} from './sanityHost.ts'

/** The ID of the first project, as in the guide. */
const PROJECT = 'abc123'
const READS = 'a-token-that-reads'
/** The person who signed in with Sanity's command line, and in Studio. */
const PERSON = {
  id: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  provider: 'google',
  roles: [{name: 'administrator', title: 'Administrator'}],
}

/** The body of a request; null if it has none. */
const bytesOf = ({body}: {body: unknown}) => (Buffer.isBuffer(body) ? new Uint8Array(body) : null)

/** What a lake has, and hosted Sanity does not. */
const OURS = /^\/(?:access\/(?!requests)|data\/history\/\w+\/activity|tests\b|problems\b|_streams|webhooks\/)/

export type HostedSanity = SanityHost & {
  /** What was asked for that it does not have: the method and the path. */
  readonly missed: readonly string[]
}

/**
 * Stands in for hosted Sanity: a lake without the routes of ours, for the project that Sanity's command line creates, with
 * its tokens, the origins that it allows, and the Studios that it deploys.
 * @param others the addresses of further hosts that programs and browsers reach
 * @param hosting hosts that serve a Studio by themselves, with its folder
 */
export async function startHostedSanity(
  t: TestContext,
  others: Readonly<Record<string, () => string>>,
  hosting: Readonly<Record<string, string>>,
): Promise<HostedSanity> {
  const studios = await temporaryFolder(t)
  const lake = await runLake(t, {}, {projectId: PROJECT, serviceTokens: [READS], studioDir: studios})
  const person = randomUUID()
  /** Who has a token: the lake's token of the same role. */
  const tokens = new Map<string, string>([[person, token]])
  const origins = new Map<string, boolean>()
  /** What each host of a Studio serves. */
  const folders = new Map(Object.entries(hosting))
  const missed: string[] = []
  const certificate = sanityCertificate()
  const app = fastify({
    // Browsers open six connections to a host without it, and Studio keeps six event streams.
    http2: true,
    https: {...certificate, allowHTTP1: true},
    bodyLimit: 100_000_000,
    rewriteUrl: ({url = ''}) => url.replace(/^\/v[\dX][^/]*/, ''),
  })
  await app.register(fastifyStatic, {root: studios, serve: false})
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', {parseAs: 'buffer'}, (_request, body, done) => done(null, body))
  t.after(() => app.close())
  const tokenOf = ({headers: {authorization = ''}}: Pick<FastifyRequest, 'headers'>) =>
    tokens.get(authorization.replace('Bearer ', ''))
  const sent = ({body}: {body: unknown}) => recordOf(JSON.parse(String(body)))

  app.addHook('onRequest', async (request, reply) => {
    const {
      hostname,
      headers: {origin},
    } = request
    const folder = folders.get(hostname)
    if (folder !== undefined) {
      const [path = ''] = request.url.split('?')
      return reply.sendFile(/\.\w+$/.test(path) ? path : 'index.html', folder)
    }
    if (origin === undefined || request.url.startsWith('/check/cors')) return
    const hasCredentials = origins.get(origin)
    if (hasCredentials === undefined)
      return reply.code(403).send({statusCode: 403, error: 'CORS Origin not allowed'})
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': '*, GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
      ...(hasCredentials && {'access-control-allow-credentials': 'true'}),
    })
    if (request.method === 'OPTIONS') return reply.code(204).send()
  })
  app.addHook('onResponse', async ({method, url}, {statusCode}) => {
    if (statusCode === 404) missed.push(`${method} ${url.split('?')[0]}`)
  })

  app.get('/check/cors', ({headers: {origin = ''}}, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .send({result: {isAllowed: origins.has(origin), withCredentials: origins.get(origin) ?? false}}),
  )
  app.get('/auth/providers', () => ({
    providers: [{name: 'google', title: 'Google', url: 'https://api.sanity.io/v1/auth/login/google'}],
  }))
  app.get('/auth/login/google', (request, reply) =>
    reply.redirect(`${recordOf(request.query).origin}#sid=${person}`),
  )
  app.get('/auth/fetch', ({query}) => ({token: recordOf(query).sid}))
  app.get('/auth/id', (request, reply) => (tokenOf(request) ? {id: PERSON.id} : reply.code(401).send({})))

  app.get('/organizations', () => [{id: 'o1', name: 'Ada', slug: 'ada'}])
  app.get('/organizations/o1/grants', () => ({
    'sanity.organization.projects': [{grants: [{name: 'attach'}]}],
  }))
  app.get('/users/me', (request, reply) => (tokenOf(request) ? PERSON : reply.code(401).send({})))
  app.post('/projects', () => ({id: PROJECT, projectId: PROJECT}))
  app.get('/features', () => ['privateDataset'])
  app.put('/datasets/production', (request) => ({datasetName: 'production', ...sent(request)}))
  app.get(`/access/project/${PROJECT}/roles`, () => ({
    data: ['viewer', 'editor'].map((name) => ({name, title: name, appliesToRobots: true})),
    nextCursor: null,
  }))
  app.post(`/access/project/${PROJECT}/robots`, (request) => {
    const {label, memberships} = sent(request)
    const secret = randomUUID()
    tokens.set(secret, JSON.stringify(memberships).includes('"viewer"') ? READS : token)
    return {id: 'robot', label, token: secret}
  })
  app.post(`/projects/${PROJECT}/cors`, (request) => {
    const {origin, allowCredentials} = sent(request)
    origins.set(String(origin), allowCredentials === true)
    return {id: 1, origin, allowCredentials}
  })
  app.get(`/projects/${PROJECT}/user-applications`, ({query}, reply) =>
    'appHost' in recordOf(query) ? reply.code(404).send({}) : [],
  )
  app.post(`/projects/${PROJECT}/user-applications`, (request) => ({
    id: sent(request).appHost,
    ...sent(request),
  }))
  app.post(`/projects/${PROJECT}/user-applications/:name/deployments`, async (request) => {
    const name = `${recordOf(request.params).name}.sanity.studio`
    const folder = join(studios, name)
    const headers = {'content-type': request.headers['content-type'] ?? ''}
    const form = await new Response(bytesOf(request), {headers}).formData()
    const tarball = form.get('tarball')
    if (!(tarball instanceof File)) throw new Error('no tarball')
    await mkdir(folder)
    await pipeline(Readable.fromWeb(tarball.stream()), createGunzip(), unpackTar(folder, {strip: 1}))
    folders.set(name, folder)
    origins.set(`https://${name}`, true)
    return {location: `https://${name}`}
  })
  app.post('/intake/feedback', () => ({}))
  app.put(`/projects/${PROJECT}/datasets/production/schemas`, () => ({}))
  app.post('/descriptors/claim', () => ({synchronization: {type: 'complete'}}))

  app.all('/*', async (request, reply) => {
    const allowed = tokenOf(request)
    if (allowed === undefined && !/^\/(?:data\/)?ping/.test(request.url)) return reply.code(401).send({})
    if (OURS.test(request.url)) return reply.code(404).send({})
    const leaving = new AbortController()
    reply.raw.once('close', () => leaving.abort())
    const {accept = '*/*', 'content-type': type = 'application/json'} = request.headers
    const answer = await fetch(lake.address + request.originalUrl, {
      method: request.method,
      headers: {
        accept,
        'content-type': type,
        authorization: `Bearer ${allowed}`,
        'accept-encoding': 'identity',
      },
      body: bytesOf(request),
      signal: leaving.signal,
    })
    reply.code(answer.status).type(answer.headers.get('content-type') ?? '')
    return answer.body === null ? reply.send() : reply.send(Readable.fromWeb(answer.body))
  })

  // Who has which document open: the page says who it is in its first message.
  app.server.on('upgrade', ({url, headers}, socket) => {
    const there = connect(Number(new URL(lake.address).port), '127.0.0.1')
    const sent = Object.entries({
      ...headers,
      origin: lake.address,
      host: new URL(lake.address).host,
      authorization: `Bearer ${token}`,
    })
    there.write(`GET ${url} HTTP/1.1\r\n${sent.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
    for (const end of [there, socket])
      end.on('error', () => undefined).once('close', () => [there, socket].map((one) => one.destroy()))
    there.pipe(socket).pipe(there)
  })

  const address = await app.listen({host: '127.0.0.1', port: 0})
  const host = await redirectSanityHost(t, address, {
    certificate,
    others: (name) => (folders.has(name) ? address : others[name]?.()),
  })
  return {...host, environment: {...host.environment, SANITY_AUTH_TOKEN: person, DO_NOT_TRACK: '1'}, missed}
}
