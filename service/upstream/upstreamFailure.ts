import {isHttpError} from '@sanity/client'
import {parseRetryAfter} from '../../common/backoff.ts'
import {SiteError, SiteOrUpstreamError} from '../errors.ts'

/**
 * Returns the delay that upstream requests, in milliseconds: the `Retry-After` (RFC 9110 §10.2.3) of a 429 or
 * 503. `undefined` if there is none.
 */
export function retryAfterOf(error: unknown, now = Date.now()): number | undefined {
  if (!isHttpError(error) || (error.statusCode !== 429 && error.statusCode !== 503)) return undefined
  return parseRetryAfter(error.response.headers['retry-after'], now)
}

/**
 * Converts an error to a SiteError if it concerns one site only: a query that upstream rejects (400 if the
 * result would be too large, 413, 414, 422 …) or a response without a valid site. Returns `undefined` for
 * wrong credentials (401, 403), timeouts (408), rate limits (429) and everything other than 4xx, because
 * these may concern all sites.
 */
export function toSiteError(error: unknown): SiteError | undefined {
  if (error instanceof SiteError) return error
  if (!isHttpError(error)) return undefined
  const {statusCode} = error
  if (statusCode < 400 || statusCode >= 500 || MAYBE_ABOUT_ALL_SITES.has(statusCode)) return undefined
  // Do not attach the original error as the cause: it holds the whole response, and the back-off stores this
  // error.
  const reason = `status ${statusCode}: ${messagesIn(error)}`
  return new SiteError(
    /too large/i.test(reason)
      ? `The site is larger than the content lake's limit (${reason}). Remove tools from it, or shorten their scripts and schemas.`
      : `The content lake refuses the query for this site (${reason}).`,
  )
}

const MAYBE_ABOUT_ALL_SITES = new Set([401, 403, 408, 429])

/** Whether upstream responded that the service's token is missing, wrong, or may not read. */
export function isRefusedToken(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (isHttpError(cause)) return cause.statusCode === 401 || cause.statusCode === 403
  return false
}

/**
 * Converts an error of a query about sites if it may be due to these sites: no response in time, a lost connection, or a
 * status that says so (408, 5xx). Returns `undefined` if upstream cannot be reached, asks for a pause, or fails otherwise.
 */
export function toSiteOrUpstreamError(error: unknown): SiteOrUpstreamError | undefined {
  const hasFailedInside =
    isHttpError(error) && (error.statusCode === 408 || error.statusCode >= 500) && !retryAfterOf(error)
  if (!hasFailedInside && !isTimeout(error) && !isLostConnection(error)) return undefined
  // As above, without the original error, which may hold a response.
  const reason = messagesIn(error).replace(/\.$/, '')
  return new SiteOrUpstreamError(
    isTimeout(error)
      ? `The content lake does not respond in time for this site (${reason}).`
      : `The content lake fails for this site (${reason}).`,
  )
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** Whether a request failed because an established connection was closed before the response arrived. */
export function isLostConnection(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && LOST.has(cause.code)) return true
  }
  return false
}

const LOST = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * Describes an error in one line: its message and those of its causes. The client's stack traces do not help
 * operators, and creating one takes 0.1 s with source maps enabled.
 */
export function messagesIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // If a host name has several addresses, the error for all of them has only a code.
  const message = error.message || ('code' in error ? String(error.code) : error.name)
  return error.cause === undefined ? message : `${message.replace(/\.$/, '')}: ${messagesIn(error.cause)}`
}
