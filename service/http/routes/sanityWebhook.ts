import {isValidSignature, SIGNATURE_HEADER_NAME} from '@sanity/webhook'
import type {FastifyInstance} from 'fastify'
import {errors} from '../../errors.ts'
import type {Limits} from '../../limits/rateLimit.ts'
import type {Parts} from '../parts.ts'

const WEBHOOK_URL = '/webhooks/sanity'

/**
 * Maximum size of a delivery, in bytes. A projection has a few hundred; a whole document may have more.
 */
const MAX_BODY = 256 * 1_024

/**
 * `POST /webhooks/sanity`: Sanity reports a change (https://www.sanity.io/docs/webhooks). The response does not wait until it
 * is known what changed, because Sanity sends the next delivery only after the response.
 */
export function sanityWebhookRoute(
  app: FastifyInstance,
  {settings: {webhookSecrets}, sites}: Parts,
  {perSite}: Limits,
): void {
  app.register(async (scope) => {
    // Read as text, because the signature covers the text.
    scope.addContentTypeParser('application/json', {parseAs: 'string'}, (_request, body, done) =>
      done(null, body),
    )
    scope.post(
      WEBHOOK_URL,
      {
        bodyLimit: MAX_BODY,
        onRequest: [
          ...perSite,
          async (request) => {
            if (webhookSecrets.length === 0) throw new errors.WEBHOOK_OFF()
            // Before its body arrives.
            if (request.headers[SIGNATURE_HEADER_NAME] === undefined)
              throw new errors.WEBHOOK_UNSIGNED(`${SIGNATURE_HEADER_NAME} is missing`)
          },
        ],
      },
      async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : ''
        const signature = String(request.headers[SIGNATURE_HEADER_NAME])
        const isSigned = await Promise.all(
          webhookSecrets.map((secret) => isValidSignature(body, signature, secret)),
        )
        if (!isSigned.includes(true)) throw new errors.WEBHOOK_SIGNATURE_WRONG()
        // Asks upstream, so nothing in a delivery is served, and one that is sent again costs a query.
        sites.revalidation.changed()
        return reply.header('cache-control', 'no-store').send({result: 'asking'})
      },
    )
  })
}
