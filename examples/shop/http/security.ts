import type {FastifyRequest} from 'fastify'
import {errors} from '../errors.ts'

/**
 * What a page may load and call: the shop itself, and the service that provides the snippet. No inline
 * scripts and no `eval`, and Trusted Types are required: tools come as modules from the service.
 * https://www.w3.org/TR/CSP3/
 */
function contentSecurityPolicy(serviceOrigin: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${serviceOrigin}`,
    `connect-src 'self' ${serviceOrigin}`,
    "style-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types shop',
  ].join('; ')
}

/** Headers of every response. */
export function securityHeaders(serviceOrigin: string): Record<string, string> {
  return {
    // Every page shows the cart of one visitor.
    'cache-control': 'private, no-cache',
    'content-security-policy': contentSecurityPolicy(serviceOrigin),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
  }
}

/**
 * Rejects changes from other sites' pages: their forms send no cookie, and the response would replace the
 * visitor's own. Clients other than browsers do not send this header. https://www.w3.org/TR/fetch-metadata/
 * @throws FOREIGN_PAGE
 */
export function refuseForeignPages({method, headers}: FastifyRequest): void {
  if (method === 'GET' || method === 'HEAD') return
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site !== 'same-origin' && site !== 'none') throw new errors.FOREIGN_PAGE()
}
