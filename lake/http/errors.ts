import {STATUS_CODES} from 'node:http'
import {isJsonObject, type JsonObject, jsonIn} from '../../common/json.ts'
import {HttpError} from '../errors.ts'
import {QueryError, QueryParseError} from '../query/errors.ts'

/** All errors that the lake's routes throw. */
export const refuse = {
  badRequest: (message: string) => new HttpError(400, message),
  encodedBody: (encoding: string) =>
    new HttpError(415, `Bodies are not accepted with "Content-Encoding: ${encoding}": send them as they are`),
  metricsToken: () => new HttpError(401, 'Send METRICS_TOKEN as a bearer token in the header Authorization'),
  forbidden: (message: string) => new HttpError(403, message),
  notFound: (message = 'Resource not found') => new HttpError(404, message),
  unknownDataset: (dataset: string, projectId: string) =>
    new HttpError(404, `Dataset "${dataset}" not found for project ID "${projectId}"`),
  unknownProject: (projectId: string) => new HttpError(404, `Project "${projectId}" not found`),
  unknownVersion: (version: string) =>
    new HttpError(400, `"${version}" is not an API version: use v1, vX or a date such as v2025-02-19`),
  databaseUnavailable: () => {
    const message = 'The lake cannot read or save its database at the moment. The log says why.'
    const error = 'Service Unavailable'
    return new HttpError(503, message, {statusCode: 503, error, errorCode: 'DATABASE_UNAVAILABLE', message})
  },
  tooManyStreams: () => new HttpError(503, 'Too many event streams are open, try again later'),
  /** Rate limit exceeded: the request is allowed, but this client sends too many. */
  tooMuch: (message: string, seconds: number) =>
    new HttpError(429, `${message}, try again in ${seconds} s`, undefined, {'retry-after': String(seconds)}),
}

/** The error body for a query that cannot be parsed or evaluated; undefined for any other error. */
export function queryErrorBody(error: unknown) {
  if (error instanceof QueryParseError) {
    const {message, query, start, end} = error
    return {error: {type: 'queryParseError', description: message, query, start, end}}
  }
  if (error instanceof QueryError) return {error: {type: 'queryEvaluationError', description: error.message}}
  return undefined
}

/** What a client gets for data that does not form a request. */
export function clientFailure(status: 400 | 408 | 431) {
  const code = STATUS_CODES[status] ?? ''
  return {code, body: JSON.stringify(new HttpError(status, code).body)}
}

/** The type of the error in a response, for the log: of a step of a transaction, or the name of the status. */
export function codeIn(payload: unknown, status: number): string {
  const {error} = objectIn(typeof payload === 'string' ? jsonIn(payload) : undefined)
  const {type, items} = objectIn(error)
  const [first] = Array.isArray(items) ? items : []
  const code = objectIn(objectIn(first).error).type ?? type
  return typeof code === 'string' ? code : (STATUS_CODES[status] ?? 'Error')
}

function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
