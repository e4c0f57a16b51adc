import type {FastifySchema} from 'fastify'
import type {ErrorCode} from '../../errors.ts'
import {JAVASCRIPT} from '../javascript.ts'
import {ETAG, failuresWith, fixed, IF_NONE_MATCH, notModified, object, PUBLIC_ID, UUID} from './parts.ts'

const SITE = {type: 'object', required: ['publicId'], properties: {publicId: PUBLIC_ID}}
const TEXT = {type: 'string'}
const SENTENCES = {type: 'array', items: {type: 'string', minLength: 1}}
const TIME = {
  type: 'string',
  format: 'date-time',
  description: 'When the preview ends, unless Studio renews it.',
}
const TOKEN = {type: 'string', pattern: '^[\\w.-]{1,600}$'}

const HEADERS = {
  'access-control-allow-origin': fixed('*'),
  'access-control-expose-headers': fixed('ETag, Age, Retry-After'),
  'cache-control': fixed('no-store'),
  'referrer-policy': fixed('no-referrer'),
}

const REFUSALS: ErrorCode[] = ['PREVIEW_ENDED', 'PREVIEW_OFF', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR']

function refusals(...codes: ErrorCode[]) {
  return failuresWith({'referrer-policy': HEADERS['referrer-policy']}, ...REFUSALS, ...codes)
}

/** The schema of `POST /api/sites/:publicId/preview`. */
export function exchangeSchema(maxBody: number): FastifySchema {
  return {
    operationId: 'startPreview',
    tags: ['pages'],
    summary: 'Exchanges the code of a preview link for a token, once',
    description: `The token is bound to the site and to the origin of the page. The body has at most ${maxBody} bytes.`,
    params: SITE,
    body: object({
      code: {type: 'string', minLength: 1},
      'tab?': {
        type: 'string',
        pattern: '^[\\w-]{20,100}$',
        description:
          'A random text of the tab, with which it may exchange the code again: the response may be lost.',
      },
    }),
    response: {
      200: {...object({token: TOKEN, expiresAt: TIME}), description: 'The preview begins.', headers: HEADERS},
      ...refusals('BAD_REQUEST'),
    },
  }
}

/** The schema of `GET /api/sites/:publicId/preview/opened`. */
export function openedSchema(): FastifySchema {
  return {
    operationId: 'getOpenedPreview',
    tags: ['pages'],
    summary: 'Whether a page has used a preview link',
    description:
      'It does not use the link. A replica knows of a page that another one served after a second.',
    params: SITE,
    headers: {
      type: 'object',
      required: ['authorization'],
      properties: {authorization: {type: 'string', description: '`Bearer` and the code of the link.'}},
    },
    response: {
      200: {
        ...object({
          'origin?': {...TEXT, description: 'The origin of the page. Missing: no page used the link.'},
        }),
        description: 'Who used the link.',
        headers: HEADERS,
      },
      ...refusals(),
    },
  }
}

const advice = object({
  code: TEXT,
  severity: {type: 'string', enum: ['warning', 'info']},
  field: TEXT,
  message: TEXT,
  'line?': {type: 'integer', minimum: 1, description: 'The line of the script.'},
})

const expectation = object({kind: TEXT, member: TEXT, value: TEXT})

const test = object({
  title: TEXT,
  page: {...TEXT, description: 'The path of the page, with its query.'},
  arguments: {type: 'array', items: object({name: TEXT, value: TEXT})},
  expect: {type: 'array', items: expectation},
  'prompt?': TEXT,
})

const tool = object({
  id: {...TEXT, description: 'The `_id` of the published document.'},
  uuid: {...UUID, description: 'The `id` in the config.'},
  type: {type: 'string', enum: ['tool', 'formTool']},
  name: TEXT,
  description: TEXT,
  pattern: TEXT,
  state: {
    type: 'string',
    enum: ['published', 'changed', 'new'],
    description: 'Without a draft, with a draft of a published document, or only a draft.',
  },
  'mayBePublished?': {const: true, description: 'All who wrote the draft are known, and may publish it.'},
  'author?': {
    ...TEXT,
    description: 'Who changed the draft last, if it is known.',
  },
  'changes?': {const: true, description: 'A call changes something, whatever the hints say.'},
  isOffered: {type: 'boolean', description: 'Whether the config has it.'},
  isOfferedNow: {type: 'boolean', description: 'Whether visitors get it on this page.'},
  title: {...TEXT, description: 'Its state on this page, in one or two words.'},
  reasons: {...SENTENCES, description: 'Why it is not offered on this page.'},
  advice: {type: 'array', items: advice, description: 'For tools whose pattern matches this page.'},
  'tests?': {type: 'array', items: test, description: 'For tools that this page may offer.'},
  'testsProblem?': {...TEXT, description: 'What is wrong with its tests.'},
})

/** The schema of `GET /api/sites/:publicId/preview`. */
export function previewSchema(): FastifySchema {
  const headers = {...HEADERS, etag: ETAG}
  return {
    operationId: 'getPreview',
    tags: ['pages'],
    summary: 'The tools of one page with all drafts applied',
    params: SITE,
    querystring: {
      type: 'object',
      required: ['path'],
      properties: {path: {type: 'string', description: 'The path of the page.'}},
    },
    headers: {
      type: 'object',
      required: ['authorization'],
      properties: {
        ...IF_NONE_MATCH.properties,
        'preview-tag': {
          type: 'string',
          description: 'The same as `If-None-Match`, with which browsers send a preflight each time.',
        },
        authorization: {type: 'string', description: '`Bearer` and the token.'},
      },
    },
    response: {
      200: {
        ...object({
          expiresAt: TIME,
          'token?': {...TOKEN, description: 'A renewed token, which replaces the one that was sent.'},
          preview: {type: 'string', description: 'Names the preview, for links back.'},
          'studioUrl?': {type: 'string', description: 'Where Studio is, for links back.'},
          modules: {
            type: 'object',
            additionalProperties: {type: 'string'},
            description: 'The path of each script of the config as a module, by the ID of its tool.',
          },
          site: object({
            id: TEXT,
            name: TEXT,
            asksForReview: {
              type: 'boolean',
              description: 'Whether the site asks for reviews: a page asks a person before it runs drafts.',
            },
            reasons: {...SENTENCES, description: 'Why no tool at all is offered.'},
          }),
          config: {$ref: 'SiteConfig#'},
          tools: {type: 'array', items: tool},
        }),
        description: 'What the page offers once all drafts are published, and why not more.',
        headers,
      },
      304: notModified(headers),
      ...refusals('BAD_REQUEST', 'PREVIEW_NOT_LOADED'),
    },
  }
}

/** The schema of `GET /api/sites/:publicId/preview/scripts/:ticket/:toolId/:revision.js`. */
export function draftModuleSchema(): FastifySchema {
  return {
    operationId: 'getDraftModule',
    tags: ['pages'],
    summary: "A draft's script as a module, for pages whose CSP forbids `eval`",
    params: {
      type: 'object',
      required: ['publicId', 'ticket', 'toolId', 'revision'],
      properties: {publicId: PUBLIC_ID, ticket: TEXT, toolId: UUID, revision: TEXT},
    },
    response: {
      200: {
        description: 'A module with the script as its default export.',
        headers: {
          ...HEADERS,
          'cross-origin-resource-policy': fixed(JAVASCRIPT['cross-origin-resource-policy']),
        },
        content: {'text/javascript': {schema: {type: 'string', minLength: 1}}},
      },
      ...refusals('PREVIEW_NOT_LOADED'),
    },
  }
}
