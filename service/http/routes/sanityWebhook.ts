import type {FastifyInstance, onRequestAsyncHookHandler} from 'fastify'
import {clientKey} from '../../../common/limits/clientKey.ts'
import {concurrencyLimit} from '../../../common/limits/concurrencyLimit.ts'
import {errors} from '../../errors.ts'
import type {ServiceEvents} from '../../events.ts'
import {rateLimited} from '../../limits/rateLimited.ts'
import type {SanityWebhook} from '../../webhooks/sanityWebhook.ts'
import {requireSignature} from '../../webhooks/signature.ts'
import {sendFailure, toFailure} from '../failures.ts'
import {refuseOtherMethods} from '../methods.ts'

const WEBHOOK_URL = '/webhooks/sanity'

/**
 * Maximum size of a delivery, in bytes. A projection has a few hundred; a whole document may have more.
 */
const MAX_BODY = 256 * 1_024

/** Maximum concurrent deliveries. Sanity sends one after the other. */
const AT_ONCE = {perClient: 16, total: 256}
/** Delay before a rejected delivery may be retried, in milliseconds. */
const RETRY_AFTER = 1_000

export type SanityWebhookRouteOptions = {
  /** `undefined` if no webhook is configured. */
  readonly webhook: Pick<SanityWebhook, 'take'> | undefined
  readonly limit: onRequestAsyncHookHandler
  readonly events: ServiceEvents
}

/**
 * `POST /webhooks/sanity`: Sanity reports a change. The response does not wait until it is known what changed, because
 * Sanity sends the next delivery only after the response.
 */
export function sanityWebhookRoute(
  app: FastifyInstance,
  {webhook, limit, events}: SanityWebhookRouteOptions,
): void {
  const admit = concurrencyLimit({
    ...AT_ONCE,
    clientOf: (request) => clientKey(request.ip),
    refuse: (reply) => rateLimited(reply, RETRY_AFTER),
  })
  app.register(async (scope) => {
    // The only route that accepts a body. It is read as text, because the signature covers the text.
    scope.addContentTypeParser('application/json', {parseAs: 'string'}, (_request, body, done) =>
      done(null, body),
    )
    scope.setErrorHandler<Error>((error, request, reply) => {
      events.emit('delivery', toFailure(error).code)
      return sendFailure(error, request, reply)
    })

    scope.post(
      WEBHOOK_URL,
      {
        bodyLimit: MAX_BODY,
        onRequest: [
          limit,
          async (request, reply) => {
            if (webhook === undefined) throw new errors.WEBHOOK_OFF()
            requireSignature(request.headers)
            admit(request, reply)
          },
        ],
      },
      async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : ''
        const taken = await webhook?.take(request.headers, body)
        events.emit('delivery', 'OK')
        return reply.header('cache-control', 'no-store').send(taken)
      },
    )
  })
  refuseOtherMethods(app, WEBHOOK_URL, ['POST', 'OPTIONS'])
}
