import type {FastifyReply} from 'fastify'
import {errors} from '../errors.ts'

/** The error for whoever asks too much, and in the answer's headers for how long. */
export function rateLimited(reply: FastifyReply, milliseconds: number): Error {
  const seconds = Math.ceil(milliseconds / 1_000)
  reply.header('retry-after', seconds)
  return new errors.RATE_LIMITED(seconds)
}
