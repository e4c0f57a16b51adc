import {randomUUID} from 'node:crypto'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {createClient} from '@sanity/client'
import {encodeSignatureHeader} from '@sanity/webhook'
import {Cleanup} from '../../../bench/cleanup.ts'
import {createSecret} from '../../../studio/preview/secrets.ts'
import {recordOf} from '../../support/answers.ts'
import {askFrom} from '../../support/client.ts'
import type {ContentDocument} from '../../support/content.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {PUBLIC_IDS, serviceRequest} from '../generators/serviceRequests.ts'
import type {Credentials} from '../wire/request.ts'
import {makeAccounts} from './accounts.ts'
import {judgeService} from './judge.ts'
import {startLakeServer} from './lakeTarget.ts'
import {ServerProcess} from './serverProcess.ts'
import type {RunningTarget, Target} from './target.ts'
import {Violation} from './violation.ts'

/** As deploy/kubernetes/base/service.yaml and the image give it. */
const HEAP_MEGABYTES = 512
const SANITY_SECRET = 'a secret that only Sanity knows'

const program = fileURLToPath(new URL('../../../service/main.ts', import.meta.url))

/** Patterns that are as hard to match as the rules accept. */
const PATTERNS = [
  '/**',
  '/products/**',
  '/a*/**',
  '/{a,b}/{c,d}',
  '/**/-',
  '/*-',
  '/{*,-}/**',
  '/{a,{b,ab}}*',
  '/é/*',
  '/😀',
]

const documents: ContentDocument[] = [
  siteDocument({reportCalls: true}),
  toolDocument(),
  formToolDocument(),
  siteDocument({_id: 'globs', publicId: 'globs-public', name: 'Globs'}),
  ...PATTERNS.map((pathPattern, number) =>
    toolDocument({
      _id: `glob-${number}`,
      site: {_ref: 'globs', _type: 'reference'},
      name: `tool${number}`,
      pathPattern,
    }),
  ),
]

/** The service before a lake. */
export const service: Target = {name: 'service', requests: serviceRequest, judge: judgeService, start}

async function start(): Promise<RunningTarget> {
  const cleanup = new Cleanup()
  try {
    const accounts = await makeAccounts()
    const lake = await startLakeServer(documents, accounts, {})
    cleanup.defer(() => lake.close())
    const dir = await mkdtemp(join(tmpdir(), 'handrail-fuzz-service-'))
    cleanup.defer(() => rm(dir, {recursive: true, force: true, maxRetries: 3}))
    const server = new ServerProcess({
      program,
      heapMegabytes: HEAP_MEGABYTES,
      environment: {
        PORT: '0',
        SANITY_API_HOST: await lake.server.address,
        SANITY_API_TOKEN: accounts.tokens.viewer,
        SANITY_WEBHOOK_SECRET: SANITY_SECRET,
        SNAPSHOT_DIR: join(dir, 'snapshots'),
        DRAIN_SECONDS: '0',
        // What requests say of their clients is read.
        TRUSTED_PROXIES: 'loopback',
      },
    })
    cleanup.defer(() => server.kill())
    const visitors = visit(await server.address)
    cleanup.defer(async () => visitors.stop())
    const page = await startPreview(await lake.server.address, await server.address, accounts.tokens.editor)
    const credentials: Credentials = async (role, body) => (role === 'previewer' ? page : signed(role, body))
    return {server, credentials, checkMeanwhile: visitors.check, close: () => cleanup.run()}
  } catch (error) {
    await cleanup.run()
    throw error
  }
}

/** Starts a preview as Studio and a page do, and returns the headers that the page sends. */
async function startPreview(lake: string, service: string, token: string): Promise<string[]> {
  const origin = 'https://shop.example'
  const [publicId] = PUBLIC_IDS
  const client = createClient({
    projectId: 'local',
    dataset: 'production',
    apiVersion: '2025-02-19',
    apiHost: lake,
    useProjectHostname: false,
    useCdn: false,
    token,
  })
  const {code} = await createSecret(client, {publicId, userId: 'editor'}, 'https://studio.example')
  const {body} = await askFrom(VISITOR, `${service}/api/sites/${publicId}/preview`, {
    method: 'POST',
    headers: {origin, 'content-type': 'application/json'},
    body: JSON.stringify({code}),
  })
  return [`origin: ${origin}`, `authorization: Bearer ${recordOf(JSON.parse(body)).token}`]
}

const signed: Credentials = async (role, body) =>
  role === 'sanity' && body.length > 0
    ? [
        `sanity-webhook-signature: ${await encodeSignatureHeader(body.toString(), Date.now(), SANITY_SECRET)}`,
        `idempotency-key: ${randomUUID()}`,
        'sanity-project-id: local',
        'sanity-dataset: production',
        'sanity-operation: update',
      ]
    : []

/** Milliseconds between two requests of a visitor: below the limit of 600 a minute. */
const VISIT_EVERY = 250
const VISITOR = '127.0.9.7'

/** Continuously visits a page of every existing site: each request must get its config. */
function visit(address: string): {check(): void; stop(): void} {
  const problems: string[] = []
  const timer = setInterval(() => {
    for (const publicId of PUBLIC_IDS)
      visitOnce(address, publicId).catch((error: unknown) => problems.push(`${publicId}: ${error}`))
  }, VISIT_EVERY)
  return {
    check() {
      const [problem] = problems.splice(0)
      if (problem !== undefined)
        throw new Violation('config', `a visitor of a site got no config: ${problem}`)
    },
    stop: () => clearInterval(timer),
  }
}

async function visitOnce(address: string, publicId: string): Promise<void> {
  const {status, body} = await askFrom(VISITOR, `${address}/api/sites/${publicId}/config?path=/products/7`)
  if (status !== 200) throw new Error(`status ${status}: ${body}`)
  const {tools, formTools, siteId} = recordOf(JSON.parse(body))
  if (!Array.isArray(tools) || tools.length === 0 || !Array.isArray(formTools) || typeof siteId !== 'string')
    throw new Error(`not a config: ${body}`)
}
