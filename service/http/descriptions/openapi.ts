import type {FastifySchema} from 'fastify'
import {ETAG, fixed, IF_NONE_MATCH, notModified} from './parts.ts'

/** The schema of `GET /openapi.json`. */
export function openApiSchema(cacheControl: string): FastifySchema {
  const headers = {
    'access-control-allow-origin': fixed('*'),
    'cache-control': fixed(cacheControl),
    etag: ETAG,
  }
  return {
    operationId: 'getOpenApi',
    tags: ['pages'],
    summary: 'This description',
    headers: IF_NONE_MATCH,
    response: {
      200: {
        type: 'object',
        description: 'An OpenAPI document (https://spec.openapis.org/oas/v3.1.0).',
        required: ['openapi', 'info', 'paths'],
        properties: {openapi: {type: 'string'}, info: {type: 'object'}, paths: {type: 'object'}},
        headers,
      },
      304: notModified(headers),
    },
  }
}
