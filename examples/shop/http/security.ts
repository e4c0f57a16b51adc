import type {FastifyRequest} from 'fastify'
import {errors} from '../errors.ts'

/**
 * What a page may load and call: the shop itself, and the service whose snippet stands in it. No inline script, no
 * `eval`, and Trusted Types: the tools come as modules from the service. https://www.w3.org/TR/CSP3/
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

/** What comes with every answer. */
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
 * Lets only the shop's own pages change something: a form on another site brings no cookie, and the answer would
 * replace the visitor's own. Whatever is no browser sends no such header. https://www.w3.org/TR/fetch-metadata/
 * @throws FOREIGN_PAGE
 */
export function refuseForeignPages({method, headers}: FastifyRequest): void {
  if (method === 'GET' || method === 'HEAD') return
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site !== 'same-origin' && site !== 'none') throw new errors.FOREIGN_PAGE()
}
