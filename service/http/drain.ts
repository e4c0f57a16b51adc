import timers from 'node:timers/promises'
import type {FastifyInstance} from 'fastify'
import type {Readiness} from '../operations/readiness.ts'
import type {Parts} from './parts.ts'

/**
 * How long the service accepts requests after SIGTERM, in milliseconds: until every load balancer knows that it is not ready.
 * Kubernetes takes the longest, some seconds.
 */
export const DRAIN = 10_000

/** Time for requests in flight to finish after the server stops accepting connections, in milliseconds. */
const DEADLINE = 5_000

/**
 * Closes each connection after its next response while the service drains. The response says so (RFC 9112
 * §9.6), so the client does not send its next request on a closed connection.
 */
export function closeConnectionsWhileDraining(app: FastifyInstance, {readiness}: Parts): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.isDraining) reply.header('connection', 'close')
    done(null, payload)
  })
}

/**
 * Stops a server without losing a request: reports that it is not ready, accepts connections until load
 * balancers have noticed, and finishes the requests in flight.
 * @param wait passes the time until the server closes
 * @param deadline milliseconds for the requests in flight
 */
export async function drain(
  app: FastifyInstance,
  readiness: Pick<Readiness, 'drain'>,
  wait: (milliseconds: number) => Promise<void> = timers.setTimeout,
  deadline = DEADLINE,
): Promise<void> {
  readiness.drain()
  await wait(DRAIN)
  // Node does not treat an unused connection that a browser opened in advance as idle, so closing would wait
  // for it.
  const timer = setTimeout(() => app.server.closeAllConnections(), deadline)
  await app.close()
  clearTimeout(timer)
}
