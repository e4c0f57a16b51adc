import type {IncomingHttpHeaders} from 'node:http'
import {MAX_AGE} from '../../schemas/rules/pollInterval.ts'
import type {RequestedSite} from '../cache/sites.ts'
import {type Bodies, isCompressed} from '../encodings/bodies.ts'
import {encodingFor, entityTagIn} from '../encodings/encodings.ts'
import type {RequestTally} from '../operations/requestTally.ts'
import {configFor} from '../site/answer.ts'
import type {Visits} from '../visits/visits.ts'
import {matchesEntityTag} from './conditional.ts'
import {CORS_HEADERS} from './cors.ts'
import type {Parts} from './parts.ts'
import {KEEP_ALIVE} from './serverLimits.ts'

/**
 * docs/specification.md, “Caching”. `Age` counts towards `max-age`, so caches in between do not add another
 * minute.
 */
export const CACHE_CONTROL = cacheControl(MAX_AGE)

/**
 * Only nginx evaluates this header, and does not forward it. 0 tells nginx not to cache the response: nginx
 * ignores `Age`, so it would add its minute to the browser's (docs/decisions/0017-changes-visible-within-a-minute.md).
 */
const NGINX_EXPIRES = '0'

const CONTENT_TYPE = 'application/json; charset=utf-8'

/** Names and values of headers in turn: `node:http` handles a list faster than an object. */
type HeaderList = (string | number)[]

/** Headers of every 200 and 304 response. */
const ALWAYS: HeaderList = Object.entries({
  ...CORS_HEADERS,
  'cache-control': CACHE_CONTROL,
  'x-accel-expires': NGINX_EXPIRES,
  vary: 'Accept-Encoding',
  'keep-alive': KEEP_ALIVE,
}).flat()

function cacheControl(seconds: number): string {
  return `public, max-age=${seconds}`
}

type ConfigParts = Pick<Parts, 'clock' | 'systemClock'> & {
  readonly bodies: Pick<Bodies, 'bodyOf'>
  readonly metrics: {readonly requests: {readonly ages: Pick<RequestTally['ages'], 'observe'>}}
  readonly visits: Pick<Visits, 'see'>
}

/** A request for a config. `isCheck`: Studio or a panel asks what a page gets. That is no visit. */
type ConfigRequest = {
  readonly publicId: string
  readonly path: string | undefined
  readonly isCheck?: boolean
  readonly headers: IncomingHttpHeaders
}

/** Creates the response to a request: a config, or 304 if it has not changed (RFC 9110 §15.4.5). */
export function configAnswer(
  {publicId, path, isCheck = false, headers: requestHeaders}: ConfigRequest,
  {site, validatedAt}: RequestedSite,
  {bodies, metrics, clock, systemClock, visits}: ConfigParts,
) {
  // Rounded up, so that a cache which keeps the response until `Age` is `MAX_AGE` never exceeds it.
  const age = Math.max(0, Math.ceil((clock() - validatedAt) / 1_000))
  metrics.requests.ages.observe(age)

  // Before the config: if a tool's time begins or ends in between, caches have the new config too briefly, never the old one too long.
  const always = site.times === undefined ? ALWAYS : headersUntil(site.times.secondsLeft(systemClock()))
  const config = configFor(site, path, systemClock)
  if (path !== undefined && !isCheck && isFromPage(requestHeaders)) visits.see(publicId, config)
  const encoding = isCompressed(config) ? encodingFor(requestHeaders['accept-encoding']) : 'identity'
  const entityTag = entityTagIn(encoding, config.entityTag)
  const headers = [...always, 'age', age, 'etag', entityTag]
  if (matchesEntityTag(requestHeaders['if-none-match'], entityTag))
    return {status: 304, headers, body: undefined}

  const body = bodies.bodyOf(config, encoding, entityTag)
  headers.push('content-type', CONTENT_TYPE, 'content-length', body.byteLength)
  if (encoding !== 'identity') headers.push('content-encoding', encoding)
  return {status: 200, headers, body}
}

/** The headers of a response that another one follows soon, because the time of a tool begins or ends. */
function headersUntil(seconds: number): HeaderList {
  if (seconds >= MAX_AGE) return ALWAYS
  return ALWAYS.map((value) => (value === CACHE_CONTROL ? cacheControl(seconds) : value))
}

/** Whether a script of a page sends the request: `fetch` of the same origin has no `Origin`. Programs are no visits. */
function isFromPage(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-dest'] === 'empty'
}
