/**
 * Headers of every script that pages of other origins run: as a classic script, as a module, and on pages
 * that require `Cross-Origin-Resource-Policy` (Fetch §3.7).
 */
export const JAVASCRIPT = {
  'content-type': 'text/javascript; charset=utf-8',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** For URLs that contain a hash of the content, which never changes (RFC 8246). */
export const FOREVER = 'public, max-age=31536000, immutable'
