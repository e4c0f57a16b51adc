import type {FastifyInstance} from 'fastify'
import {relayStreams} from './relay.ts'
import type {SocketRoute} from './sockets.ts'

/**
 * `/_streams`: a WebSocket that carries all event streams of a Studio tab. Over HTTP/1.1, a browser opens six
 * connections to a host, and a tab with one open document holds six event streams. Each stream is authorized
 * separately, with the cookies of the socket.
 */
export function streamTunnel(app: FastifyInstance): SocketRoute {
  return {path: '/_streams', connect: (socket) => relayStreams(app, socket)}
}
