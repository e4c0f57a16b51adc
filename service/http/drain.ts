import {setTimeout} from 'node:timers/promises'
import type {FastifyInstance} from 'fastify'
import type {Readiness} from '../operations/readiness.ts'

/** Milliseconds for requests in flight to end, once no new connection is taken. */
const DEADLINE = 5_000

/**
 * While the service drains, each answer is the last one of its connection (RFC 9112 §9.6): the client learns it with
 * the answer, instead of finding the connection closed under its next request.
 */
export function closeConnectionsWhileDraining(
  app: FastifyInstance,
  readiness: Pick<Readiness, 'isDraining'>,
): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.isDraining) reply.header('connection', 'close')
    done(null, payload)
  })
}

/**
 * Ends a server without losing a request: says that it is not ready any more, takes new connections for as long as
 * balancers need to hear of it, and answers what was asked.
 */
export async function drain(
  app: FastifyInstance,
  readiness: Pick<Readiness, 'drain'>,
  seconds: number,
): Promise<void> {
  readiness.drain()
  await setTimeout(seconds * 1_000)
  // A connection that a browser opened ahead and never used is no idle one to Node: it would be waited for.
  const deadline = new AbortController()
  setTimeout(DEADLINE, undefined, {signal: deadline.signal}).then(
    () => app.server.closeAllConnections(),
    () => {},
  )
  await app.close()
  deadline.abort()
}
