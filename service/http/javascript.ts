/**
 * Of every script that pages of other origins run: as a classic script, as a module, and where the page embeds only
 * what says that it may be embedded (Fetch §3.7, `Cross-Origin-Resource-Policy`).
 */
export const JAVASCRIPT = {
  'content-type': 'text/javascript; charset=utf-8',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** For addresses that name their content: it never changes (RFC 8246). */
export const FOREVER = 'public, max-age=31536000, immutable'
