import {parseRetryAfter} from '../common/backoff.ts'
import {errorMessage} from '../common/errorMessage.ts'
import {isJsonObject, jsonIn} from '../common/json.ts'
import type {Console} from './command.ts'

/** Milliseconds before each further attempt. */
const PAUSES = [1_000, 5_000, 15_000, 30_000]

/** Upper bound for a `Retry-After`, in milliseconds. */
const MAX_RETRY_AFTER = 120_000

/** An API refused a request. The message has the status and the reason. */
class RefusedError extends Error {
  readonly status: number
  /** In milliseconds; 0 if the response did not say. */
  readonly retryAfter: number

  constructor({status, headers}: Response, body: string) {
    super(`status ${status}, ${reasonIn(jsonIn(body)) || body.slice(0, 500)}`.replace(/, $/, ''))
    this.status = status
    this.retryAfter = Math.min(parseRetryAfter(headers.get('retry-after')) ?? 0, MAX_RETRY_AFTER)
  }
}

/**
 * Sends a request to the API of a lake or of Sanity.
 * @throws RefusedError, or an Error that says why there is no response
 */
export async function send(
  url: string | URL,
  token: string | undefined,
  init: RequestInit,
): Promise<Response> {
  const headers = {
    ...(token !== undefined && {authorization: `Bearer ${token}`}),
    ...(init.body !== undefined && {'content-type': 'application/json'}),
  }
  const response = await fetch(url, {...init, headers, redirect: 'error'}).catch((error: unknown) => {
    // The reason of a failed fetch is in its cause.
    throw new Error(errorMessage((error instanceof Error && error.cause) || error))
  })
  if (response.ok) return response
  throw new RefusedError(response, await response.text())
}

/**
 * Runs a request that may be repeated, again after network errors, 429 and 5xx.
 * @param label of what is asked, for the user
 * @throws what the request throws
 */
export async function withRetries<T>(
  label: string,
  {error: report, wait}: Pick<Console, 'error' | 'wait'>,
  request: () => Promise<T>,
): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await request()
    } catch (error) {
      const {status = 500, retryAfter = 0} = error instanceof RefusedError ? error : {}
      if (status < 500 && status !== 429) throw error
      const milliseconds = Math.max(pause, retryAfter)
      report(`${label}: ${errorMessage(error)}; trying again in ${Math.ceil(milliseconds / 1_000)} s\n`)
      await wait(milliseconds)
    }
  }
  return request()
}

/** What an API says of an error: the text of a response that is JSON. Empty: nothing. */
function reasonIn(body: unknown): string {
  const {error, message} = isJsonObject(body) ? body : {}
  const description = isJsonObject(error) ? (error.description ?? error.message) : error
  return [description, message].find((part) => typeof part === 'string') ?? ''
}
