import type {FastifyReply, FastifyRequest} from 'fastify'
import {pathParam} from '../../common/http/pathParam.ts'
import {clientKey} from '../../common/limits/clientKey.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import type {ServiceSettings} from '../settings.ts'
import {LocalCounter} from './localCounter.ts'
import {rateLimited} from './rateLimited.ts'

/** The share of the requests in a window that may name unknown public IDs, and its minimum. */
const SHARE = 1 / 10
const AT_LEAST = 10

/** Tells which public IDs are known, without an upstream query. */
export type KnownIds = {isKnown(publicId: string): boolean; hasSite(publicId: string): boolean}

/**
 * Limits how many public IDs one client may make up. Each costs an upstream query, and each has its own
 * counter, so the limit per site never applies. Only IDs that turn out to be unknown count. Known sites are always
 * served, and requests for a deleted site cost nothing.
 * @returns a function that returns the error if a client makes up too many.
 */
export function limitUnknownIds(
  {rateLimitMax, rateLimitWindowSeconds}: Pick<ServiceSettings, 'rateLimitMax' | 'rateLimitWindowSeconds'>,
  sites: KnownIds,
): (request: FastifyRequest, reply: FastifyReply) => Error | undefined {
  const max = Math.max(AT_LEAST, Math.ceil(rateLimitMax * SHARE))
  const counter = new LocalCounter()
  return (request, reply) => {
    const publicId = pathParam(request, 'publicId')
    if (sites.isKnown(publicId) || !parsePublicId(publicId).ok) return undefined
    const client = clientKey(request.ip)
    const {current, ttl} = counter.increment(client, rateLimitWindowSeconds * 1_000)
    const {raw} = reply
    raw.once('close', () => {
      // The query was sent even if the client disconnects before the response.
      const isOurFault = raw.writableFinished && raw.statusCode >= 500
      if (current > max || isOurFault || sites.hasSite(publicId)) counter.decrement(client)
    })
    return current > max ? rateLimited(reply, ttl) : undefined
  }
}
