import type {FastifySchema} from 'fastify'
import {failures, object, PUBLIC_ID, TIME, UNCACHED, WITH_SECRET} from './parts.ts'

/** The schema of `GET /api/sites/:publicId/visits`. */
export function visitsSchema(): FastifySchema {
  return {
    operationId: 'getVisits',
    tags: ['pages'],
    summary: 'When pages last asked for their tools',
    description:
      'Only browsers with WebMCP ask. Times are exact to ten seconds. Anybody can send requests like those of a page.',
    params: {type: 'object', required: ['publicId'], properties: {publicId: PUBLIC_ID}},
    headers: WITH_SECRET,
    response: {
      200: {
        ...object({
          now: {...TIME, description: 'The time of the service.'},
          'seenAt?': {...TIME, description: 'When a page last asked. Missing: none is known to have.'},
          tools: {
            type: 'array',
            items: object({
              id: {type: 'string', description: 'The `_id` of the published document.'},
              seenAt: {...TIME, description: 'When a page of its pattern last asked.'},
            }),
          },
        }),
        description: 'When pages of the site, and those of each tool, last asked.',
        headers: UNCACHED,
      },
      ...failures('PREVIEW_ENDED', 'PREVIEW_OFF', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR'),
    },
  }
}
