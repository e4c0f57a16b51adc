import {randomUUID} from 'node:crypto'
import type {FastifyRequest} from 'fastify'
import {clientKey} from '../../common/clientKey.ts'

/** A header that nobody outside can name. By it the lake says for whom it asks itself. */
const askedFor = `x-asked-for-${randomUUID()}`

type Asking = Pick<FastifyRequest, 'ip'> & Partial<Pick<FastifyRequest, 'headers'>>

/** The key under which limits count the client of a request, see `clientKey`. */
export function clientOf({ip, headers}: Asking): string {
  const told = headers?.[askedFor]
  return typeof told === 'string' ? told : clientKey(ip)
}

/** Headers of a request that the lake makes of itself for another one: it counts for the same client. */
export function inTheNameOf(request: FastifyRequest): Record<string, string> {
  return {[askedFor]: clientOf(request)}
}
