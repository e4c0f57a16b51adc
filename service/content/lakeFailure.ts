import {isHttpError} from '@sanity/client'

/**
 * Milliseconds for which the lake wants to be left alone: `Retry-After` (RFC 9110 §10.2.3) of a 429 or 503.
 * `undefined` where it says nothing of that.
 */
export function retryAfterOf(error: unknown, now = Date.now()): number | undefined {
  if (!isHttpError(error) || (error.statusCode !== 429 && error.statusCode !== 503)) return undefined
  const field = error.response.headers['retry-after']?.trim()
  if (field === undefined) return undefined
  const milliseconds = /^\d+$/.test(field) ? Number(field) * 1_000 : Date.parse(field) - now
  return milliseconds > 0 ? milliseconds : undefined
}

/** Says whether a request failed because a connection, once made, was closed before an answer came. */
export function isLostConnection(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && LOST.has(cause.code)) return true
  }
  return false
}

const LOST = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
