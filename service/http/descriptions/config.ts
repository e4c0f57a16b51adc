import type {FastifySchema} from 'fastify'
import {ETAG, failures, fixed, IF_NONE_MATCH, notModified, object, PUBLIC_ID, UUID} from './parts.ts'

const TOOL_NAME = {type: 'string', pattern: '^[A-Za-z0-9_.-]{1,128}$'}
const DESCRIPTION = {type: 'string', minLength: 1, maxLength: 4_000}
const HINT = {type: 'boolean', enum: [true]}
const OBJECT_SCHEMA = {
  type: 'object',
  required: ['type', 'properties'],
  properties: {
    type: {type: 'string', enum: ['object']},
    properties: {type: 'object', additionalProperties: true},
  },
  additionalProperties: true,
}

const REPORT_CALLS = {
  type: 'string',
  enum: ['on', 'afterConsent'],
  description: 'The page reports calls, at once or when it says that the visitor consents.',
}

const SELECTORS = {type: 'array', minItems: 1, items: {type: 'string', minLength: 1}}
const OFFERED_WHILE = object(
  {'has?': SELECTORS, 'hasNot?': SELECTORS},
  'Only in `conditional`: selectors of what the page must have and must not have.',
)

const TEXTS = {
  type: 'array',
  minItems: 1,
  description:
    'Texts in other languages. A page takes those of its `lang` (RFC 4647, lookup); what they lack is as in the tool.',
  items: object({
    language: {type: 'string', minLength: 2, description: 'A tag of BCP 47.'},
    'title?': {type: 'string', minLength: 1},
    'description?': DESCRIPTION,
    'parameters?': {
      type: 'array',
      minItems: 1,
      items: object({name: {type: 'string', minLength: 1}, description: {type: 'string', minLength: 1}}),
    },
  }),
}

const tool = object({
  id: UUID,
  name: {...TOOL_NAME, description: 'For `registerTool`.'},
  description: DESCRIPTION,
  inputSchema: {
    ...OBJECT_SCHEMA,
    description: 'The arguments as JSON Schema: 2020-12, or draft-07 if `$schema` names it.',
  },
  executeJs: {
    type: 'string',
    minLength: 1,
    description:
      'The body of an async function with the parameters `args` and `{signal}`. Its return value is the result.',
  },
  exposedTo: {
    type: 'array',
    items: {type: 'string'},
    description:
      'Origins in the page’s frame tree to which the tool is visible. It limits which documents can see the tool, not which agent may call it. An empty list means every document in the frame tree; Chromium then shows the tool only to documents of the page’s own origin.',
  },
  title: {
    type: 'string',
    minLength: 1,
    description: 'The title to show to people: set by an editor, or derived from `name`.',
  },
  annotations: object(
    {
      'readOnlyHint?': HINT,
      'consequentialHint?': HINT,
      'untrustedContentHint?': HINT,
      'debugging?': {...HINT, description: 'The tool is for developers, not for visitors.'},
    },
    'The annotations that are true. One that is left out is false.',
  ),
  'outputSchema?': {
    type: 'object',
    additionalProperties: true,
    description: 'What the script returns, as JSON Schema of any type.',
  },
  'askBefore?': {...HINT, description: 'The page asks the visitor before the script runs.'},
  'reportCalls?': REPORT_CALLS,
  'offeredWhile?': OFFERED_WHILE,
  'texts?': TEXTS,
})

const field = object({
  name: {type: 'string', minLength: 1, description: "The field's `name` in the page."},
  'title?': {type: 'string', minLength: 1},
  'description?': {type: 'string', minLength: 1},
})

const formTool = object({
  id: UUID,
  name: TOOL_NAME,
  description: DESCRIPTION,
  selector: {type: 'string', minLength: 1, description: 'A CSS selector that finds the form on the page.'},
  autosubmit: {type: 'boolean', description: 'Whether the agent may submit the form without the visitor.'},
  'fields?': {
    type: 'array',
    minItems: 1,
    items: field,
    description: 'Titles and descriptions for fields of the form.',
  },
  'reportCalls?': REPORT_CALLS,
  'offeredWhile?': OFFERED_WHILE,
  'texts?': TEXTS,
})

const siteConfig = object({
  siteId: UUID,
  tools: {type: 'array', items: {$ref: 'Tool#'}},
  formTools: {type: 'array', items: {$ref: 'FormTool#'}},
  pollInterval: {
    type: 'integer',
    minimum: 10,
    maximum: 86_400,
    description: 'Seconds until the page fetches its config again.',
  },
  'conditional?': object(
    {tools: {type: 'array', items: {$ref: 'Tool#'}}, formTools: {type: 'array', items: {$ref: 'FormTool#'}}},
    'The tools that the page offers only while their `offeredWhile` holds. Also there, without tools, if the page chooses the language of a tool.',
  ),
})

/** Named schemas for the body of a config, for client generators. */
export const components = [
  {$id: 'Tool', ...tool},
  {$id: 'FormTool', ...formTool},
  {$id: 'SiteConfig', ...siteConfig},
]

/** The schema of `GET /api/sites/:publicId/config`. */
export function configSchema({
  nginxExpires,
  maxPathLength,
}: {
  readonly nginxExpires: string
  readonly maxPathLength: number
}): FastifySchema {
  const headers = {
    'access-control-allow-origin': fixed('*'),
    'access-control-expose-headers': fixed('ETag, Age, Retry-After'),
    'cache-control': {
      type: 'string',
      pattern: '^public, max-age=[0-9]+$',
      description: '60, or less if a tool of the site comes or goes earlier.',
    },
    'x-accel-expires': fixed(nginxExpires, 'For nginx, which ignores `Age` when it caches.'),
    vary: fixed('Accept-Encoding'),
    etag: ETAG,
    age: {
      type: 'string',
      pattern: '^[0-9]+$',
      description:
        'Seconds since the content was validated against the Content Lake, rounded up (RFC 9111 §5.1).',
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
          description: `The path of the page. Give it once. Without it, the response has every enabled tool of the site. A path of more than ${maxPathLength} characters gets the tools of all pages.`,
        },
        check: {
          type: 'string',
          description: 'With any value: the request does not count as a visit.',
        },
      },
    },
    headers: IF_NONE_MATCH,
    response: {
      200: {
        $ref: 'SiteConfig#',
        description: 'The tools that the page registers with the browser.',
        headers,
      },
      304: notModified(headers),
      ...failures('BAD_REQUEST', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR'),
    },
  }
}
