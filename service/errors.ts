import createError from '@fastify/error'

/**
 * All errors that the public endpoint returns: code, status, and a message that is safe to show to anyone.
 * docs/errors.md mirrors this list, and a test compares the two.
 */
export const errors = {
  BAD_REQUEST: createError('BAD_REQUEST', 'The request is malformed: %s', 400),
  NOT_FOUND: createError('NOT_FOUND', '%s', 404),
  METHOD_NOT_ALLOWED: createError('METHOD_NOT_ALLOWED', 'Use %s here.', 405),
  REQUEST_TOO_SLOW: createError('REQUEST_TOO_SLOW', 'The request did not arrive in time.', 408),
  HEADERS_TOO_LARGE: createError(
    'HEADERS_TOO_LARGE',
    'The URL and the headers of the request are too large together.',
    431,
  ),
  RATE_LIMITED: createError(
    'RATE_LIMITED',
    'Too many requests from this address. Try again in %s seconds.',
    429,
  ),
  WEBHOOK_OFF: createError(
    'WEBHOOK_OFF',
    'This service accepts no webhooks: SANITY_WEBHOOK_SECRET is not set.',
    404,
  ),
  WEBHOOK_UNSIGNED: createError('WEBHOOK_UNSIGNED', 'The delivery is not signed: %s.', 401),
  WEBHOOK_SIGNATURE_WRONG: createError(
    'WEBHOOK_SIGNATURE_WRONG',
    'The signature does not match SANITY_WEBHOOK_SECRET.',
    401,
  ),
  PREVIEW_OFF: createError(
    'PREVIEW_OFF',
    'This service shows no previews, because it cannot read drafts: SANITY_API_TOKEN is not set.',
    404,
  ),
  PREVIEW_ENDED: createError('PREVIEW_ENDED', '%s', 401),
  PREVIEW_NOT_LOADED: createError('PREVIEW_NOT_LOADED', 'This preview cannot be loaded. %s', 500),
  METRICS_TOKEN_WRONG: createError(
    'METRICS_TOKEN_WRONG',
    'Send METRICS_TOKEN as a bearer token in the header Authorization.',
    401,
  ),
  INTERNAL_ERROR: createError(
    'INTERNAL_ERROR',
    'The service cannot respond right now. Try again later.',
    500,
  ),
}

/** The code of an error in a response body. */
export type ErrorCode = keyof typeof errors

/** Whether the code of a thrown error is in the registry. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code)
}

/** Thrown inside the service when upstream returns no usable response. Visitors receive `INTERNAL_ERROR`. */
export class UpstreamError extends Error {
  override name = 'UpstreamError'
  /** Seconds after which a visitor may retry. */
  readonly retryAfter: number = 5
}

/**
 * One site cannot be fetched, revalidated or compiled although upstream works. Other sites are not affected.
 */
export class SiteError extends UpstreamError {
  override name = 'SiteError'
  override readonly retryAfter: number = 30
}

/**
 * A query about sites that timed out or failed in upstream. Either these sites are at fault, or upstream fails for all: a
 * probe tells (`SiteSource.probe`).
 */
export class SiteOrUpstreamError extends SiteError {}

/** The drafts of one site cannot be loaded or compiled. */
export class PreviewError extends UpstreamError {
  override name = 'PreviewError'
  readonly code: ErrorCode = 'PREVIEW_NOT_LOADED'
  /** For the log. */
  readonly reason: string

  /**
   * @param shown a sentence that is safe to show to anyone who has a link.
   * @param reason for the log.
   */
  constructor(shown: string, reason: string) {
    super(new errors.PREVIEW_NOT_LOADED(shown).message)
    this.reason = reason
  }
}

/** More concurrent queries are requested than the service sends upstream. */
export class BusyError extends UpstreamError {
  override name = 'BusyError'
  override readonly retryAfter: number = 1
}
