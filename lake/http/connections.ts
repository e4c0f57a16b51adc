import type {Socket} from 'node:net'
import type {FastifyInstance} from 'fastify'
import {type ConnectionLimits, limitConnections} from '../../common/connectionLimits.ts'
import type {Access} from '../access/access.ts'

/** Connections in all; one client may have a tenth of them. Some tabs of Studio hold a hundred. */
const MAX_CONNECTIONS = 5_000

/** Minimum milliseconds between two log lines about refused connections. */
const LOG_EVERY = 60_000

/** What a request may take: editors send little, Git hosts up to 5 MB. Node checks it every 30 s by default. */
export const SERVER_LIMITS = {
  requestTimeout: 30_000,
  http: {
    headersTimeout: 5_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    // `checkRequestHeaders` does so, with an error body.
    requireHostHeader: false,
  },
}

export type LakeConnectionLimits = Partial<ConnectionLimits> & {readonly access: Pick<Access, 'isKnown'>}

/**
 * Bounds the lake's connections. One over which an authenticated request came is never closed to make room, so strangers
 * cannot keep editors and the service out.
 */
export function limitLakeConnections(app: FastifyInstance, {access, ...limits}: LakeConnectionLimits): void {
  const known = new WeakSet<Socket>()
  let loggedAt = Number.NEGATIVE_INFINITY
  limitConnections(app.server, {
    maxConnections: MAX_CONNECTIONS,
    trustedProxies: [],
    isKnown: (socket) => known.has(socket),
    onRefused: (limit, address) => {
      if (performance.now() - loggedAt < LOG_EVERY) return
      loggedAt = performance.now()
      app.log.warn(
        {address},
        limit === 'all'
          ? 'connections refused: too many are open'
          : 'connections refused: this address has a tenth of all; if it is your proxy, name it in TRUSTED_PROXIES',
      )
    },
    ...limits,
  })
  app.addHook('onRequest', async (request) => {
    const {socket, headers} = request.raw
    const hasCredentials = headers.authorization !== undefined || headers.cookie !== undefined
    if (hasCredentials && !known.has(socket) && (await access.isKnown(request))) known.add(socket)
  })
}
