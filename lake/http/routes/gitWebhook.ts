import {STATUS_CODES} from 'node:http'
import type {FastifyInstance, FastifyRequest} from 'fastify'
import {pathParam} from '../../../common/http/pathParam.ts'
import {isSameSecret} from '../../../common/secret.ts'
import {beforeTimeout} from '../../../common/timeout.ts'
import {HttpError} from '../../errors.ts'
import type {Pulled} from '../../start/openRemote.ts'

/** Maximum deliveries from one address within {@link LIMIT_WINDOW} milliseconds. */
const MAX_DELIVERIES = 120
const LIMIT_WINDOW = 60_000

/** Git hosts time out after ten seconds. */
const MAX_WAIT = 3_000

type GitWebhookOptions = {
  /** The secrets one of which ends the address of a delivery; none: all deliveries are refused. */
  readonly secrets: readonly string[]
  /** Whether there is a remote to pull from. */
  readonly hasRemote: boolean
  /** Milliseconds after which the response no longer waits for the pull. Default: {@link MAX_WAIT}. */
  readonly maxWait?: number | undefined
  /** Pulls. Concurrent calls share one pull. */
  pull(): Promise<Pulled>
}

/**
 * `POST /webhooks/git/SECRET`: a Git host reports something, and the lake pulls and serves what is new. A delivery is a hint: what
 * it says is not read, and one without news changes nothing.
 *
 * The route ignores sessions, tokens, `Host` and `Origin`: only the secret counts.
 */
export function gitWebhookRoute(app: FastifyInstance, options: GitWebhookOptions): void {
  const {secrets, hasRemote, maxWait = MAX_WAIT, pull} = options
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume()
      done(null)
    })
    const rateLimit = {
      max: MAX_DELIVERIES,
      timeWindow: LIMIT_WINDOW,
      errorResponseBuilder: () => refusal('WEBHOOK_RATE_LIMITED'),
    }
    // After the limit, which counts guesses, too.
    const preValidation = async (request: FastifyRequest) => {
      if (secrets.length === 0) throw refusal('WEBHOOK_OFF')
      const given = pathParam(request, 'secret')
      if (!secrets.some((secret) => isSameSecret(given, secret))) throw refusal('WEBHOOK_SECRET_WRONG')
      if (!hasRemote) throw refusal('WEBHOOK_NO_REMOTE')
    }
    scope.post(
      '/webhooks/git/:secret',
      {config: {access: 'open', rateLimit}, preValidation},
      async (request, reply) => {
        const pulled = await beforeTimeout(maxWait, pull(), (error) =>
          request.log.error({err: error}, 'cannot serve the pulled commits yet'),
        )
        if (pulled === undefined) return reply.code(202).send({result: 'pulling'})
        if (pulled.result === 'pulled') request.log.info({commit: pulled.commit}, 'pulled after a webhook')
        return reply.code(pulled.result === 'failing' ? 202 : 200).send(pulled)
      },
    )
  })
}

/**
 * Every error response to a webhook delivery: its status, and the message that the sender's delivery log
 * shows to the person who configured it. docs/errors.md mirrors this list, and a test compares the two.
 */
export const REFUSALS = {
  WEBHOOK_OFF: [404, 'This lake accepts no webhooks: GIT_WEBHOOK_SECRET is not set.'],
  WEBHOOK_SECRET_WRONG: [401, 'The address does not end with GIT_WEBHOOK_SECRET.'],
  WEBHOOK_NO_REMOTE: [409, 'GIT_REMOTE is not set: there is no remote to pull from.'],
  WEBHOOK_RATE_LIMITED: [429, 'Too many deliveries from one address.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

function refusal(errorCode: keyof typeof REFUSALS): HttpError {
  const [statusCode, message] = REFUSALS[errorCode]
  return new HttpError(statusCode, message, {
    statusCode,
    error: STATUS_CODES[statusCode],
    errorCode,
    message,
  })
}
