import type {FastifyRequest} from 'fastify'
import {clientKey} from '../../../common/limits/clientKey.ts'

/** The key by which limits count the client of a request; see `clientKey`. */
export function clientOf({ip}: Pick<FastifyRequest, 'ip'>): string {
  return clientKey(ip)
}
