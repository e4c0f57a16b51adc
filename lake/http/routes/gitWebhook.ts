import type {IncomingHttpHeaders} from 'node:http'
import type {FastifyInstance, FastifyRequest, RouteShorthandOptions} from 'fastify'
import {isJsonObject, jsonIn} from '../../../common/json.ts'
import {beforeTimeout} from '../../../common/timeout.ts'
import type {Pulled} from '../../start/openRemote.ts'
import {refusal} from '../../webhooks/refusals.ts'
import {isSigned, requireSignature} from '../../webhooks/signature.ts'

const URL = '/webhooks/git'

/**
 * Maximum size of a delivery. Git hosts list the files of each commit, so a lower limit would refuse exactly
 * the largest pushes.
 */
const MAX_BODY_BYTES = 5 * 1024 * 1024

/** Maximum deliveries from one address within {@link LIMIT_WINDOW} milliseconds. */
const MAX_DELIVERIES = 120
const LIMIT_WINDOW = 60_000

/** Git hosts time out after ten seconds. */
const MAX_WAIT = 3_000

type GitWebhookOptions = {
  /** The secrets one of which signs a delivery; none: all deliveries are refused. */
  readonly secrets: readonly string[]
  /** Whether there is a remote to pull from. */
  readonly hasRemote: boolean
  /** The full name of the branch that is served; undefined if HEAD is detached. */
  branch(): Promise<string | undefined>
  /** Milliseconds after which the response no longer waits for the pull. Default: {@link MAX_WAIT}. */
  readonly maxWait?: number | undefined
  /** Pulls. Concurrent calls share one pull. */
  pull(): Promise<Pulled>
}

/**
 * `POST /webhooks/git`: a Git host reports a push, and the lake pulls it and serves it.
 *
 * The route ignores sessions, tokens, `Host` and `Origin`: only the signature counts. A repeated delivery
 * pulls again, which changes nothing.
 */
export function gitWebhookRoute(app: FastifyInstance, options: GitWebhookOptions): void {
  const {secrets, hasRemote, branch, maxWait = MAX_WAIT, pull} = options
  if (secrets.length === 0) {
    const onRequest = async () => Promise.reject(refusal('WEBHOOK_OFF'))
    app.post(URL, {config: {access: 'open'}, onRequest}, () => {})
    return
  }
  app.register(async (scope) => {
    // The signature covers the raw bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', {parseAs: 'buffer'}, (_request, body, done) =>
      done(null, body),
    )
    scope.addContentTypeParser('*', (_request, _payload, done) => done(refusal('WEBHOOK_MEDIA_TYPE')))
    const rateLimit = {
      max: MAX_DELIVERIES,
      timeWindow: LIMIT_WINDOW,
      errorResponseBuilder: () => refusal('WEBHOOK_RATE_LIMITED'),
    }
    const onRequest = async (request: FastifyRequest) => {
      if (!isSigned(request.headers)) throw refusal('WEBHOOK_UNSIGNED')
    }
    const options: RouteShorthandOptions = {
      bodyLimit: MAX_BODY_BYTES,
      // The signature authenticates the request.
      config: {access: 'open', rateLimit},
      onRequest,
    }
    scope.post(URL, options, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      requireSignature(request.headers, body, secrets, Date.now())
      const delivery = parseDelivery(request.headers, body)
      if ('event' in delivery) return ignored(`"${delivery.event}" is not a push event: nothing to pull.`)
      if (!hasRemote) throw refusal('WEBHOOK_NO_REMOTE')
      const served = await branch()
      if (served === undefined) return ignored('HEAD of the content repository is detached.')
      if (delivery.pushedTo !== served) return ignored(`The lake serves the branch ${served}.`)

      const pulled = await beforeTimeout(maxWait, pull(), (error) =>
        request.log.error({err: error}, 'cannot serve the pulled commits yet'),
      )
      if (pulled === undefined) return reply.code(202).send({result: 'pulling'})
      if (pulled.result === 'pulled') request.log.info({commit: pulled.commit}, 'pulled after a webhook')
      return reply.code(pulled.result === 'failing' ? 202 : 200).send(pulled)
    })
  })
}

function ignored(reason: string): {readonly result: 'ignored'; readonly reason: string} {
  return {result: 'ignored', reason}
}

/** A Git host's event: a push to a branch or a tag (`refs/heads/main`), or the name of any other event. */
type Delivery = {readonly pushedTo: string} | {readonly event: string}

/** Maximum characters of an event's name to repeat in a response. */
const MAX_EVENT_NAME = 64

/**
 * Parses deliveries of GitHub, GitLab, Gitea and Forgejo. Only the name of the pushed ref is used: the
 * content is fetched from the remote that the operator has configured.
 * @throws HttpError 400
 */
function parseDelivery(headers: IncomingHttpHeaders, body: Buffer): Delivery {
  const payload = jsonIn(body.toString())
  if (!isJsonObject(payload)) throw refusal('WEBHOOK_NOT_UNDERSTOOD', 'The body is not a JSON object.')
  const event = headers['x-github-event'] ?? headers['x-gitlab-event'] ?? payload.object_kind
  if (typeof event !== 'string')
    throw refusal('WEBHOOK_NOT_UNDERSTOOD', 'X-GitHub-Event or X-Gitlab-Event is missing.')
  // GitLab's system hooks name the event only in the payload.
  const isPush = /^push( hook)?$/i.test(event) || payload.object_kind === 'push'
  if (!isPush) return {event: event.slice(0, MAX_EVENT_NAME)}
  const {ref} = payload
  if (typeof ref !== 'string' || !ref.startsWith('refs/'))
    throw refusal('WEBHOOK_NOT_UNDERSTOOD', 'A push needs a "ref" such as "refs/heads/main".')
  return {pushedTo: ref}
}
