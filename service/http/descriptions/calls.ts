import type {FastifySchema} from 'fastify'
import {DURATION_BOUNDS, OUTCOMES} from '../../../schemas/calls/counts.ts'
import {failures, object, PUBLIC_ID, TIME, UNCACHED, WITH_SECRET} from './parts.ts'

const COUNT = {type: 'integer', minimum: 0}
const TOOL = {type: 'string', description: 'The `_id` of the published document.'}
const HASH = {type: 'string', pattern: '^[0-9a-f]{16}$'}
const PARAMS = {type: 'object', required: ['publicId'], properties: {publicId: PUBLIC_ID}}

/** The schema of `POST /api/sites/:publicId/calls`. */
export function reportSchema(maxBody: number): FastifySchema {
  return {
    operationId: 'reportCalls',
    tags: ['pages'],
    summary: 'Counts calls of agents that a page reports',
    description: `The body is JSON as \`text/plain\`, of at most ${maxBody} bytes: \`{"calls": [[name, outcome, bucket, count, hash], …]}\`. The outcome is one of ${OUTCOMES.join(', ')}; the bucket is the position of the duration among ${DURATION_BOUNDS.join(', ')} milliseconds; the hash stands for the first line of an error, and is missing for others. Names that the site does not have are ignored.`,
    params: PARAMS,
    consumes: ['text/plain'],
    body: {type: 'string'},
    response: {
      204: {type: 'null', description: 'The calls count.', headers: UNCACHED},
      ...failures('BAD_REQUEST', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR'),
    },
  }
}

/** The schema of `GET /api/sites/:publicId/calls`. */
export function callsReportSchema(days: {readonly default: number; readonly most: number}): FastifySchema {
  return {
    operationId: 'getCallCounts',
    tags: ['pages'],
    summary: 'How often agents called the tools of a site',
    description: 'Pages report calls, and strangers can, too.',
    params: PARAMS,
    querystring: {
      type: 'object',
      properties: {days: {type: 'integer', minimum: 1, maximum: days.most, default: days.default}},
    },
    headers: WITH_SECRET,
    response: {
      200: {
        ...object({
          now: {...TIME, description: 'The time of the service.'},
          isOn: {type: 'boolean', description: 'Whether pages report calls.'},
          hours: {
            type: 'array',
            description: 'The newest first.',
            items: object({
              hour: {...TIME, description: 'When the hour begins.'},
              tool: TOOL,
              outcome: {type: 'string', enum: [...OUTCOMES]},
              durations: {
                type: 'array',
                items: COUNT,
                description: `Calls that took at most ${DURATION_BOUNDS.join(', ')} milliseconds, and longer.`,
              },
            }),
          },
          errors: {
            type: 'array',
            items: object({
              tool: TOOL,
              hash: HASH,
              'text?': {
                type: 'string',
                description: 'Its text, if at least five calls had it and it is in the script.',
              },
              count: COUNT,
              lastHour: TIME,
            }),
          },
        }),
        description: 'The calls of each tool by hour and outcome, and the errors.',
        headers: UNCACHED,
      },
      ...failures(
        'BAD_REQUEST',
        'PREVIEW_ENDED',
        'PREVIEW_OFF',
        'NOT_FOUND',
        'RATE_LIMITED',
        'INTERNAL_ERROR',
      ),
    },
  }
}
