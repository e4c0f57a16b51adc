import {hash} from 'node:crypto'
import {setTimeout} from 'node:timers/promises'
import {encodeSignatureHeader, SIGNATURE_HEADER_NAME} from '@sanity/webhook'
import type {FastifyBaseLogger} from 'fastify'
import {type BackoffLimits, backoffDelay} from '../../common/backoff.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import type {HookAddress, HookKind} from '../settings.ts'

/** Timeout of one delivery in milliseconds. */
const TIMEOUT = 10_000

/** Delays between two attempts, in milliseconds. */
const BACKOFF: BackoffLimits = {first: 1_000, longest: 300_000}

export type HookOptions = {
  /** The first one signs; the others are for a receiver that does not have it yet. */
  readonly secrets: readonly string[]
  readonly projectId: string
  readonly dataset: string
  readonly logger: FastifyBaseLogger
  readonly backoff?: BackoffLimits | undefined
}

/** What is posted. */
export type Delivery = {
  readonly id: string
  readonly operation: 'create' | 'update' | 'delete'
  readonly transactionId: string
  readonly body: object
}

/** One of the operator's addresses. Its path may contain a secret: only its host is logged. */
export class Hook {
  readonly host: string
  /** Identifies the webhook on disk, where its address is not stored. */
  readonly key: string
  readonly kinds: readonly HookKind[]
  readonly #url: string
  readonly #options: HookOptions
  #failures = 0

  constructor({url, kinds}: HookAddress, options: HookOptions) {
    this.#url = url
    this.kinds = kinds
    this.#options = options
    this.host = new URL(url).host
    this.key = hash('sha256', url).slice(0, 16)
  }

  /** Whether the last delivery failed. */
  get isFailing(): boolean {
    return this.#failures > 0
  }

  /** Posts a change. Returns whether the address accepted it. @throws the reason of `stop` */
  async post(delivery: Delivery, stop: AbortSignal): Promise<boolean> {
    const {secrets, logger} = this.#options
    const [secret = '', ...earlier] = secrets
    try {
      let response = await this.#send(delivery, secret, stop)
      for (const other of earlier)
        if (response.status === 401 || response.status === 403)
          response = await this.#send(delivery, other, stop)
      if (!response.ok) throw new Error(`the response was ${response.status}`)
    } catch (error) {
      if (stop.aborted) throw error
      this.#failures += 1
      if (this.#failures === 1)
        logger.warn({host: this.host, reason: errorMessage(error)}, 'a webhook failed and is retried')
      return false
    }
    if (this.#failures > 0) logger.info({host: this.host}, 'a webhook works again')
    this.#failures = 0
    return true
  }

  async #send(
    {id, operation, transactionId, body}: Delivery,
    secret: string,
    stop: AbortSignal,
  ): Promise<Response> {
    const {projectId, dataset} = this.#options
    const text = JSON.stringify(body)
    const response = await fetch(this.#url, {
      method: 'POST',
      body: text,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Handrail',
        'idempotency-key': `${transactionId}-${id}`,
        'sanity-project-id': projectId,
        'sanity-dataset': dataset,
        'sanity-document-id': id,
        'sanity-operation': operation,
        'sanity-transaction-id': transactionId,
        'sanity-transaction-time': new Date().toISOString(),
        [SIGNATURE_HEADER_NAME]: await encodeSignatureHeader(text, Date.now(), secret),
      },
      // Only the operator decides where requests are sent.
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT)]),
    })
    await response.body?.cancel()
    return response
  }

  /** Waits until the next attempt is due. @throws the reason of `stop` */
  async pause(stop: AbortSignal): Promise<void> {
    const {backoff = BACKOFF} = this.#options
    await setTimeout(backoffDelay(Math.max(this.#failures, 1), backoff), undefined, {signal: stop})
  }
}
