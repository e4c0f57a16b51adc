import type {ServerOptions} from 'node:http'

/**
 * Timeouts for a whole request and for its headers, in milliseconds. The time starts when a connection opens.
 */
const REQUEST_TIMEOUT = 10_000
const HEADERS_TIMEOUT = 5_000

/**
 * Interval between checks of these timeouts, in milliseconds. Node's default of 30 s would turn 10 s into 40
 * s.
 */
const CHECK_INTERVAL = 1_000

/**
 * Maximum size of the request line and headers, in bytes. The longest page path has 2,048 characters, each up
 * to nine bytes when escaped. The rest is for headers of browsers and proxies.
 */
const MAX_HEADER_SIZE = 32_768

/** How long an idle connection is kept open, in seconds. Longer than the minute of common proxies. */
const KEPT_FOR = 72

/** The header that tells clients (RFC 2068 §19.7.1.1). */
export const KEEP_ALIVE = `timeout=${KEPT_FOR}`

/**
 * How long a connection may be without a byte in either direction, in milliseconds: idle, or of a client that does not read.
 * Longer than clients are told, because their request may already be on its way.
 */
export const MAX_IDLE = (KEPT_FOR + 1) * 1_000

/** The timeouts of requests that are sent slowly, and the interval between checks of these. */
export type RequestTimeouts = Pick<
  ServerOptions,
  'requestTimeout' | 'headersTimeout' | 'connectionsCheckingInterval'
>

/** Limits and timeouts for `node:http`. */
export const SERVER_LIMITS: ServerOptions = {
  // Few requests have a body. Those without one get no stream to read it from.
  optimizeEmptyRequests: true,
  headersTimeout: HEADERS_TIMEOUT,
  requestTimeout: REQUEST_TIMEOUT,
  connectionsCheckingInterval: CHECK_INTERVAL,
  // Its timer for each request takes a twentieth of the CPU: see `MAX_IDLE`.
  keepAliveTimeout: 0,
  maxHeaderSize: MAX_HEADER_SIZE,
}
