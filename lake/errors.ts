import {STATUS_CODES} from 'node:http'

/** An error response: its status and its body, in one of the formats of Sanity's API. */
export class HttpError extends Error {
  readonly statusCode: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>

  constructor(
    statusCode: number,
    message: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.statusCode = statusCode
    this.headers = headers
    this.body = body ?? {statusCode, error: STATUS_CODES[statusCode] ?? 'Error', message}
  }
}
