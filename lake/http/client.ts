import {randomUUID} from 'node:crypto'
import {normalizeIP} from '@fastify/rate-limit'
import type {FastifyRequest} from 'fastify'

/** A header that nobody outside can name. By it the lake says for whom it asks itself. */
const askedFor = `x-asked-for-${randomUUID()}`

type Asking = Pick<FastifyRequest, 'ip'> & Partial<Pick<FastifyRequest, 'headers'>>

/** What stands for one client in a limit: an IPv4 address, or of IPv6 the network, for the rest is the client's to choose. */
export function clientOf({ip, headers}: Asking): string {
  const told = headers?.[askedFor]
  // A connection that is gone has no address.
  return typeof told === 'string' ? told : normalizeIP(String(ip))
}

/** Headers of a request that the lake makes of itself for another one: it counts for the same client. */
export function inTheNameOf(request: FastifyRequest): Record<string, string> {
  return {[askedFor]: clientOf(request)}
}
