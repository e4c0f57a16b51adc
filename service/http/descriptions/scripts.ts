import type {FastifySchema} from 'fastify'
import {FOREVER, JAVASCRIPT} from '../javascript.ts'
import {ETAG, failures, fixed, IF_NONE_MATCH, notModified, PUBLIC_ID, UUID} from './parts.ts'

function headersOf(cacheControl: string) {
  return {
    'access-control-allow-origin': fixed('*'),
    'cache-control': fixed(cacheControl),
    'cross-origin-resource-policy': fixed(JAVASCRIPT['cross-origin-resource-policy']),
    etag: ETAG,
  }
}

function script(description: string, headers: Record<string, Record<string, unknown>>) {
  return {description, headers, content: {'text/javascript': {schema: {type: 'string', minLength: 1}}}}
}

/** Content negotiation of the snippet (RFC 9110 §12.5.3). */
const acceptEncoding = {
  type: 'object',
  properties: {
    ...IF_NONE_MATCH.properties,
    'accept-encoding': {
      type: 'string',
      description: '`br`, `gzip` or neither. Each encoding has its own entity tag.',
    },
  },
}

/** The schema of `GET /snippet.js`. */
export function latestSnippetSchema(cacheControl: string): FastifySchema {
  const headers = {...headersOf(cacheControl), vary: fixed('Accept-Encoding')}
  return {
    operationId: 'getSnippet',
    tags: ['pages'],
    summary: 'The script that pages embed, in its newest version',
    headers: acceptEncoding,
    response: {200: script('A classic script.', headers), 304: notModified(headers)},
  }
}

/** The schema of `GET /snippet.:hash.js`. */
export function pinnedSnippetSchema(): FastifySchema {
  const headers = {...headersOf(FOREVER), vary: fixed('Accept-Encoding')}
  return {
    operationId: 'getPinnedSnippet',
    tags: ['pages'],
    summary: 'One version of the script, for pages that use Subresource Integrity',
    params: {
      type: 'object',
      required: ['hash'],
      properties: {hash: {type: 'string', pattern: '^[0-9a-f]{16}$'}},
    },
    headers: acceptEncoding,
    response: {
      200: script('A classic script.', headers),
      304: notModified(headers),
      ...failures('NOT_FOUND'),
    },
  }
}

/** The schema of `GET /api/sites/:publicId/tools/:toolId/:revision.js`. */
export function scriptModuleSchema(): FastifySchema {
  const headers = headersOf(FOREVER)
  return {
    operationId: 'getScriptModule',
    tags: ['pages'],
    summary: "A tool's script as a module, for pages whose CSP forbids `eval`",
    params: {
      type: 'object',
      required: ['publicId', 'toolId', 'revision'],
      properties: {
        publicId: PUBLIC_ID,
        toolId: {...UUID, description: "The tool's `id` in the config."},
        revision: {
          type: 'string',
          pattern: '^[0-9a-f]{64}$',
          description: "The SHA-256 of the tool's `executeJs` in UTF-8.",
        },
      },
    },
    headers: IF_NONE_MATCH,
    response: {
      200: script('A module with the script as its default export.', headers),
      304: notModified(headers),
      ...failures('NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR'),
    },
  }
}
