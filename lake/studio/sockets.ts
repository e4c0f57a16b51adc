import websocket from '@fastify/websocket'
import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import type {WebSocket} from 'ws'
import {concurrencyLimit} from '../../common/concurrencyLimit.ts'
import {HttpError} from '../errors.ts'
import {clientOf} from '../http/client.ts'

/** Sockets open at once: two for each tab. One client may have a hundred tabs. */
const socketsAtOnce = {perClient: 200, total: 2_000}
/** A frame holds one request, whose path may carry a long query. */
const maxPayload = 64 * 1024
/** Milliseconds between two looks whether a browser is still there. */
const heartbeatEvery = 20_000
/** Milliseconds that browsers have to say goodbye when the lake stops. */
const farewell = 500

/** A path that Studio opens a WebSocket to. */
export type SocketRoute<Admitted> = {
  readonly path: string
  /** Decides before the socket opens. @throws HttpError for who may not */
  admit(request: FastifyRequest): Promise<Admitted>
  connect(socket: WebSocket, request: FastifyRequest, admitted: Admitted): void
}

/** Opens, watches and closes WebSockets. */
export class Sockets {
  readonly #app: FastifyInstance
  readonly #alive = new Map<WebSocket, boolean>()
  /** An answer that became a socket ends with it. */
  readonly #admit = concurrencyLimit({
    ...socketsAtOnce,
    clientOf,
    refuse: () => new HttpError(503, 'Too many sockets are open, try again later'),
  })

  /** @param app a scope that a {@link Sockets} has for itself */
  private constructor(app: FastifyInstance) {
    this.#app = app
  }

  static async register(app: FastifyInstance): Promise<Sockets> {
    const sockets = new Sockets(app)
    await app.register(websocket, {
      // Events are small and many: compressing each costs more than it saves on the way to the next room.
      options: {maxPayload, perMessageDeflate: false},
      preClose: (done) => {
        sockets.#close()
        done()
      },
    })
    const heartbeat = setInterval(() => sockets.#beat(), heartbeatEvery).unref()
    app.addHook('onClose', async () => clearInterval(heartbeat))
    return sockets
  }

  add<Admitted>(route: SocketRoute<Admitted>): void {
    const admitted = new WeakMap<FastifyRequest, {as: Admitted}>()
    const preValidation = async (request: FastifyRequest, reply: FastifyReply) => {
      refuseOtherOrigins(request)
      this.#admit(request, reply)
      admitted.set(request, {as: await route.admit(request)})
    }
    this.#app.get(route.path, {websocket: true, preValidation}, (socket, request) => {
      const found = admitted.get(request)
      if (found === undefined) return socket.terminate()
      this.#alive.set(socket, true)
      socket.on('pong', () => this.#alive.set(socket, true))
      socket.once('close', () => this.#alive.delete(socket))
      // It closes next.
      socket.on('error', () => undefined)
      route.connect(socket, request, found.as)
    })
  }

  #beat(): void {
    for (const [socket, answered] of this.#alive) {
      if (!answered) socket.terminate()
      this.#alive.set(socket, false)
      socket.ping()
    }
  }

  #close(): void {
    for (const socket of this.#alive.keys()) socket.close(1001, 'The lake stops')
    setTimeout(() => {
      for (const socket of this.#alive.keys()) socket.terminate()
    }, farewell).unref()
  }
}

/** Any page may open a socket to any host, and the browser adds the cookies: only Studio's own pages are served. */
function refuseOtherOrigins({headers: {origin, host}}: FastifyRequest): void {
  if (origin === undefined || host === undefined || !URL.canParse(origin) || new URL(origin).host !== host) {
    throw new HttpError(403, 'Sockets are for pages of this host')
  }
}
