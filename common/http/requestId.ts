import {AsyncLocalStorage} from 'node:async_hooks'
import {randomUUID} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import type {FastifyInstance, FastifyReply} from 'fastify'

const current = new AsyncLocalStorage<FastifyReply>()

/** Lets what a request causes elsewhere carry its name: see {@link currentRequestId}. */
export function followRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => current.run(reply, done))
}

/** The name of the request that waits for what runs now; undefined if none does, such as for timers. */
export function currentRequestId(): string | undefined {
  const reply = current.getStore()
  return reply?.sent === false ? reply.request.id : undefined
}

/**
 * Names a request in the log as the proxy does: by its `X-Request-Id`, or the trace of `traceparent`
 * (https://www.w3.org/TR/trace-context/#traceparent-header). Clients can send both: nothing may depend on them.
 */
export function requestId({headers}: Pick<IncomingMessage, 'headers'>): string {
  const [id] = /^[\w-]{1,64}$/.exec(`${headers['x-request-id'] ?? ''}`) ?? []
  const [, trace] = /^[\da-f]{2}-([\da-f]{32})-/.exec(`${headers.traceparent ?? ''}`) ?? []
  return id ?? trace ?? randomUUID()
}
