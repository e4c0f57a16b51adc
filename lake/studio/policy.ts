import {createHash} from 'node:crypto'

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * What a page of Studio may load and call: this host, and what is added. Scripts that stand in the page are named by their
 * digests, so that no other one runs; styled-components needs inline styles. https://www.w3.org/TR/CSP3/
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
    // Not every browser counts a WebSocket to the page's own host as 'self'.
    `connect-src ${["'self'", ...sockets(host), ...connectTo].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function sockets(host: string | undefined): string[] {
  // The header is the client's to choose, and must not add directives.
  return host !== undefined && /^[\w.-]+(?::\d+)?$|^\[[\da-f:]+\](?::\d+)?$/i.test(host)
    ? [`ws://${host}`, `wss://${host}`]
    : []
}
