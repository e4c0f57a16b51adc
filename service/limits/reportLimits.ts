import type {onRequestAsyncHookHandler} from 'fastify'
import {pathParam} from '../../common/http/pathParam.ts'
import {clientKey} from '../../common/limits/clientKey.ts'
import type {ServiceSettings} from '../settings.ts'
import {LocalCounter} from './localCounter.ts'
import {rateLimited} from './rateLimited.ts'
import {keyOf} from './requestCounts.ts'
import {type KnownIds, limitUnknownIds} from './unknownIds.ts'

/** Reports of one client for one site in a window, and of all clients for one, compared with RATE_LIMIT_MAX. */
const SHARE_OF_CLIENT = 1 / 5
const SHARE_OF_SITE = 20

/** Creates the hook that limits reports of calls, which count separately from other requests. */
export function limitReports(
  limits: Pick<ServiceSettings, 'rateLimitMax' | 'rateLimitWindowSeconds'>,
  sites: KnownIds,
): onRequestAsyncHookHandler {
  const milliseconds = limits.rateLimitWindowSeconds * 1_000
  const ofClient = Math.ceil(limits.rateLimitMax * SHARE_OF_CLIENT)
  const ofSite = limits.rateLimitMax * SHARE_OF_SITE
  const clients = new LocalCounter()
  const all = new LocalCounter()
  const admitUnknown = limitUnknownIds(limits, sites)
  return async (request, reply) => {
    const refusal = admitUnknown(request, reply)
    if (refusal) throw refusal
    const publicId = pathParam(request, 'publicId')
    const client = clients.increment(keyOf(publicId, clientKey(request.ip)), milliseconds)
    if (client.current > ofClient) throw rateLimited(reply, client.ttl)
    const site = all.increment(publicId, milliseconds)
    if (site.current > ofSite) throw rateLimited(reply, site.ttl)
  }
}
