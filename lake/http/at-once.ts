import type {FastifyReply, FastifyRequest} from 'fastify'
import {clientOf} from './client.ts'
import {onceClosed} from './closed.ts'
import {Tally} from './tally.ts'

/** How many requests may be under way: of one client, and of all. */
export type AtOnce = {readonly ofClient: number; readonly inAll: number}

/**
 * Bounds what is under way at once, be it a body that arrives, a stream that flows or work that takes long. Answers a
 * function that lets a request in, until its answer has ended.
 * @param refusal what one too many is told
 */
export function atOnce({ofClient, inAll}: AtOnce, refusal: () => Error) {
  const underWay = new Tally()
  let all = 0
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const client = clientOf(request)
    if (underWay.of(client) >= ofClient || all >= inAll) throw refusal()
    underWay.add(client)
    all += 1
    onceClosed(reply.raw, () => {
      underWay.remove(client)
      all -= 1
    })
  }
}
