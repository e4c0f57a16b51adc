import {existsSync} from 'node:fs'
import {join} from 'node:path'
import type {FastifyInstance} from 'fastify'
import {Histogram} from 'prom-client'
import {hasBearerToken} from '../../../common/http/bearerToken.ts'
import type {LogHealth} from '../../../common/log/log.ts'
import {ServerMetrics} from '../../../common/metrics/serverMetrics.ts'
import {plainLine} from '../../../git/plainLine.ts'
import {withoutCredentials, withoutPaths} from '../../../git/redact.ts'
import type {PushState} from '../../../git/remote/remoteSync.ts'
import {type LakeParts, PROBLEM_CODES, type Problem, type Readiness} from '../../readiness.ts'
import {refuse} from '../errors.ts'

/** The current state of a lake, in numbers. */
type LakeNumbers = LakeState & {
  /** How many documents are public. */
  readonly published: number
  /** Known deliveries of webhooks that were not accepted yet. */
  readonly webhooksPending: number
  /** When the last backup was made, in seconds since 1970; 0 if there is none. */
  readonly lastBackup: number
}

/** Histogram buckets in seconds. Publishing makes a commit, which takes some hundredths of a second. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const PUSH_STATES: readonly PushState['state'][] = ['off', 'ok', 'pending', 'failing', 'conflict']

type MetricsRouteOptions = {
  readonly read: () => Promise<LakeNumbers>
  /** The folder whose disk is measured. */
  readonly contentDir: string
  readonly log: LogHealth
  /** The tokens one of which the route requires, if any. */
  readonly tokens?: readonly string[] | undefined
}

/** `GET /metrics` for Prometheus. docs/monitoring.md repeats the list; a test compares the two. */
export function metricsRoute(
  app: FastifyInstance,
  {read, contentDir, log, tokens = []}: MetricsRouteOptions,
): void {
  const server = new ServerMetrics({prefix: 'lake', folder: contentDir, log})
  const problem = server.gauge('lake_problem', '1 for each problem that /readyz reports, by code.', ['code'])
  const push = server.gauge('lake_push_state', '1 for the current state of pushes to the remote, by state.', [
    'state',
  ])
  const readAll = async () => {
    const now = await read()
    const codes = new Set(now.problems.map(({code}) => code))
    for (const code of PROBLEM_CODES) problem.set({code}, codes.has(code) ? 1 : 0)
    for (const state of PUSH_STATES) push.set({state}, now.push.state === state ? 1 : 0)
    return now
  }
  server.read(readAll, {
    lake_documents: ['Documents in memory, including drafts.', ({documents}) => documents],
    lake_published_documents: ['Published documents.', ({published}) => published],
    lake_invalid_files: [
      'Files in the content repository that are not valid documents.',
      ({invalidFiles}) => invalidFiles,
    ],
    lake_webhook_pending: [
      'Deliveries of webhooks that were not accepted yet.',
      ({webhooksPending}) => webhooksPending,
    ],
    lake_last_backup_timestamp_seconds: [
      'When the last backup was made; 0 if there is none.',
      ({lastBackup}) => lastBackup,
    ],
  })

  const requests = new Histogram({
    name: 'lake_http_request_duration_seconds',
    help: 'Time until the response was sent, by route and status. An event stream is counted when it ends.',
    labelNames: ['route', 'status'],
    buckets: DURATIONS,
    registers: [server.registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const labels = {route: request.routeOptions.url ?? 'none', status: reply.statusCode}
    requests.observe(labels, reply.elapsedTime / 1_000)
  })

  app.get('/metrics', {config: {access: 'open'}}, async ({headers}, reply) => {
    if (tokens.length > 0 && !hasBearerToken(headers.authorization, tokens)) throw refuse.metricsToken()
    return reply
      .headers({'content-type': server.registry.contentType, 'cache-control': 'no-store'})
      .send(await server.exposition())
  })
}

/** The current state of a lake. */
export async function stateOf(
  {repository, store, pusher}: LakeParts,
  readiness: Readiness,
  studioDir: string | undefined,
) {
  return {
    commit: repository.head,
    documents: store.size,
    invalidFiles: repository.invalid.length,
    studio: stateOfStudio(studioDir),
    push: pusher.state,
    problems: await readiness.problems(),
  }
}

/** Missing: it is hosted elsewhere, or its packages are not installed. */
function stateOfStudio(directory: string | undefined): 'ready' | 'building' | 'missing' {
  if (directory === undefined) return 'missing'
  return existsSync(join(directory, 'index.html')) ? 'ready' : 'building'
}

type LakeState = Awaited<ReturnType<typeof stateOf>>

/**
 * `GET /readyz`. Returns 200 while documents can be served, even if something else is wrong: a problem with
 * publishing must not take the lake away from editors and the service. The lake listens only once it can
 * serve.
 */
export function readinessRoute(app: FastifyInstance, read: () => Promise<LakeState>): void {
  app.get('/readyz', {config: {access: 'open'}}, async (_request, reply) => {
    const {commit = null, problems, push, ...rest} = await read()
    const {lastError: _, ...pushed} = push
    return reply.header('cache-control', 'no-store').send({
      status: problems.length === 0 ? 'ready' : 'degraded',
      problems: problems.map(({code, message}) => ({code, message})),
      commit,
      ...rest,
      push: pushed,
    })
  })
}

/** Characters of a reason. */
const MAX_REASON = 1_500

/** `GET /v1/problems`: what is wrong, with reasons that only people with an account may see. Studio shows it. */
export function problemsRoute(app: FastifyInstance, problems: () => Promise<readonly Problem[]>): void {
  app.get('/v:version/problems', {config: {access: 'read'}}, async (_request, reply) => {
    const found = await problems()
    return reply.header('cache-control', 'no-store').send({
      problems: found.map(({code, message, details}) => {
        const reason = typeof details?.reason === 'string' ? details.reason : undefined
        return {code, message, ...(reason !== undefined && {reason: shown(reason)})}
      }),
    })
  })
}

/** One line without credentials, and without folders of this machine. */
function shown(reason: string): string {
  return withoutPaths(withoutCredentials(plainLine(reason))).slice(0, MAX_REASON)
}
