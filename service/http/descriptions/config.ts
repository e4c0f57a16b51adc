import type {FastifySchema} from 'fastify'
import {ETAG, failures, fixed, IF_NONE_MATCH, notModified, object, PUBLIC_ID, UUID} from './parts.ts'

const TOOL_NAME = {type: 'string', pattern: '^[A-Za-z0-9_.-]{1,128}$'}
const DESCRIPTION = {type: 'string', minLength: 1, maxLength: 4_000}
const HINT = {type: 'boolean', enum: [true]}

const tool = object({
  id: UUID,
  name: {...TOOL_NAME, description: 'For `registerTool`.'},
  description: DESCRIPTION,
  inputSchema: {
    type: 'object',
    description: 'The arguments in JSON Schema: 2020-12, or draft-07 where it says so.',
    required: ['type', 'properties'],
    properties: {
      type: {type: 'string', enum: ['object']},
      properties: {type: 'object', additionalProperties: true},
    },
    additionalProperties: true,
  },
  executeJs: {
    type: 'string',
    minLength: 1,
    description: 'The body of an async function of `args` and `signal`. What it returns is the result.',
  },
  exposedTo: {
    type: 'array',
    items: {type: 'string'},
    description: "Origins in the page's frame tree that see the tool; empty: all of them.",
  },
  title: {type: 'string', minLength: 1, description: 'The name for people.'},
  annotations: object(
    {'readOnlyHint?': HINT, 'consequentialHint?': HINT, 'untrustedContentHint?': HINT},
    'The hints that are true.',
  ),
})

const formTool = object({
  id: UUID,
  name: TOOL_NAME,
  description: DESCRIPTION,
  selector: {type: 'string', minLength: 1, description: 'Finds the form in the page (CSS).'},
  autosubmit: {type: 'boolean', description: 'Whether the agent submits the form without the visitor.'},
})

const siteConfig = object({
  siteId: UUID,
  tools: {type: 'array', items: {$ref: 'Tool#'}},
  formTools: {type: 'array', items: {$ref: 'FormTool#'}},
  pollInterval: {
    type: 'integer',
    minimum: 30,
    maximum: 86_400,
    description: 'Seconds until the page asks again.',
  },
})

/** Named schemas for the body of a config, for client generators. */
export const components = [
  {$id: 'Tool', ...tool},
  {$id: 'FormTool', ...formTool},
  {$id: 'SiteConfig', ...siteConfig},
]

/** The schema of `GET /api/sites/:publicId/config`. */
export function configSchema({
  cacheControl,
  nginxExpires,
  maxPathLength,
}: {
  cacheControl: string
  nginxExpires: string
  maxPathLength: number
}): FastifySchema {
  const headers = {
    'access-control-allow-origin': fixed('*'),
    'access-control-expose-headers': fixed('ETag, Age, Retry-After'),
    'cache-control': fixed(cacheControl),
    'x-accel-expires': fixed(nginxExpires, 'For nginx, which does not count `Age`.'),
    vary: fixed('Accept-Encoding'),
    etag: ETAG,
    age: {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'Seconds since the lake confirmed this answer, rounded up (RFC 9111 §5.1).',
    },
  }
  return {
    operationId: 'getConfig',
    tags: ['pages'],
    summary: 'The tools of one page of a site',
    params: {type: 'object', required: ['publicId'], properties: {publicId: PUBLIC_ID}},
    querystring: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          maxLength: maxPathLength,
          description: 'The path of the page, given once. Without it: every enabled tool of the site.',
        },
      },
    },
    headers: IF_NONE_MATCH,
    response: {
      200: {
        $ref: 'SiteConfig#',
        description: 'What the page registers with the browser.',
        headers,
      },
      304: notModified(headers),
      ...failures('BAD_REQUEST', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR'),
    },
  }
}
