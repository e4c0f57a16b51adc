import {type ErrorCode, errors} from '../../errors.ts'

/** A JSON Schema of one value. */
type Schema = Record<string, unknown>

/** Schemas that several routes share. */

export const ETAG = {
  type: 'string',
  pattern: '^"[\\x21\\x23-\\x7e]+"$',
  description: 'Identifies this response (RFC 9110 §8.8.3). Send it back as If-None-Match.',
}

export const IF_NONE_MATCH = {
  type: 'object',
  properties: {
    'if-none-match': {
      type: 'string',
      description: 'Entity tags of earlier responses, or `*` (RFC 9110 §13.1.2). Compared weakly.',
    },
  },
}

export const PUBLIC_ID = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{6,64}$',
  description: "The site's public ID, from its embed tag. It is not a secret and grants no access.",
}

export const UUID = {type: 'string', format: 'uuid'}

/** A header with a fixed value. */
export function fixed(value: string, description?: string): Schema {
  return {type: 'string', enum: [value], ...(description === undefined ? {} : {description})}
}

/** An object with exactly these members. Names that end in `?` are optional. */
export function object(members: Record<string, Schema>, description?: string): Schema {
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
  )
  return {
    type: 'object',
    ...(description === undefined ? {} : {description}),
    required: Object.keys(members).filter((name) => !name.endsWith('?')),
    additionalProperties: false,
    properties,
  }
}

/** 304: no body, and the headers of a 200 (RFC 9110 §15.4.5). */
export function notModified(headers: Record<string, Schema>): Schema {
  return {type: 'null', description: 'Nothing has changed since the response with this entity tag.', headers}
}

/**
 * Error responses with these codes, by status. They share one format, which any origin may read and no cache
 * may store.
 */
export function failures(...codes: DescribedCode[]): Record<number, Schema> {
  const byStatus = Map.groupBy(codes, (code) => new errors[code]('').statusCode ?? 500)
  return Object.fromEntries([...byStatus].map(([status, ofStatus]) => [status, failure(ofStatus)]))
}

type DescribedCode = keyof typeof MEANING

const MEANING = {
  BAD_REQUEST: 'The request is malformed. The message says what is wrong.',
  NOT_FOUND: 'Not found. The message says what is missing.',
  RATE_LIMITED: 'Too many requests for this site from this address.',
  METRICS_TOKEN_WRONG: 'The header `Authorization` lacks the token of `/metrics`.',
  INTERNAL_ERROR: 'The service cannot respond, and has no last known good config.',
} as const satisfies {readonly [code in ErrorCode]?: string}

/** Errors that a client may retry. */
const PASSING: DescribedCode[] = ['RATE_LIMITED', 'INTERNAL_ERROR']
const RETRY_AFTER = {
  type: 'string',
  pattern: '^[0-9]+$',
  description: 'Seconds to wait before the next request, where they are known.',
}

function failure(codes: readonly DescribedCode[]): Schema {
  return {
    ...object({
      error: object({
        code: {type: 'string', enum: codes},
        message: {
          type: 'string',
          minLength: 1,
          description: 'A message for people. It contains no internals.',
        },
      }),
    }),
    description: codes.map((code) => `\`${code}\`: ${MEANING[code]}`).join(' '),
    headers: {
      'access-control-allow-origin': fixed('*'),
      'cache-control': fixed('no-store'),
      ...(codes.some((code) => PASSING.includes(code)) ? {'retry-after': RETRY_AFTER} : {}),
    },
  }
}
