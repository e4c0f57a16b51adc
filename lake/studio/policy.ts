import {createHash} from 'node:crypto'

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * The Content-Security-Policy of Studio's page: this host, and the added origins. Inline scripts are allowed
 * by their digests, so no others run; styled-components needs inline styles. https://www.w3.org/TR/CSP3/
 */
export function contentSecurityPolicy(
  html: string,
  host: string | undefined,
  connectTo: readonly string[],
): string {
  const digests = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return [
    "default-src 'self'",
    `script-src ${["'self'", ...digests].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    // Some browsers do not treat a WebSocket to the page's own host as 'self'.
    `connect-src ${["'self'", ...sockets(host), ...connectTo].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function sockets(host: string | undefined): string[] {
  // The client chooses this header, so it must not be able to add directives.
  return host !== undefined && /^[\w.-]+(?::\d+)?$|^\[[\da-f:]+\](?::\d+)?$/i.test(host)
    ? [`ws://${host}`, `wss://${host}`]
    : []
}
