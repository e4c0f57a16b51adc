/** Maximum connections in total. The proxy in front limits those of a client. A few Studio tabs hold a hundred. */
export const MAX_CONNECTIONS = 5_000

/**
 * Limits of a request. Editors send little, Git hosts up to 5 MB. By default, Node checks these every 30 s.
 */
export const SERVER_LIMITS = {
  requestTimeout: 30_000,
  http: {headersTimeout: 5_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000},
}
