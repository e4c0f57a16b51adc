import type {FastifyCorsOptions} from '@fastify/cors'

/** How long browsers may cache a preflight, in seconds. Chromium's limit is two hours. */
const PREFLIGHT_MAX_AGE = 7_200

const ANY_ORIGIN = '*'
const EXPOSED_HEADERS = ['ETag', 'Age', 'Date', 'Retry-After']

/** CORS settings for requests from any origin. */
export const CORS_OPTIONS: FastifyCorsOptions = {
  origin: ANY_ORIGIN,
  methods: ['GET', 'HEAD'],
  // Whatever a page's `fetch` adds, such as `traceparent` for tracing: responses do not depend on it. `*` counts
  // only in requests without credentials, and never for `Authorization` (Fetch §4.9, CORS-preflight fetch).
  allowedHeaders: ['*', 'Authorization'],
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: PREFLIGHT_MAX_AGE,
  // Any other OPTIONS request gets a preflight response instead of an error.
  strictPreflight: false,
}

/** The headers that `@fastify/cors` adds to every response, for responses that do not pass through it. */
export const CORS_HEADERS = {
  'access-control-allow-origin': ANY_ORIGIN,
  'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
}
