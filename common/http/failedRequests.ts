import type {FastifyReply, FastifyRequest} from 'fastify'

/** Lines per second: in an outage, every request may fail. */
const MAX_LINES = 100

let second = 0
let lines = 0

/** Names the request in an error response as the log does: see `requestId`. */
export function nameRequest(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
}

/** Logs a request that failed through no fault of the client, with the name in its response: an error, or why it was refused. */
export function logFailure(
  request: FastifyRequest,
  details: {readonly err: unknown} | {readonly reason: string | undefined},
): void {
  const now = Math.floor(performance.now() / 1_000)
  if (now !== second) lines = 0
  second = now
  lines += 1
  if (lines > MAX_LINES) return
  request.log['err' in details ? 'error' : 'warn'](
    {route: request.routeOptions.url, ...details},
    'request failed',
  )
}
