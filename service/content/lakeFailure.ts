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

/**
 * What happened, in one line: the message of an error, and of what caused it. A stack of the client's tells an operator
 * nothing, and to make one takes a tenth of a second where sources are mapped.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Where a name has several addresses, the error for all of them has a code alone.
  const message = error.message || ('code' in error ? String(error.code) : error.name)
  return error.cause === undefined ? message : `${message.replace(/\.$/, '')}: ${reasonOf(error.cause)}`
}
