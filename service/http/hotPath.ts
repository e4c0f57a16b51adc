import type {IncomingMessage, ServerResponse} from 'node:http'
import type {Sites} from '../cache/sites.ts'
import type {RequestCounts} from '../limits/requestCounts.ts'
import {CONFIG_URL, MAX_PATH_LENGTH} from './config.ts'
import {type ConfigAnswers, configAnswer} from './configAnswer.ts'
import type {OperationsRouteOptions} from './operations.ts'

/** A config's address as browsers write it. What is written in another way takes the way through the router. */
const CONFIG_REQUEST = /^\/api\/sites\/([A-Za-z0-9_-]{6,64})\/config(?:\?path=([^&;+#]*))?$/

export type HotPathOptions = ConfigAnswers & {
  sites: Pick<Sites, 'atHand' | 'answered'>
  counts: Pick<RequestCounts, 'roomFor'>
  clientOf: (request: IncomingMessage) => string
  metrics: Pick<OperationsRouteOptions['metrics'], 'requests'>
  readiness: Pick<OperationsRouteOptions['readiness'], 'isDraining'>
}

/**
 * Makes the function that is asked before Fastify. It answers what nearly every request wants: the config of a site that
 * is at hand, for a client within its limit. It never waits and never fails, and leaves all else untouched: then Fastify
 * answers, with the same bytes (docs/decisions/0023-before-the-router.md).
 * @returns whether it has answered.
 */
export function hotPath({
  sites,
  counts,
  clientOf,
  metrics,
  readiness,
  ...answers
}: HotPathOptions): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const arrivedAt = performance.now()
    if (request.method !== 'GET' || readiness.isDraining) return false
    const [url, publicId, query] = CONFIG_REQUEST.exec(request.url ?? '') ?? []
    if (url === undefined || publicId === undefined) return false
    const path = decode(query)
    if (path === null) return false
    // First the site: for identifiers that somebody makes up there is to be no count.
    const site = sites.atHand(publicId)
    if (!site) return false
    const window = counts.roomFor(publicId, clientOf(request))
    if (!window) return false

    window.current++
    sites.answered.hit++
    const {status, headers, body} = configAnswer(site, path, request.headers, answers)
    response.writeHead(status, headers).end(body)
    metrics.requests.count(CONFIG_URL, status, performance.now() - arrivedAt)
    return true
  }
}

/** The path of a query, undefined where there is none, null where the router is to judge it. */
function decode(query: string | undefined): string | undefined | null {
  if (query === undefined) return undefined
  try {
    const path = query.includes('%') ? decodeURIComponent(query) : query
    return path.length <= MAX_PATH_LENGTH ? path : null
  } catch {
    return null
  }
}
