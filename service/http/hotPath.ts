import type {IncomingMessage, ServerResponse} from 'node:http'
import type {ClientOf} from '../limits/clients.ts'
import type {RequestCounts} from '../limits/rateLimit.ts'
import {configAnswer} from './configAnswer.ts'
import type {Parts} from './parts.ts'
import {CONFIG_URL, MAX_PATH_LENGTH} from './routes/config.ts'

/** The URL of a config as browsers write it, also with `check`. All other spellings go through the router. */
const CONFIG_REQUEST =
  /^\/api\/sites\/([A-Za-z0-9_-]{6,64})\/config(?:\?path=([^&;+#]*)(&check(?:=[^&;+#]*)?)?)?$/

/**
 * Creates a handler that runs before Fastify and serves nearly every request: the config of a fresh site, for
 * a client within its rate limit. It never waits and never throws. It leaves all other requests to Fastify,
 * which returns the same bytes (docs/decisions/0012-http-server-of-the-service.md).
 * @returns whether it has sent the response.
 */
export function hotPath(
  parts: Parts,
  requests: RequestCounts,
  clientOf: ClientOf,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const {sites, metrics, readiness} = parts
  return (request, response) => {
    const arrivedAt = performance.now()
    if (request.method !== 'GET' || readiness.isDraining) return false
    const match = CONFIG_REQUEST.exec(request.url ?? '')
    const publicId = match?.[1]
    if (publicId === undefined) return false
    const path = decode(match?.[2])
    if (path === null) return false
    // Look up the site first: made-up IDs must not get a rate limit counter.
    const site = sites.getIfFresh(publicId)
    if (!site) return false
    if (!requests.admit(publicId, clientOf(request), arrivedAt)) return false

    sites.answered.hit += 1
    const asked = {publicId, path, isCheck: match?.[3] !== undefined, headers: request.headers}
    const {status, headers, body} = configAnswer(asked, site, parts)
    response.writeHead(status, headers).end(body)
    metrics.requests.count(CONFIG_URL, status, performance.now() - arrivedAt)
    return true
  }
}

/** Returns the path from a query: `undefined` if there is none, `null` if the router must parse it. */
function decode(query: string | undefined): string | undefined | null {
  if (query === undefined) return undefined
  try {
    const path = query.includes('%') ? decodeURIComponent(query) : query
    return path.length <= MAX_PATH_LENGTH ? path : null
  } catch {
    return null
  }
}
