import type {Socket} from 'node:net'
import {compile} from '@fastify/proxy-addr'
import type {FastifyInstance} from 'fastify'
import {clientKey} from '../../../common/limits/clientKey.ts'
import {limitLines} from '../../../common/log/lineLimit.ts'
import type {Access} from '../../access/access.ts'
import {Tally} from './tally.ts'

/** Maximum connections in total. A few Studio tabs hold a hundred. */
const MAX_CONNECTIONS = 5_000

/** The share of all connections that one client may have. */
const SHARE = 1 / 10

/** Above this share of all connections, a new one displaces the oldest of an unknown client. */
const CROWDED = 9 / 10

/** Minimum milliseconds between two log lines about refused connections. */
const LOG_EVERY = 60_000

/**
 * Limits of a request. Editors send little, Git hosts up to 5 MB. By default, Node checks these every 30 s.
 */
export const SERVER_LIMITS = {
  requestTimeout: 30_000,
  http: {headersTimeout: 5_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000},
}

type ConnectionLimits = {
  readonly access: Pick<Access, 'identify'>
  readonly maxConnections?: number
  /** Addresses and networks without a limit per client, because each carries many clients. */
  readonly trustedProxies: readonly string[]
}

/**
 * Limits the lake's connections, in total and to a tenth for each client: a lake may stand without a proxy in front. A
 * connection that carried an authenticated request is never closed to make room, so unauthenticated clients cannot lock
 * out editors and the service.
 */
export function limitConnections(app: FastifyInstance, limits: ConnectionLimits): void {
  const {access, maxConnections = MAX_CONNECTIONS, trustedProxies} = limits
  const {server} = app
  const isProxy = compile([...trustedProxies])
  const maxOfClient = Math.ceil(maxConnections * SHARE)
  const ofClient = new Tally()
  const known = new WeakSet<Socket>()
  /** Oldest first. A connection that has become known is removed when it is visited. */
  const displaceable = new Set<Socket>()
  const isDue = limitLines(LOG_EVERY)
  let open = 0

  server.maxConnections = maxConnections
  server.on('drop', (data) => sayAllRefused(data?.remoteAddress))
  server.on('connection', (socket: Socket) => {
    const {remoteAddress = ''} = socket
    const client = clientKey(remoteAddress)
    const fromProxy = isProxy(remoteAddress, 0)
    if (ofClient.of(client) >= maxOfClient && !fromProxy) {
      socket.destroy()
      warn(
        remoteAddress,
        'this address uses a tenth of the limit; if it is your proxy, add it to TRUSTED_PROXIES',
      )
      return
    }
    ofClient.add(client)
    open += 1
    if (!fromProxy) displaceable.add(socket)
    socket.once('close', () => {
      open -= 1
      displaceable.delete(socket)
      ofClient.remove(client)
    })
    if (open >= maxConnections * CROWDED) displaceOldest(socket)
  })
  app.addHook('onRequest', async (request) => {
    const {socket, headers} = request.raw
    const hasCredentials = headers.authorization !== undefined || headers.cookie !== undefined
    if (!hasCredentials || known.has(socket)) return
    if ((await access.identify(request)) !== undefined) known.add(socket)
  })

  function displaceOldest(newcomer: Socket): void {
    for (const socket of displaceable) {
      if (socket === newcomer) return
      displaceable.delete(socket)
      if (known.has(socket) || socket.destroyed) continue
      socket.destroy()
      sayAllRefused(socket.remoteAddress)
      return
    }
  }

  function sayAllRefused(address: string | undefined): void {
    warn(address, 'too many are open')
  }

  function warn(address: string | undefined, reason: string): void {
    if (isDue('connection')) app.log.warn({address}, `refusing connections: ${reason}`)
  }
}
