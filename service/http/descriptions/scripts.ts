import type {FastifySchema} from 'fastify'
import type {ModuleName} from '../../../snippet/build/built.ts'
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

const MODULE_TEXTS = {
  calls: ['getCalls', 'The part of the script that calls tools, loaded on pages with tools'],
  ask: ['getAsk', 'The part of the script that asks visitors, loaded with the first question'],
  conditions: ['getConditions', 'The part of the script that decides which tools the page offers now'],
  report: ['getReport', 'The part of the script that counts calls'],
  panel: ['getPanel', 'The panel, which the script loads for previews'],
  make: ['getMake', 'The part of the panel that makes tools'],
  trial: ['getTrial', 'The part of the panel that tries a tool before it is made'],
  tests: ['getTests', 'The part of the panel that runs tests of tools'],
} as const

/** The schema of a module that the script or the panel loads, such as `GET /snippet.calls.js`. */
export function moduleSchema(name: ModuleName, cacheControl: string): FastifySchema {
  const [operationId, summary] = MODULE_TEXTS[name]
  const headers = {...headersOf(cacheControl), vary: fixed('Accept-Encoding')}
  return {
    operationId,
    tags: ['pages'],
    summary,
    headers: acceptEncoding,
    response: {200: script('A module.', headers), 304: notModified(headers)},
  }
}

/** The schema of `GET /third-party.txt`. */
export function noticesSchema(cacheControl: string): FastifySchema {
  const headers = {
    'access-control-allow-origin': fixed('*'),
    'cache-control': fixed(cacheControl),
    etag: ETAG,
    vary: fixed('Accept-Encoding'),
  }
  return {
    operationId: 'getThirdPartyNotices',
    tags: ['pages'],
    summary: 'The licenses of the packages that the panel contains',
    headers: acceptEncoding,
    response: {
      200: {
        description: 'A text.',
        headers,
        content: {'text/plain': {schema: {type: 'string', minLength: 1}}},
      },
      304: notModified(headers),
    },
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
