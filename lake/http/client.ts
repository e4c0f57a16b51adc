import {normalizeIP} from '@fastify/rate-limit'
import type {FastifyRequest} from 'fastify'

/** What stands for one client in a limit: an IPv4 address, or of IPv6 the network, for the rest is the client's to choose. */
export function clientOf({ip}: Pick<FastifyRequest, 'ip'>): string {
  // A connection that is gone has no address.
  return normalizeIP(String(ip))
}
