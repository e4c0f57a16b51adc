import {hash} from 'node:crypto'
import {setTimeout} from 'node:timers/promises'
import {encodeSignatureHeader, SIGNATURE_HEADER_NAME} from '@sanity/webhook'
import type {FastifyBaseLogger} from 'fastify'
import {type BackoffLimits, backoffDelay, parseRetryAfter} from '../../../common/backoff.ts'
import {errorMessage} from '../../../common/errorMessage.ts'
import type {Document} from '../../documents/document.ts'
import type {Applied} from '../../documents/store.ts'
import {changedSince} from './changedSince.ts'
import {Cursors} from './cursors.ts'

/** Timeout of one delivery in milliseconds. */
const TIMEOUT = 10_000

/** Delays between two attempts, in milliseconds. */
const BACKOFF: BackoffLimits = {first: 1_000, longest: 300_000}

export type OutgoingWebhooksParts = {
  /** The operator's addresses. Their paths may contain secrets: only their hosts are logged. */
  readonly urls: readonly string[]
  readonly secret: string
  readonly projectId: string
  readonly dataset: string
  readonly directory: string
  readonly gitDir: string
  /** The published document with an id. */
  readonly published: (id: string) => Document | undefined
  readonly all: () => Iterable<Document>
  /** The commit whose documents are served. */
  readonly head: () => string | undefined
  /** Whether this process is the one that writes: only that one delivers. */
  readonly mayDeliver: () => boolean
  readonly logger: FastifyBaseLogger
  readonly backoff?: BackoffLimits
}

/** A changed document that a webhook was not told of yet. */
type Pending = {
  readonly type: string
  /** Whether the webhook knows the document. */
  readonly wasThere: boolean
  /** Whether a failed delivery may have told it of the document all the same. */
  readonly isTried: boolean
  readonly transactionId: string
}

type Hook = {
  readonly url: string
  readonly host: string
  /** Identifies the webhook on disk, where its address is not stored. */
  readonly key: string
  readonly pending: Map<string, Pending>
  failures: number
  /** The delay that the last response asked for, in milliseconds; 0: none. */
  retryAfter: number
  isRunning: boolean
}

/**
 * Posts each change of a published document to the operator's webhooks, at least once, and for each document in
 * order. The queue of a webhook is a set of documents: while an address fails, several changes of a document
 * become one. Across restarts, Git's history is the queue: a webhook stores the commit up to which everything was
 * delivered.
 */
export class OutgoingWebhooks {
  readonly #parts: OutgoingWebhooksParts
  readonly #hooks: readonly Hook[]
  readonly #cursors: Cursors
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()
  /** The commit up to which changes were recorded. */
  #recorded: string | undefined
  #isStarted = false

  constructor(parts: OutgoingWebhooksParts) {
    this.#parts = parts
    this.#cursors = new Cursors(parts.gitDir)
    this.#hooks = [...new Set(parts.urls)].map((url) => ({
      url,
      host: new URL(url).host,
      key: hash('sha256', url).slice(0, 16),
      pending: new Map(),
      failures: 0,
      retryAfter: 0,
      isRunning: false,
    }))
  }

  /** The number of documents of which webhooks were not told yet. */
  get pending(): number {
    return this.#hooks.reduce((sum, {pending}) => sum + pending.size, 0)
  }

  /** The hosts of the webhooks whose last delivery failed. */
  get failing(): readonly string[] {
    return this.#hooks.filter(({failures}) => failures > 0).map(({host}) => host)
  }

  /** Queues what changed while no lake was running. Call it once, after the documents are loaded. */
  async start(): Promise<void> {
    this.#recorded = this.#parts.head()
    this.#isStarted = true
    if (this.#hooks.length === 0) return
    await this.#cursors.load()
    for (const hook of this.#hooks) {
      await this.#queueMissed(hook)
      this.#wake(hook)
    }
  }

  /** Queues the published documents of a transaction. Changes before {@link start} are the initial load. */
  record({id: transactionId, seen}: Applied): void {
    if (!this.#isStarted) return
    this.#recorded = this.#parts.head()
    if (seen.published.length === 0) return
    for (const hook of this.#hooks) {
      for (const {id, before, after} of seen.published) {
        const {wasThere, isTried} = hook.pending.get(id) ?? {wasThere: before !== undefined, isTried: false}
        // Moves to the end, so that deliveries stay in the order of the last changes.
        hook.pending.delete(id)
        hook.pending.set(id, {type: (after ?? before)?._type ?? '', wasThere, isTried, transactionId})
      }
      this.#wake(hook)
    }
  }

  /** Stops. What was not delivered is delivered after the next start. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#running)
  }

  async #queueMissed(hook: Hook): Promise<void> {
    const {directory, published, logger} = this.#parts
    const [from, to] = [this.#cursors.get(hook.key), this.#recorded]
    // A new webhook hears of changes from now on.
    if (to === undefined || from === undefined || from === to) return
    const exists = (id: string, type: string) => published(id)?._type === type
    try {
      for (const {id, type, isNew} of await changedSince(directory, from, to, exists))
        hook.pending.set(id, {type, wasThere: !isNew, isTried: false, transactionId: to})
    } catch (error) {
      logger.warn(
        {err: error, host: hook.host},
        'cannot compare with the last delivery: reporting every document',
      )
      for (const {_id, _type} of this.#parts.all())
        hook.pending.set(_id, {type: _type, wasThere: true, isTried: false, transactionId: to})
    }
  }

  #wake(hook: Hook): void {
    if (hook.isRunning || this.#stop.signal.aborted) return
    hook.isRunning = true
    const run = this.#deliverAll(hook)
      .catch((error: unknown) => {
        hook.isRunning = false
        if (!this.#stop.signal.aborted)
          this.#parts.logger.error({err: error, host: hook.host}, 'a webhook stopped until the next change')
      })
      .finally(() => this.#running.delete(run))
    this.#running.add(run)
  }

  /** Delivers until the queue is empty, and stores how far that was. */
  async #deliverAll(hook: Hook): Promise<void> {
    const {mayDeliver, published, backoff = BACKOFF, logger} = this.#parts
    const {signal} = this.#stop
    for (;;) {
      const [next] = hook.pending
      if (next !== undefined) {
        const [id, change] = next
        const document = published(id)
        const isDelivered = mayDeliver() && (await this.#deliver(hook, id, change, document))
        const later = hook.pending.get(id) ?? change
        if (isDelivered && later === change) hook.pending.delete(id)
        else if (isDelivered)
          hook.pending.set(id, {...later, wasThere: document !== undefined, isTried: false})
        else {
          hook.pending.set(id, {...later, isTried: true})
          const delay = backoffDelay(Math.max(hook.failures, 1), backoff)
          const asked = Math.min(hook.retryAfter, backoff.longest)
          await setTimeout(Math.max(delay, asked), undefined, {signal})
        }
        continue
      }
      if (this.#recorded !== undefined && this.#recorded !== this.#cursors.get(hook.key)) {
        await this.#cursors.set(hook.key, this.#recorded).catch((error: unknown) => {
          logger.warn(
            {err: error},
            'cannot store what webhooks were told: it is delivered again after a restart',
          )
        })
      }
      if (hook.pending.size > 0) continue
      hook.isRunning = false
      return
    }
  }

  /** Posts one change. Returns whether the address accepted it. */
  async #deliver(hook: Hook, id: string, change: Pending, now: Document | undefined): Promise<boolean> {
    const {projectId, dataset, secret, logger} = this.#parts
    if (now === undefined && !change.wasThere && !change.isTried) return true
    const operation = now === undefined ? 'delete' : change.wasThere ? 'update' : 'create'
    const body = JSON.stringify(
      now === undefined
        ? {_id: id, _type: change.type}
        : {_id: id, _type: now._type, _rev: now._rev, _createdAt: now._createdAt, _updatedAt: now._updatedAt},
    )
    try {
      const response = await fetch(hook.url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Handrail',
          'idempotency-key': `${change.transactionId}-${id}`,
          'sanity-project-id': projectId,
          'sanity-dataset': dataset,
          'sanity-document-id': id,
          'sanity-operation': operation,
          'sanity-transaction-id': change.transactionId,
          'sanity-transaction-time': new Date().toISOString(),
          [SIGNATURE_HEADER_NAME]: await encodeSignatureHeader(body, Date.now(), secret),
        },
        // Only the operator decides where requests are sent.
        redirect: 'manual',
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(TIMEOUT)]),
      })
      await response.body?.cancel()
      hook.retryAfter = parseRetryAfter(response.headers.get('retry-after')) ?? 0
      if (!response.ok) throw new Error(`the response was ${response.status}`)
    } catch (error) {
      if (this.#stop.signal.aborted) throw error
      hook.failures += 1
      if (hook.failures === 1)
        logger.warn({host: hook.host, reason: errorMessage(error)}, 'a webhook failed and is retried')
      return false
    }
    if (hook.failures > 0) logger.info({host: hook.host}, 'a webhook works again')
    hook.failures = 0
    return true
  }
}
