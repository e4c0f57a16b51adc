import type {FastifyRequest} from 'fastify'

/** The code, token or ticket in `Authorization`; empty without one. */
export function tokenIn({headers}: FastifyRequest): string {
  return /^Bearer ([\w.-]{1,600})$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}
