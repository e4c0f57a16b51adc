import type {FastifyReply, FastifyRequest} from 'fastify'
import {onceClosed} from '../../../common/http/onceClosed.ts'
import {Tally} from './tally.ts'

type ConcurrencyLimit = {
  /** Requests of one client that may be in progress at once, or their total weight. */
  readonly perClient: number
  /** The same for all clients together. */
  readonly total: number
  /** How much a request counts, such as the bytes of its body. By default 1. */
  readonly weightOf?: (request: FastifyRequest) => number
  /** The key under which a request is counted: see `clientKey`. */
  readonly clientOf: (request: FastifyRequest) => string
  /** Makes the error for a request over the limit, and may set headers. */
  readonly refuse: (reply: FastifyReply) => Error
}

/**
 * Limits concurrent requests: bodies that arrive, open streams, slow work.
 * @returns a function that counts a request until its response is closed, and throws the error from `refuse`
 * over the limit. Its third parameter is the key to count under, instead of that of `clientOf`.
 */
export function concurrencyLimit({perClient, total, weightOf = () => 1, clientOf, refuse}: ConcurrencyLimit) {
  const inProgress = new Tally()
  let all = 0
  return (request: FastifyRequest, reply: FastifyReply, client = clientOf(request)): void => {
    if (reply.raw.closed) return
    const weight = weightOf(request)
    if (inProgress.of(client) + weight > perClient || all + weight > total) throw refuse(reply)
    inProgress.add(client, weight)
    all += weight
    onceClosed(reply.raw, () => {
      inProgress.remove(client, weight)
      all -= weight
    })
  }
}
