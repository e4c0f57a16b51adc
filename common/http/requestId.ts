import {randomUUID} from 'node:crypto'
import type {IncomingMessage} from 'node:http'

/**
 * Names a request in the log as the proxy does: by its `X-Request-Id`, or the trace of `traceparent`
 * (https://www.w3.org/TR/trace-context/#traceparent-header). Clients can send both: nothing may depend on them.
 */
export function requestId({headers}: Pick<IncomingMessage, 'headers'>): string {
  const [id] = /^[\w-]{1,64}$/.exec(`${headers['x-request-id'] ?? ''}`) ?? []
  const [, trace] = /^[\da-f]{2}-([\da-f]{32})-/.exec(`${headers.traceparent ?? ''}`) ?? []
  return id ?? trace ?? randomUUID()
}
