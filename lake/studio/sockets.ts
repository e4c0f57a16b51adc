import websocket from '@fastify/websocket'
import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import type {WebSocket} from 'ws'
import {inBackground} from '../../common/background.ts'
import {MAX_DOCUMENT_BYTES} from '../../content/parseDocument.ts'
import type {Access} from '../access/access.ts'
import type {Principal} from '../access/principal.ts'
import {HttpError} from '../errors.ts'
import {admitted} from '../http/gate.ts'
import {clientOf} from '../http/limits/client.ts'
import {concurrencyLimit} from '../http/limits/concurrencyLimit.ts'
import type {UnsentBytes} from '../http/limits/unsentBytes.ts'

/** Open sockets of one principal, and of all. A Studio tab has two. */
const SOCKETS = {perClient: 100, total: 2_000}
/** Maximum size of a frame. It holds one request, whose path may contain a long query. */
const MAX_PAYLOAD = 64 * 1024
/**
 * Maximum bytes that wait for a browser. At the next message its socket is closed; Studio opens another one.
 */
const MAX_WAITING_BYTES = 4 * MAX_DOCUMENT_BYTES
/** Interval of the checks whether a browser is still connected and signed in, in milliseconds. */
const HEARTBEAT_EVERY = 20_000
/** Milliseconds that browsers have to close their sockets when the lake stops. */
const FAREWELL = 500

/** A WebSocket that Studio has opened. */
export type OpenSocket = {
  readonly socket: WebSocket
  /** The request that was upgraded. */
  readonly request: FastifyRequest
  readonly principal: Principal
  /** Sends a text, or closes the socket if the browser does not read. Does nothing once it is closed. */
  send(text: string): void
}

/** A path at which Studio opens a WebSocket. */
export type SocketRoute = {
  readonly path: string
  connect(socket: OpenSocket): void
}

export type SocketsOptions = {
  readonly access: Pick<Access, 'stillReads'>
  readonly unsent: UnsentBytes
}

/**
 * Opens, monitors and closes WebSockets. They require authentication.
 * @param app an encapsulated scope that only these routes use
 */
export async function socketRoutes(
  app: FastifyInstance,
  {access, unsent}: SocketsOptions,
  routes: readonly SocketRoute[],
): Promise<void> {
  const alive = new Map<WebSocket, {answered: boolean; readonly request: FastifyRequest}>()
  // The response of an upgraded request closes with its socket.
  const admit = concurrencyLimit({...SOCKETS, clientOf, refuse: tooManySockets})

  const closeUnlessAllowed = async (socket: WebSocket, request: FastifyRequest) => {
    if (!(await access.stillReads(request))) socket.close(1008, 'The session has ended')
  }
  const beat = () => {
    for (const [socket, state] of alive) {
      if (!state.answered) socket.terminate()
      state.answered = false
      socket.ping()
      // If that cannot be found out now, the next beat does.
      void inBackground(() => closeUnlessAllowed(socket, state.request), {
        onFailure: (err) => state.request.log.error({err}, 'cannot check whether a socket may go on'),
      })
    }
  }
  const close = () => {
    for (const socket of alive.keys()) socket.close(1001, 'The lake is shutting down')
    setTimeout(() => {
      for (const socket of alive.keys()) socket.terminate()
    }, FAREWELL).unref()
  }
  const senderOf = (socket: WebSocket, request: FastifyRequest) => {
    const client = clientOf(request)
    return (text: string) => {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.terminate()
      else socket.send(text, unsent.hold(request.raw.socket, client, Buffer.byteLength(text)))
    }
  }

  await app.register(websocket, {
    // Events are small and frequent: compressing them costs more than it saves on a local network.
    options: {maxPayload: MAX_PAYLOAD, perMessageDeflate: false},
    // A frame that violates the protocol is the client's mistake: the default handler would log an error
    // with a stack.
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: (done) => {
      close()
      done()
    },
  })
  const heartbeat = setInterval(beat, HEARTBEAT_EVERY).unref()
  app.addHook('onClose', async () => clearInterval(heartbeat))

  const preValidation = async (request: FastifyRequest, reply: FastifyReply) => {
    refuseOtherOrigins(request)
    admit(request, reply, admitted(request).id)
  }
  for (const {path, connect} of routes)
    app.get(path, {websocket: true, config: {access: 'read'}, preValidation}, (socket, request) => {
      const state = {answered: true, request}
      alive.set(socket, state)
      socket.on('pong', () => {
        state.answered = true
      })
      socket.once('close', () => alive.delete(socket))
      // The socket closes after an error.
      socket.on('error', () => undefined)
      connect({socket, request, principal: admitted(request), send: senderOf(socket, request)})
    })
}

function tooManySockets(): Error {
  return new HttpError(503, 'Too many sockets are open, try again later')
}

/**
 * Any page may open a socket to any host, and the browser sends cookies with it: only Studio's own pages are
 * served.
 */
function refuseOtherOrigins({headers: {origin, host}}: FastifyRequest): void {
  if (origin === undefined || host === undefined || !URL.canParse(origin) || new URL(origin).host !== host) {
    throw new HttpError(403, 'Sockets are only open to pages of this host')
  }
}
