import {join} from 'node:path'
import type {FastifyBaseLogger} from 'fastify'
import type {BackoffLimits} from '../common/backoff.ts'
import {listen} from '../common/http/listen.ts'
import {LOSSLESS, type LogHealth} from '../common/log/log.ts'
import {parseInputSchema} from '../schemas/rules/inputSchema.ts'
import {followLiveEvents} from './cache/liveEvents.ts'
import {Sites} from './cache/sites.ts'
import {Calls} from './calls/calls.ts'
import {Counts} from './counts/counts.ts'
import {RedisCounts} from './counts/redisCounts.ts'
import {SqliteCounts} from './counts/sqliteCounts.ts'
import {ReplicaDatabase} from './database.ts'
import {Bodies} from './encodings/bodies.ts'
import {createServiceEvents} from './events.ts'
import {drain} from './http/drain.ts'
import {buildPageScripts, type PageScripts} from './http/pageScripts.ts'
import {createServer} from './http/server.ts'
import type {RequestTimeouts} from './http/serverLimits.ts'
import {earlierBuilds} from './http/snippetBuilds.ts'
import {connectRedis} from './limits/redis.ts'
import {SharedCounts} from './limits/sharedCounts.ts'
import {logServiceEvents} from './operations/eventLog.ts'
import {Metrics} from './operations/metrics.ts'
import {Readiness} from './operations/readiness.ts'
import {originTrialOf} from './originTrial.ts'
import {Previews} from './preview/previews.ts'
import type {ServiceSettings} from './settings.ts'
import {Snapshots} from './snapshots/snapshots.ts'
import {UpstreamCircuitBreaker} from './upstream/circuitBreaker.ts'
import {createUpstreamClient} from './upstream/client.ts'
import {createSiteSource} from './upstream/source.ts'
import {Visits} from './visits/visits.ts'

/** Maximum size of the cache of encoded bodies, in bytes. */
const MAX_BODY_BYTES = 128 * 2 ** 20

type Service = {readonly address: string; close(isDraining?: boolean): Promise<void>}

/** Times in milliseconds that no operator sets, but tests do. Each has its default where it is used. */
export type ServiceTiming = {
  readonly requests: RequestTimeouts
  readonly query: number
  readonly probe: BackoffLimits
  readonly reconnect: BackoffLimits
  readonly snapshots: number
  /** Passes the time for which the service drains. */
  readonly drain: (milliseconds: number) => Promise<void>
  readonly keepFreshEvery: number
}

type ServiceOptions = {
  /** Milliseconds since 1970, of the system and of one that is never set; tests can move them. */
  readonly systemClock?: () => number
  readonly clock?: () => number
  /** Whether lines of the log are lost. Default: none are. */
  readonly logHealth?: LogHealth
  /** The scripts of pages, built before for several services in one process. */
  readonly scripts?: PageScripts
  readonly timing?: Partial<ServiceTiming>
}

/**
 * Starts the public service. Resolves once it listens.
 * @throws a one-line error if the address cannot be bound. Then nothing is left open.
 */
export async function startService(
  settings: ServiceSettings,
  log: FastifyBaseLogger,
  options: ServiceOptions = {},
): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  const service = await start(settings, log, options, opened)
  const running = opened.move()
  return {
    address: service.address,
    /** @param isDraining whether other replicas take over: for a while, it still serves */
    async close(isDraining = false) {
      if (isDraining) await service.drain()
      await running.disposeAsync()
    },
  }
}

/** @param opened closes in reverse order, so what is deferred later may use what was opened before */
async function start(
  settings: ServiceSettings,
  log: FastifyBaseLogger,
  {
    systemClock = Date.now,
    clock = steadyClock,
    logHealth = LOSSLESS,
    scripts: built,
    timing = {},
  }: ServiceOptions,
  opened: AsyncDisposableStack,
): Promise<{readonly address: string; drain(): Promise<void>}> {
  // The first schema check compiles JSON Schema's meta-schema, which takes 0.1 s. Do it before the first
  // visitor arrives.
  parseInputSchema('{"type": "object", "properties": {}}')
  const {originTrialToken} = settings
  const scripts = built ?? (await buildPageScripts({originTrialToken}))
  const events = createServiceEvents()
  logServiceEvents(events, log)
  const client = createUpstreamClient(settings, (message) => log.error(message))
  const breaker = new UpstreamCircuitBreaker(events, {queryTimeout: timing.query, backoff: timing.probe})
  const source = createSiteSource(client, breaker)
  const path = join(settings.snapshotDir, 'counts.db')
  const database = new ReplicaDatabase(path, (error) => events.emit('databaseReplaced', path, error))
  opened.defer(() => database.close())
  const builds = await earlierBuilds(database, scripts.snippet, events)
  const snapshots = new Snapshots({
    database,
    origin: originOf(settings),
    events,
    clock,
    systemClock,
  })
  const sites = new Sites({
    source,
    breaker,
    snapshots,
    events,
    maxBytes: settings.siteMemory * 2 ** 20,
    clock,
    mayLag: settings.apiHost === undefined,
    keepEvery: timing.snapshots,
  })
  opened.defer(() => sites.close())
  const bodies = new Bodies(MAX_BODY_BYTES)
  const originTrial = originTrialOf(originTrialToken, systemClock, log)
  const observed = {events, sites, snapshots, originTrial, logHealth}
  const readiness = new Readiness({...observed, breaker, probe: () => source.probe()})
  const metrics = new Metrics({...observed, readiness, stateDir: settings.snapshotDir})
  const {siteMemory, apiToken, serviceTokenFile} = settings
  // Hosted Sanity shows drafts only to requests with a token, and so does a lake.
  const previews =
    apiToken === undefined && serviceTokenFile === undefined
      ? undefined
      : new Previews({client, settings, siteMemory, clock: systemClock, log, timeout: timing.query})
  opened.defer(() => previews?.close())
  const redis = settings.redisUrl === undefined ? undefined : connectRedis(settings.redisUrl)
  opened.defer(() => redis?.disconnect())
  const shared = redis && new SharedCounts({redis, prefix: prefixOf(settings, 'limit'), events})
  opened.defer(() => shared?.close())
  const counts = new Counts({
    store:
      redis === undefined
        ? new SqliteCounts({database, origin: originOf(settings)})
        : new RedisCounts({
            redis,
            prefix: prefixOf(settings, 'counts'),
            clock: systemClock,
            onLost: (error) => events.emit('countsFailed', error),
          }),
    clock: systemClock,
    events,
  })
  opened.defer(() => counts.close())
  const parts = {
    ...{settings, events, sites, bodies, shared, scripts, builds, previews, metrics, readiness},
    ...{counts, visits: new Visits(counts), calls: new Calls(counts, events), clock, systemClock},
  }
  const app = await createServer(log, parts, timing.requests)
  opened.defer(() => app.close())
  const {host, port, apiHost} = settings
  const describe = (url: string) => `service at ${url}, content from ${apiHost ?? 'Sanity'}`
  const address = await listen(app, {host, port, portName: 'PORT', describe})
  const stopFollowing = followLiveEvents(client, {
    listener: sites.revalidation,
    events,
    log,
    keepFreshEvery: timing.keepFreshEvery,
    backoff: timing.reconnect,
  })
  opened.defer(stopFollowing)
  return {address, drain: () => drain(app, readiness, timing.drain)}
}

/** Milliseconds since 1970, whatever the system clock is set to later: ages count with it. */
function steadyClock(): number {
  return performance.timeOrigin + performance.now()
}

/** Identifies the content, so that snapshots of another lake or dataset are never used. */
function originOf({apiHost = 'sanity', projectId, dataset}: ServiceSettings): string {
  return `${apiHost}/${projectId}/${dataset}`
}

/** Prefix for keys in Redis, which other services may use too. */
function prefixOf({projectId, dataset}: ServiceSettings, what: 'limit' | 'counts'): string {
  return `handrail:${projectId}:${dataset}:${what}:`
}
