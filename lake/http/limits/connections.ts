import type {Socket} from 'node:net'
import type {FastifyInstance} from 'fastify'
import {type ConnectionLimits, limitConnections} from '../../../common/limits/connectionLimits.ts'
import {limitLines} from '../../../common/log/lineLimit.ts'
import type {Access} from '../../access/access.ts'

/** Maximum connections in total; one client may have a tenth of them. A few Studio tabs hold a hundred. */
const MAX_CONNECTIONS = 5_000

/** Minimum milliseconds between two log lines about refused connections. */
const LOG_EVERY = 60_000

/**
 * Limits of a request. Editors send little, Git hosts up to 5 MB. By default, Node checks these every 30 s.
 */
export const SERVER_LIMITS = {
  requestTimeout: 30_000,
  http: {
    headersTimeout: 5_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    // `checkRequestHeaders` checks this instead, and sends an error body.
    requireHostHeader: false,
  },
}

type LakeConnectionLimits = Partial<ConnectionLimits> & {readonly access: Pick<Access, 'identify'>}

/**
 * Limits the lake's connections. A connection that carried an authenticated request is never closed to make
 * room, so unauthenticated clients cannot lock out editors and the service.
 */
export function limitLakeConnections(app: FastifyInstance, {access, ...limits}: LakeConnectionLimits): void {
  const known = new WeakSet<Socket>()
  const isDue = limitLines(LOG_EVERY)
  limitConnections(app.server, {
    maxConnections: MAX_CONNECTIONS,
    trustedProxies: [],
    isKnown: (socket) => known.has(socket),
    onRefused: (limit, address) => {
      if (!isDue('connection')) return
      app.log.warn(
        {address},
        limit === 'all'
          ? 'refusing connections: too many are open'
          : 'refusing connections: this address uses a tenth of the limit; if it is your proxy, add it to TRUSTED_PROXIES',
      )
    },
    ...limits,
  })
  app.addHook('onRequest', async (request) => {
    const {socket, headers} = request.raw
    const hasCredentials = headers.authorization !== undefined || headers.cookie !== undefined
    if (!hasCredentials || known.has(socket)) return
    if ((await access.identify(request)) !== undefined) known.add(socket)
  })
}
