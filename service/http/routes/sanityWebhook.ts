import {
  decodeSignatureHeader,
  encodeSignatureHeader,
  isSignatureError,
  SIGNATURE_HEADER_NAME,
} from '@sanity/webhook'
import type {FastifyInstance, onRequestAsyncHookHandler} from 'fastify'
import {isJsonObject, jsonIn} from '../../../common/json.ts'
import {clientKey} from '../../../common/limits/clientKey.ts'
import {concurrencyLimit} from '../../../common/limits/concurrencyLimit.ts'
import {isSameSecret} from '../../../common/secret.ts'
import {errors} from '../../errors.ts'
import type {ServiceEvents} from '../../events.ts'
import {rateLimited} from '../../limits/windows.ts'
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

/**
 * Maximum difference between a signature's timestamp and our clock, in either direction, in milliseconds: as in
 * Stripe's libraries, whose signature scheme Sanity uses. A delivery that is sent again only asks upstream once more.
 */
const TOLERANCE = 300_000

/** https://www.sanity.io/docs/content-lake/ids: unpublished documents carry a prefix. */
const UNPUBLISHED = /^(drafts|versions)\./

export type SanityWebhookRouteOptions = {
  /** One of them signs a delivery. None: no webhook is configured. */
  readonly webhookSecrets: readonly string[]
  /** Called for a change of published content. What changed is asked upstream, so nothing in a delivery is served. */
  readonly onChange: () => void
  /** Milliseconds since 1970. */
  readonly systemClock: () => number
  readonly limit: onRequestAsyncHookHandler
  readonly events: ServiceEvents
}

/**
 * `POST /webhooks/sanity`: Sanity reports a change (https://www.sanity.io/docs/webhooks). The response does not wait until it
 * is known what changed, because Sanity sends the next delivery only after the response.
 */
export function sanityWebhookRoute(
  app: FastifyInstance,
  {webhookSecrets, onChange, systemClock, limit, events}: SanityWebhookRouteOptions,
): void {
  const admit = concurrencyLimit({
    ...AT_ONCE,
    clientOf: (request) => clientKey(request.ip),
    refuse: (reply) => rateLimited(reply, {endsAt: performance.now() + RETRY_AFTER}),
  })
  app.register(async (scope) => {
    // Read as text, because the signature covers the text.
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
            if (webhookSecrets.length === 0) throw new errors.WEBHOOK_OFF()
            // Before its body arrives.
            if (request.headers[SIGNATURE_HEADER_NAME] === undefined)
              throw new errors.WEBHOOK_UNSIGNED(`${SIGNATURE_HEADER_NAME} is missing`)
            admit(request, reply)
          },
        ],
      },
      async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : ''
        const signature = String(request.headers[SIGNATURE_HEADER_NAME])
        const [first, ...others] = webhookSecrets.map((secret) =>
          requireSignature(signature, body, secret, systemClock()),
        )
        await Promise.any([first, ...others]).catch(() => first)
        const document = jsonIn(body)
        const isUnpublished = isJsonObject(document) && UNPUBLISHED.test(String(document._id))
        if (!isUnpublished) onChange()
        events.emit('delivery', 'OK')
        return reply.header('cache-control', 'no-store').send({result: isUnpublished ? 'ignored' : 'asking'})
      },
    )
  })
  refuseOtherMethods(app, WEBHOOK_URL, ['POST', 'OPTIONS'])
}

/**
 * Requires that a secret signs a delivery now. The library's `isValidSignature` does not compare in constant time and does not
 * check the timestamp.
 * @param body as received: parsed and serialized JSON may differ.
 * @throws WEBHOOK_UNSIGNED, WEBHOOK_SIGNATURE_WRONG, WEBHOOK_EXPIRED
 */
async function requireSignature(header: string, body: string, secret: string, now: number): Promise<void> {
  try {
    const {timestamp, hashedPayload: signature} = decodeSignatureHeader(header)
    const expected = decodeSignatureHeader(await encodeSignatureHeader(body, timestamp, secret)).hashedPayload
    if (!isSameSecret(signature, expected)) throw new errors.WEBHOOK_SIGNATURE_WRONG()
    if (Math.abs(now - timestamp) > TOLERANCE) throw new errors.WEBHOOK_EXPIRED()
  } catch (error) {
    throw isSignatureError(error) ? new errors.WEBHOOK_UNSIGNED(error.message) : error
  }
}
