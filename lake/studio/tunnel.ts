import websocket from '@fastify/websocket'
import type {FastifyInstance, FastifyRequest} from 'fastify'
import type {WebSocket} from 'ws'
import {HttpError} from '../http/errors.ts'
import {type Origin, relayStreams} from './relay.ts'

/** Sockets open at once: one for each tab. */
const maxSockets = 1_000
/** A frame holds one request, whose path may carry a long query. */
const maxPayload = 64 * 1024
/** Milliseconds between two looks whether a browser is still there. */
const heartbeatEvery = 20_000
/** Milliseconds that browsers have to say goodbye when the lake stops. */
const farewell = 500

/**
 * `/_streams`: a WebSocket that carries all event streams of a Studio's tab. Over HTTP/1.1 a browser opens six
 * connections to a host, and a tab with one document open holds six event streams.
 */
export function streamTunnel(app: FastifyInstance): void {
  app.register(async (scope) => {
    const alive = new Map<WebSocket, boolean>()
    await scope.register(websocket, {
      // Events are small and many: compressing each costs more than it saves on the way to the next room.
      options: {maxPayload, perMessageDeflate: false},
      preClose: (done) => {
        for (const socket of alive.keys()) socket.close(1001, 'The lake stops')
        setTimeout(() => {
          for (const socket of alive.keys()) socket.terminate()
        }, farewell).unref()
        done()
      },
    })
    const heartbeat = setInterval(() => {
      for (const [socket, answered] of alive) {
        if (!answered) socket.terminate()
        alive.set(socket, false)
        socket.ping()
      }
    }, heartbeatEvery).unref()
    scope.addHook('onClose', async () => clearInterval(heartbeat))

    scope.get(
      '/_streams',
      {
        websocket: true,
        preValidation: async (request) => {
          refuseOtherOrigins(request)
          if (alive.size >= maxSockets) throw new HttpError(503, 'Too many sockets are open, try again later')
        },
      },
      (socket, request) => {
        alive.set(socket, true)
        socket.on('pong', () => alive.set(socket, true))
        socket.once('close', () => alive.delete(socket))
        relayStreams(socket, originOf(scope, request))
      },
    )
  })
}

/** Any page may open a socket to any host, and the browser adds the cookies: only Studio's own pages are served. */
function refuseOtherOrigins({headers: {origin, host}}: FastifyRequest): void {
  if (origin === undefined || host === undefined || !URL.canParse(origin) || new URL(origin).host !== host) {
    throw new HttpError(403, 'Streams are for pages of this host')
  }
}

function originOf(app: FastifyInstance, request: FastifyRequest): Origin {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The lake listens on no port')
  const headers: Record<string, string> = {}
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
