import type {FastifyReply} from 'fastify'
import {errors} from '../errors.ts'

/** Creates the error for a client that exceeds its limit, and sets `Retry-After`. */
export function rateLimited(reply: FastifyReply, milliseconds: number): Error {
  const seconds = Math.ceil(milliseconds / 1_000)
  reply.header('retry-after', seconds)
  return new errors.RATE_LIMITED(seconds)
}
