import type {FastifySchema} from 'fastify'
import {failures, fixed, object} from './parts.ts'

const headers = {'cache-control': fixed('no-store')}

/** The schema of one part of the service, with additional members. */
function part(states: string[], more: Parameters<typeof object>[0] = {}) {
  return object({
    state: {type: 'string', enum: states},
    since: {type: 'string', format: 'date-time'},
    'lastError?': {type: 'string'},
    ...more,
  })
}

const COUNT = {type: 'integer', minimum: 0}

const report = object({
  status: {type: 'string', enum: ['ready', 'degraded', 'unready', 'draining']},
  reasons: {type: 'array', items: {type: 'string'}, description: 'Why the status is not `ready`.'},
  warnings: {
    type: 'array',
    items: {type: 'string'},
    description: 'What needs attention although every request is served.',
  },
  upstream: part(['unknown', 'answering', 'probed', 'failing']),
  liveEvents: part(['connected', 'disconnected']),
  sites: object({
    cached: COUNT,
    oldestAgeSeconds: {type: ['integer', 'null'], minimum: 0},
    fromSnapshot: COUNT,
    invalidDocuments: COUNT,
    failing: COUNT,
  }),
  snapshots: part(['ok', 'failing'], {files: COUNT}),
  limits: part(['local', 'shared', 'lost']),
  originTrial: object({
    state: {type: 'string', enum: ['none', 'valid', 'ending', 'ended', 'unusable']},
    ends: {type: ['string', 'null'], format: 'date-time'},
  }),
})

/** The schema of `GET /healthz`. */
export const healthSchema: FastifySchema = {
  operationId: 'getHealth',
  tags: ['operations'],
  summary: 'Whether the process is running',
  response: {
    200: {...object({status: {type: 'string', enum: ['ok']}}), description: 'It is running.', headers},
  },
}

/** The schema of `GET /readyz`. */
export const readinessSchema: FastifySchema = {
  operationId: 'getReadiness',
  tags: ['operations'],
  summary: 'Whether the service can serve requests, and the state of its parts',
  response: {
    200: {
      ...report,
      description: '`ready`, or `degraded`: it serves requests, but a part has a problem.',
      headers,
    },
    503: {...report, description: '`unready` or `draining`: send requests to another replica.', headers},
  },
}

/** The schema of `GET /metrics`. */
export const metricsSchema: FastifySchema = {
  operationId: 'getMetrics',
  tags: ['operations'],
  summary: 'Counters and gauges for Prometheus',
  response: {
    200: {
      description: "Prometheus' text format.",
      headers,
      content: {'text/plain': {schema: {type: 'string', minLength: 1}}},
    },
    ...failures('METRICS_TOKEN_WRONG'),
  },
}
