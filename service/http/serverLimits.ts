import type {ServerOptions} from 'node:http'

/** Milliseconds for a request to arrive whole, and for its headers alone. Who opened a connection has begun one. */
const REQUEST_TIMEOUT = 10_000
const HEADERS_TIMEOUT = 5_000

/** Milliseconds between two looks at those. Node's own are half a minute apart, which would make 40 s of ten. */
const LOOK_EVERY = 1_000

/** Milliseconds that an idle connection is kept: longer than the minute that common proxies keep theirs. */
const KEEP_ALIVE_TIMEOUT = 72_000

/**
 * Bytes of a request's line and headers. The longest path of a page has 2,048 characters; escaped, each may be nine
 * bytes, and the rest is for what browsers and proxies add.
 */
const MAX_HEADER_SIZE = 32_768

/** What `node:http` is told of how large, how slow and how long a conversation may be. */
export const SERVER_LIMITS: ServerOptions = {
  // `checkRequestHeaders` does so, with an error body.
  requireHostHeader: false,
  // Nearly no request has a body: those without one get no stream to read it from.
  optimizeEmptyRequests: true,
  headersTimeout: HEADERS_TIMEOUT,
  requestTimeout: REQUEST_TIMEOUT,
  connectionsCheckingInterval: LOOK_EVERY,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
  maxHeaderSize: MAX_HEADER_SIZE,
}
