import type {FastifyReply, FastifyRequest} from 'fastify'
import {clientAddress} from '../limits/clientAddress.ts'
import {Tally} from '../limits/tally.ts'
import {rateLimited} from './rateLimited.ts'

/** Milliseconds after which one too many may come again. */
const AGAIN_AFTER = 1_000

/**
 * Bounds the requests that are under way at once, those of one client and all. Answers a function that lets a request in
 * until its answer has ended.
 */
export function atOnce({ofClient, inAll}: {ofClient: number; inAll: number}) {
  const underWay = new Tally()
  let all = 0
  /** @throws RATE_LIMITED */
  return (request: FastifyRequest, reply: FastifyReply): void => {
    // Whoever went away while Redis was asked will not do so again.
    if (reply.raw.closed) return
    const client = clientAddress(request.ip)
    if (underWay.of(client) >= ofClient || all >= inAll) throw rateLimited(reply, AGAIN_AFTER)
    underWay.add(client)
    all++
    reply.raw.once('close', () => {
      underWay.remove(client)
      all--
    })
  }
}
