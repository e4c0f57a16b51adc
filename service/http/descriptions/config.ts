import type {FastifySchema} from 'fastify'
import {etag, failures, fixed, ifNoneMatch, notModified, object, publicId, uuid} from './parts.ts'

const toolName = {type: 'string', pattern: '^[A-Za-z0-9_.-]{1,128}$'}
const description = {type: 'string', minLength: 1, maxLength: 4_000}
const hint = {type: 'boolean', enum: [true]}

const tool = object({
  id: uuid,
  name: {...toolName, description: 'For `registerTool`.'},
  description,
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
    {'readOnlyHint?': hint, 'consequentialHint?': hint, 'untrustedContentHint?': hint},
    'The hints that are true.',
  ),
})

const formTool = object({
  id: uuid,
  name: toolName,
  description,
  selector: {type: 'string', minLength: 1, description: 'Finds the form in the page (CSS).'},
  autosubmit: {type: 'boolean', description: 'Whether the agent submits the form without the visitor.'},
})

const siteConfig = object({
  siteId: uuid,
  tools: {type: 'array', items: {$ref: 'Tool#'}},
  formTools: {type: 'array', items: {$ref: 'FormTool#'}},
  pollInterval: {
    type: 'integer',
    minimum: 30,
    maximum: 86_400,
    description: 'Seconds until the page asks again.',
  },
})

/** What the body of a config is made of, by name, for those who generate clients. */
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
    etag,
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
    params: {type: 'object', required: ['publicId'], properties: {publicId}},
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
    headers: ifNoneMatch,
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
