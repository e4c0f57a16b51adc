import {isHttpError} from '@sanity/client'
import {SiteError} from '../errors.ts'

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

/**
 * The error as one about a single site, where it is: a query that upstream refuses (400 where the result would be too
 * large, 413, 414, 422 …) or a response without a valid site. Wrong credentials (401, 403), a timeout (408), a rate
 * limit (429) and everything that is not 4xx concern all sites: `undefined`.
 */
export function toSiteError(error: unknown): SiteError | undefined {
  if (error instanceof SiteError) return error
  if (!isHttpError(error)) return undefined
  const {statusCode} = error
  if (statusCode < 400 || statusCode >= 500 || ABOUT_ALL_SITES.has(statusCode)) return undefined
  // Not as its cause: the client's error holds the whole response, and the back-off keeps this one.
  const reason = `status ${statusCode}: ${reasonOf(error)}`
  return new SiteError(
    /too large/i.test(reason)
      ? `The site is larger than the content lake's limit (${reason}). Remove tools from it, or shorten their scripts and schemas.`
      : `The content lake refuses the query for this site (${reason}).`,
  )
}

const ABOUT_ALL_SITES = new Set([401, 403, 408, 429])

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
