import type {FastifySchema} from 'fastify'
import {failures, fixed, object} from './parts.ts'

const PUBLIC_IDS = {type: 'array', items: {type: 'string'}}

/** The schema of `POST /webhooks/sanity`. */
export const sanityWebhookSchema: FastifySchema = {
  operationId: 'postSanityWebhook',
  tags: ['operations'],
  summary: 'Receives the GROQ-powered webhook of a Sanity project',
  headers: {
    type: 'object',
    required: ['sanity-webhook-signature', 'idempotency-key', 'sanity-project-id', 'sanity-dataset'],
    properties: {
      'sanity-webhook-signature': {
        type: 'string',
        description: '`t=<unix ms>,v1=<base64url HMAC-SHA256 of "<t>.<body>">`',
      },
      'idempotency-key': {type: 'string', maxLength: 255},
      'sanity-project-id': {type: 'string'},
      'sanity-dataset': {type: 'string'},
      'sanity-operation': {type: 'string', enum: ['create', 'update', 'delete']},
    },
  },
  body: {
    type: 'object',
    description: 'The document, or the projection that docs/webhooks.md recommends.',
    required: ['_id'],
    properties: {_id: {type: 'string'}, _type: {type: 'string'}, _rev: {type: 'string'}},
    additionalProperties: true,
  },
  response: {
    200: {
      ...object({
        purged: {
          ...PUBLIC_IDS,
          description: 'Public IDs of sites that are fetched again.',
        },
        current: {...PUBLIC_IDS, description: 'Public IDs of sites that already show the change.'},
        'ignored?': {type: 'string', description: 'Why the change affects no site.'},
      }),
      description: 'The delivery was accepted.',
      headers: {'access-control-allow-origin': fixed('*'), 'cache-control': fixed('no-store')},
    },
    ...failures(
      'WEBHOOK_NOT_UNDERSTOOD',
      'WEBHOOK_UNSIGNED',
      'WEBHOOK_SIGNATURE_WRONG',
      'WEBHOOK_EXPIRED',
      'WEBHOOK_OFF',
      'WEBHOOK_REPLAYED',
      'WEBHOOK_MISDIRECTED',
      'RATE_LIMITED',
    ),
  },
}
