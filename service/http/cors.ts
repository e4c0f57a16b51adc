import type {FastifyCorsOptions} from '@fastify/cors'

/** Seconds for which a browser may remember a preflight. Chromium's own limit is two hours. */
const PREFLIGHT_MAX_AGE = 7_200

const ANY_ORIGIN = '*'
const EXPOSED_HEADERS = ['ETag', 'Age', 'Retry-After']

/** What pages of any origin may ask for. */
export const CORS_OPTIONS: FastifyCorsOptions = {
  origin: ANY_ORIGIN,
  methods: ['GET', 'HEAD'],
  // Not safelisted (Fetch §4.10): a snippet that sends it cross-origin is asked for by a preflight first.
  allowedHeaders: ['If-None-Match'],
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: PREFLIGHT_MAX_AGE,
  // A stray OPTIONS is answered like a preflight instead of with an error.
  strictPreflight: false,
}

/** What they may read, as `@fastify/cors` says it of every answer: for those that do not pass it. */
export const CORS_HEADERS = {
  'access-control-allow-origin': ANY_ORIGIN,
  'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
}
