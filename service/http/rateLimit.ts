import rateLimit from '@fastify/rate-limit'
import type {FastifyInstance, onRequestAsyncHookHandler} from 'fastify'
import {errors} from '../errors.ts'
import type {ClientOf} from '../limits/clients.ts'
import {keyOf, limitStore, type RequestCounts, type RequestLimits} from '../limits/requestCounts.ts'
import type {ServiceSettings} from '../settings.ts'
import {paramOf} from './params.ts'
import {type KnownIds, limitUnknownIds} from './unknownIds.ts'

/** What an operator says of all limits, and where replicas count together, if they do. */
export type Limits = RequestLimits & Pick<ServiceSettings, 'trustedProxies' | 'maxConnections'>

/**
 * Makes the hook that limits what one client address asks of one site, and how many identifiers it makes up: the
 * routes that take it share one count.
 */
export async function limitPerSite(
  app: FastifyInstance,
  limits: Limits,
  {counts, clientOf, sites}: {counts: RequestCounts; clientOf: ClientOf; sites: KnownIds},
): Promise<onRequestAsyncHookHandler> {
  const {shared} = limits
  if (shared) app.addHook('onClose', async () => shared.close())
  await app.register(rateLimit, {
    global: false,
    max: counts.max,
    timeWindow: counts.milliseconds,
    store: limitStore(counts),
    keyGenerator: (request) => keyOf(paramOf(request, 'publicId'), clientOf(request.raw)),
    errorResponseBuilder: (_request, {ttl}) => new errors.RATE_LIMITED(Math.ceil(ttl / 1_000)),
    // Counters on a cacheable answer would be everybody's.
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
