import rateLimit from '@fastify/rate-limit'
import type {FastifyInstance, FastifyRequest, onRequestAsyncHookHandler} from 'fastify'
import {errors} from '../errors.ts'
import {clientAddress} from '../limits/clientAddress.ts'
import {limitStore} from '../limits/limitStore.ts'
import type {SharedCounter} from '../limits/sharedCounter.ts'
import type {ServiceSettings} from '../settings.ts'
import {paramOf} from './params.ts'
import {type KnownIds, limitUnknownIds} from './unknownIds.ts'

/** What an operator says of the limit, and where replicas count together, if they do. */
export type Limits = Pick<
  ServiceSettings,
  'rateLimitMax' | 'rateLimitWindowSeconds' | 'trustedProxies' | 'maxConnections'
> & {
  shared?: SharedCounter | undefined
}

/**
 * Makes the hook that limits what one client address asks of one site, and how many identifiers it makes up: the
 * routes that take it share one count.
 */
export async function limitPerSite(
  app: FastifyInstance,
  limits: Limits,
  sites: KnownIds,
): Promise<onRequestAsyncHookHandler> {
  const {shared} = limits
  if (shared) app.addHook('onClose', async () => shared.close())
  const clientOf = clients()
  await app.register(rateLimit, {
    global: false,
    max: limits.rateLimitMax,
    timeWindow: limits.rateLimitWindowSeconds * 1_000,
    store: limitStore(shared),
    // A key of the site alone would let one visitor shut out all others.
    keyGenerator: (request) => `${paramOf(request, 'publicId')} ${clientOf(request)}`,
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

/** Tells clients apart, and once that it may fail to. */
function clients(): (request: FastifyRequest) => string {
  let isTold = false
  return (request) => {
    const {ip, headers, socket} = request
    if (!isTold && headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress) {
      isTold = true
      request.log.warn(
        {address: ip},
        'this address sends X-Forwarded-For: if it is your proxy, name it in TRUSTED_PROXIES, or its visitors share one limit',
      )
    }
    return clientAddress(ip)
  }
}

const NO_COUNTERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
}
