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

/** The timeouts of requests that are sent slowly, and the interval between checks of these. */
export type RequestTimeouts = Pick<
  ServerOptions,
  'requestTimeout' | 'headersTimeout' | 'connectionsCheckingInterval'
>

/** Limits and timeouts for `node:http`. */
export const SERVER_LIMITS: ServerOptions = {
  // `checkRequestHeaders` does this, with an error body.
  requireHostHeader: false,
  // Few requests have a body. Those without one get no stream to read it from.
  optimizeEmptyRequests: true,
  headersTimeout: HEADERS_TIMEOUT,
  requestTimeout: REQUEST_TIMEOUT,
  connectionsCheckingInterval: CHECK_INTERVAL,
  // `closeIdleConnections` does this.
  keepAliveTimeout: 0,
  maxHeaderSize: MAX_HEADER_SIZE,
}
