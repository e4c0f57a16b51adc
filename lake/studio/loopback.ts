import type {FastifyInstance, FastifyRequest} from 'fastify'
import {inTheNameOf} from '../http/client.ts'

/** How to ask the lake itself, in the name of whoever made a request. */
export type Loopback = {
  readonly host: string
  readonly port: number
  /** Who asks, and from which page: what access control and limits look at. */
  readonly headers: Readonly<Record<string, string>>
}

/** The way back to the lake for a request that it got. */
export function loopbackOf(app: FastifyInstance, request: FastifyRequest): Loopback {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The lake listens on no port')
  const headers = inTheNameOf(request)
  for (const name of ['cookie', 'host', 'origin', 'user-agent'] as const) {
    const value = request.headers[name]
    if (value !== undefined) headers[name] = value
  }
  return {host: reachable(address.address), port: address.port, headers}
}

/** The address to call for one that is listened on: "any" is no address to connect to. */
function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}
