import type {FastifyReply, FastifyRequest} from 'fastify'
import {clientKey} from '../../common/clientKey.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import {LocalCounter} from '../limits/localCounter.ts'
import type {ServiceSettings} from '../settings.ts'
import {paramOf} from './params.ts'
import {rateLimited} from './rateLimited.ts'

/** The part of a window's requests for one site that may name identifiers which nobody gave, and how many may at least. */
const SHARE = 1 / 10
const AT_LEAST = 10

/** What is known of public identifiers, without asking the lake. */
export type KnownIds = {isKnown(publicId: string): boolean; hasSite(publicId: string): boolean}

/**
 * Limits how many public identifiers one client makes up. Each is a query to the lake and a count of its own, so that
 * no limit of a site would ever be reached. Only those that turn out to be nobody's count, and only while nothing is
 * known of them: a known site is served whoever asks, and a site that was deleted costs its visitors nothing.
 * @returns a function that answers with the error for whoever makes up too many.
 */
export function limitUnknownIds(
  {rateLimitMax, rateLimitWindowSeconds}: Pick<ServiceSettings, 'rateLimitMax' | 'rateLimitWindowSeconds'>,
  sites: KnownIds,
): (request: FastifyRequest, reply: FastifyReply) => Error | undefined {
  const max = Math.max(AT_LEAST, Math.ceil(rateLimitMax * SHARE))
  const counter = new LocalCounter()
  return (request, reply) => {
    const publicId = paramOf(request, 'publicId')
    if (sites.isKnown(publicId) || !parsePublicId(publicId).ok) return undefined
    const client = clientKey(request.ip)
    const {current, ttl} = counter.increment(client, rateLimitWindowSeconds * 1_000)
    const {raw} = reply
    raw.once('close', () => {
      // Who goes away before the answer has asked all the same.
      const isOurFault = raw.writableFinished && raw.statusCode >= 500
      if (current > max || isOurFault || sites.hasSite(publicId)) counter.decrement(client)
    })
    return current > max ? rateLimited(reply, ttl) : undefined
  }
}
