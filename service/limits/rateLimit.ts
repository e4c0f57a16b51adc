import rateLimit from '@fastify/rate-limit'
import type {FastifyInstance, onRequestAsyncHookHandler} from 'fastify'
import {pathParam} from '../../common/http/pathParam.ts'
import {errors} from '../errors.ts'
import type {ServiceSettings} from '../settings.ts'
import type {ClientOf} from './clients.ts'
import {keyOf, limitStore, type RequestCounts, type RequestLimits} from './requestCounts.ts'
import type {SharedCounter} from './sharedCounter.ts'
import {type KnownIds, limitUnknownIds} from './unknownIds.ts'

/** The operator's settings for all limits, and the shared counter if replicas use one. */
export type Limits = RequestLimits &
  Pick<ServiceSettings, 'trustedProxies' | 'maxConnections'> & {readonly shared?: SharedCounter | undefined}

/**
 * Creates the hook that limits how many requests one client address may send for one site, and how many IDs
 * it may make up. All routes with this hook share one count.
 */
export async function limitPerSite(
  app: FastifyInstance,
  limits: Limits,
  {
    counts,
    clientOf,
    sites,
  }: {readonly counts: RequestCounts; readonly clientOf: ClientOf; readonly sites: KnownIds},
): Promise<onRequestAsyncHookHandler> {
  await app.register(rateLimit, {
    global: false,
    max: counts.max,
    timeWindow: counts.milliseconds,
    store: limitStore(counts),
    keyGenerator: (request) => keyOf(pathParam(request, 'publicId'), clientOf(request.raw)),
    errorResponseBuilder: (_request, {ttl}) => new errors.RATE_LIMITED(Math.ceil(ttl / 1_000)),
    // A cache would show one client's counters to all others.
    addHeaders: NO_COUNTERS,
    addHeadersOnExceeding: NO_COUNTERS,
  })
  const perSite = app.rateLimit()
  const admitUnknown = limitUnknownIds(limits, sites)
  return function limit(request, reply) {
    const refusal = admitUnknown(request, reply)
    return refusal ? Promise.reject(refusal) : perSite.call(this, request, reply)
  }
}

const NO_COUNTERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
}
