import type {FastifyBaseLogger, FastifyReply, FastifyRequest} from 'fastify'
import {linesPerSecond} from '../log/lineLimit.ts'

/** Lines per second: in an outage, every request may fail. */
const isDue = linesPerSecond(100)

/** Lines per second about the faults of clients, for each status: anyone can cause them. */
const MAX_REFUSALS = 10
const refusals = new Map<number, ReturnType<typeof linesPerSecond>>()

/** Names the request in an error response as the log does: see `requestId`. */
export function nameRequest(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
}

/** Logs a request that failed through no fault of the client, with the name in its response: an error, or why it was refused. */
export function logFailure(
  request: FastifyRequest,
  details: {readonly err: unknown} | {readonly reason: string | undefined},
): void {
  if (isDue() === undefined) return
  request.log['err' in details ? 'error' : 'warn'](
    {route: request.routeOptions.url, ...details},
    'request failed',
  )
}

/**
 * Logs a request that a client has to correct, with the name in its response.
 * @param log names the request
 * @param details is called if the line is due
 */
export function logRefusal(
  log: Pick<FastifyBaseLogger, 'info'>,
  status: number,
  details: () => {readonly code: string; readonly route?: string | undefined; readonly reqId?: string},
): void {
  const isDue = refusals.get(status) ?? linesPerSecond(MAX_REFUSALS)
  refusals.set(status, isDue)
  const leftOut = isDue()
  if (leftOut !== undefined)
    log.info({status, ...details(), ...(leftOut > 0 && {leftOut})}, 'request refused')
}
