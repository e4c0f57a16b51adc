import {createHmac} from 'node:crypto'
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import fc from 'fast-check'
import {Cleanup} from '../../../bench/cleanup.ts'
import {randomDataset} from '../../lake/query/random.ts'
import {type ContentDocument, createContentRepository} from '../../support/content.ts'
import {lakeRequest, strangersDataRequest} from '../generators/lakeRequests.ts'
import type {Exchange} from '../wire/exchange.ts'
import type {Credentials} from '../wire/request.ts'
import {type Accounts, makeAccounts, signIn} from './accounts.ts'
import {judgeLake} from './judge.ts'
import {ServerProcess} from './serverProcess.ts'
import type {RunningTarget, Target} from './target.ts'
import {Violation} from './violation.ts'

/** As deploy/kubernetes/base/lake.yaml gives it. */
const HEAP_MEGABYTES = 560
const GIT_SECRET = 'a secret that the Git host knows'

const program = fileURLToPath(new URL('../programs/lake.ts', import.meta.url))

/** Documents whose texts, numbers and references queries can go through for long. */
const posts: ContentDocument[] = Array.from({length: 150}, (_, number) => ({
  _id: `fuzz-post-${number}`,
  _type: 'fuzz',
  n: number % 7,
  name: `x${number}`,
  text: `${'a'.repeat(400)} ${number} ${'b c '.repeat(50)}`,
  ref: {_type: 'reference', _ref: `fuzz-post-${(number * 7) % 150}`},
  list: Array.from({length: 5}, (_, n) => ({_key: `k${n}`, n})),
}))

const dataset: ContentDocument[] = [...(fc.sample(randomDataset, {seed: 1, numRuns: 1})[0] ?? []), ...posts]

const studio = {
  'index.html': '<!doctype html><html><head></head><body>Studio</body></html>',
  'static/app-12345678.js': 'app()',
  'static/x.svg': '<svg/>',
  'static/.secret.js': 'hidden',
}

/** A lake in its own process, with its own content. */
export async function startLakeServer(
  documents: readonly ContentDocument[],
  accounts: Accounts,
  environment: NodeJS.ProcessEnv,
): Promise<{server: ServerProcess; close(): Promise<void>}> {
  const cleanup = new Cleanup()
  try {
    const repository = await createContentRepository([...documents])
    cleanup.defer(() => repository.dispose())
    const dir = await mkdtemp(join(tmpdir(), 'handrail-fuzz-lake-'))
    cleanup.defer(() => rm(dir, {recursive: true, force: true, maxRetries: 3}))
    for (const [path, text] of Object.entries(studio)) {
      await mkdir(join(dir, 'studio', path, '..'), {recursive: true})
      await writeFile(join(dir, 'studio', path), text)
    }
    await accounts.copyTo(repository.dir)
    const server = new ServerProcess({
      program,
      heapMegabytes: HEAP_MEGABYTES,
      environment: {
        LAKE_PORT: '0',
        CONTENT_DIR: repository.dir,
        SERVICE_TOKEN_FILE: join(dir, 'service-token'),
        FUZZ_STUDIO_DIR: join(dir, 'studio'),
        // What requests say of their clients is read.
        TRUSTED_PROXIES: 'loopback',
        ...environment,
      },
    })
    cleanup.defer(() => server.kill())
    await server.address
    return {server, close: () => cleanup.run()}
  } catch (error) {
    await cleanup.run()
    throw error
  }
}

/** A lake, to which strangers, viewers and editors send requests. */
export const lake: Target = {
  name: 'lake',
  requests: lakeRequest,
  judge: judgeLake,
  start: startTarget,
}

/** A lake whose data strangers request. They must get none. */
export const lakeOfStrangers: Target = {
  name: 'lake, strangers',
  requests: strangersDataRequest,
  judge(exchange) {
    judgeLake(exchange)
    judgeRefused(exchange)
  },
  start: startTarget,
}

async function startTarget(): Promise<RunningTarget> {
  const accounts = await makeAccounts()
  const environment = {GIT_WEBHOOK_SECRET: GIT_SECRET}
  const {server, close} = await startLakeServer(dataset, accounts, environment)
  const session = await signIn(await server.address, accounts)
  const credentials: Credentials = async (role, body) => {
    if (role === 'viewer' || role === 'editor') return [`authorization: Bearer ${accounts.tokens[role]}`]
    if (role === 'session')
      return [`cookie: ${session}`, 'origin: http://{host}', 'sec-fetch-site: same-origin']
    if (role === 'gitHost')
      return [
        `x-hub-signature-256: sha256=${createHmac('sha256', GIT_SECRET).update(body).digest('hex')}`,
        'x-github-event: push',
      ]
    return []
  }
  return {server, credentials, checkMeanwhile: () => {}, close}
}

/** Statuses of a request that is refused before anything is known of it, or that is none of a data route. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 408, 413, 414, 415, 417, 426, 429, 431, 503])

/** @throws Violation where a stranger gets anything from a route of data. */
function judgeRefused({request, response}: Exchange): void {
  if (response === undefined || REFUSALS.has(response.status)) return
  // A preflight says which methods there are, and nothing of the data. So does the page of Studio, which a browser gets
  // for every URL without a route.
  if (request.line.startsWith('OPTIONS ') || response.headers.get('content-type')?.startsWith('text/html'))
    return
  throw new Violation(
    `open ${response.status}`,
    `a lake gave a stranger ${response.status}: ${response.body.subarray(0, 300)}`,
  )
}
