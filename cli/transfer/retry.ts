import {backoffDelay} from '../../common/backoff.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {isJsonObject} from '../../common/json.ts'
import {CommandError} from '../command.ts'

const MAX_ATTEMPTS = 8
const BACKOFF = {first: 500, longest: 30_000}

/** Upper bound for a `Retry-After`, in milliseconds. */
const MAX_RETRY_AFTER = 120_000

/** Told before each further attempt, and waits as long before it. */
export type OnRetry = (message: string, milliseconds: number) => Promise<void>

/** The API's response to a request that failed. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly retryAfter: string | null

  constructor(statusCode: number, body: string, retryAfter: string | null) {
    super(body.slice(0, 500))
    this.statusCode = statusCode
    this.retryAfter = retryAfter
  }
}

/**
 * Runs a request that may be repeated, again after network errors, 429 and 5xx.
 * @param label of the dataset, for errors
 * @throws CommandError
 */
export async function withRetries<T>(label: string, onRetry: OnRetry, request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request()
    } catch (error) {
      const status = statusOf(error)
      const isTemporary = status === undefined || status === 429 || status >= 500
      if (!isTemporary || attempt === MAX_ATTEMPTS) throw refusal(label, status, error)
      const wait = Math.max(backoffDelay(attempt, BACKOFF), retryAfter(error))
      await onRetry(`${label}: ${describe(status, error)}; trying again in ${Math.ceil(wait / 1000)} s`, wait)
    }
  }
}

function refusal(label: string, status: number | undefined, error: unknown): CommandError {
  const remedy =
    status === 401 || status === 403
      ? '. Set SANITY_API_TOKEN to a token that may read the dataset, or write to it for an export'
      : ''
  return new CommandError(`${label}: ${describe(status, error)}${remedy}`)
}

function describe(status: number | undefined, error: unknown): string {
  // The reason of a failed fetch is in its cause.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return status === undefined ? errorMessage(cause) : `status ${status}, ${errorMessage(error)}`
}

/** The status of an error of this module or of `@sanity/client`. */
function statusOf(error: unknown): number | undefined {
  return isJsonObject(error) && typeof error.statusCode === 'number' ? error.statusCode : undefined
}

/** In milliseconds; 0 if the response did not say. */
function retryAfter(error: unknown): number {
  const value = error instanceof ApiError ? error.retryAfter : headerOf(error)
  const seconds = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : 0
  return Math.min(seconds * 1000, MAX_RETRY_AFTER)
}

/** The header of an error of `@sanity/client`. */
function headerOf(error: unknown): unknown {
  const response = isJsonObject(error) ? error.response : undefined
  const headers = isJsonObject(response) ? response.headers : undefined
  return isJsonObject(headers) ? headers['retry-after'] : undefined
}
