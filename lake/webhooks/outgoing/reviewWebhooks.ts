import type {Document} from '../../documents/document.ts'
import {draftId} from '../../documents/ids.ts'
import {labelOf} from '../../documents/label.ts'
import type {Applied} from '../../documents/store.ts'
import {isReviewId, type ReviewRequest, reviewIn} from '../../write/transaction/review/reviewRequest.ts'
import {Cursors} from './cursors.ts'
import {Hook, type HookParts} from './hook.ts'

export type ReviewWebhooksParts = HookParts & {
  /** The operator's addresses for reviews. */
  readonly urls: readonly string[]
  readonly gitDir: string
  /** A document with an id, drafts and reviews included. */
  readonly get: (id: string) => Document | undefined
  readonly all: () => Iterable<Document>
  /** Whether this process is the one that writes: only that one delivers. */
  readonly mayDeliver: () => boolean
}

type Queue = {
  readonly hook: Hook
  /** The ids of the reviews that the address was not told of yet. */
  readonly pending: Set<string>
  isRunning: boolean
}

/** When the last review was requested of which a webhook was told, as ISO 8601. */
const CURSOR = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/**
 * Posts each request for a review to the operator's addresses for reviews, at least once: such as a chat, where
 * reviewers see it. Across restarts, the requests themselves are the queue: for each address, the time of the last
 * delivered one is stored. A review that is done before its delivery is not reported.
 */
export class ReviewWebhooks {
  readonly #parts: ReviewWebhooksParts
  readonly #queues: readonly Queue[]
  readonly #cursors: Cursors
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #isStarted = false

  constructor(parts: ReviewWebhooksParts) {
    this.#parts = parts
    this.#cursors = new Cursors(parts.gitDir, {file: 'reviewWebhooks.json', pattern: CURSOR})
    this.#queues = [...new Set(parts.urls)].map((url) => ({
      hook: new Hook(url, parts),
      pending: new Set(),
      isRunning: false,
    }))
  }

  /** The number of reviews of which addresses were not told yet. */
  get pending(): number {
    return this.#queues.reduce((sum, {pending}) => sum + pending.size, 0)
  }

  /** The hosts of the addresses whose last delivery failed. */
  get failing(): readonly string[] {
    return this.#queues.filter(({hook}) => hook.isFailing).map(({hook}) => hook.host)
  }

  /** Queues what was requested and not delivered before. Call it once, after the documents are loaded. */
  async start(): Promise<void> {
    this.#isStarted = true
    if (this.#queues.length === 0) return
    await this.#cursors.load()
    for (const queue of this.#queues) {
      const told = this.#cursors.get(queue.hook.key)
      // A new address hears of requests from now on.
      if (told === undefined) await this.#store(queue.hook, new Date().toISOString())
      else
        for (const document of this.#parts.all())
          if (isOpen(document) && document.at > told) queue.pending.add(document._id)
      this.#wake(queue)
    }
  }

  /** Queues the requests of a transaction. Those before {@link start} are the initial load. */
  record({changes}: Applied): void {
    if (!this.#isStarted) return
    for (const {id, before, after} of changes) {
      if (!isReviewId(id) || !isOpen(after) || reviewIn(before)?.at === after.at) continue
      for (const queue of this.#queues) {
        queue.pending.add(id)
        this.#wake(queue)
      }
    }
  }

  /** Stops. What was not delivered is delivered after the next start. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#running)
  }

  #wake(queue: Queue): void {
    if (queue.isRunning || queue.pending.size === 0 || this.#stop.signal.aborted) return
    queue.isRunning = true
    const run = this.#deliverAll(queue)
      .catch((error: unknown) => {
        queue.isRunning = false
        if (!this.#stop.signal.aborted)
          this.#parts.logger.error(
            {err: error, host: queue.hook.host},
            'a webhook stopped until the next review',
          )
      })
      .finally(() => this.#running.delete(run))
    this.#running.add(run)
  }

  async #deliverAll(queue: Queue): Promise<void> {
    const {get, mayDeliver} = this.#parts
    const {hook, pending} = queue
    // Iterating over a set includes what is added in the meantime.
    for (const id of pending) {
      for (;;) {
        const document = get(id)
        if (!isOpen(document)) break
        const delivery = {
          id,
          operation: 'create',
          transactionId: document._rev,
          body: this.#bodyOf(document),
        } as const
        if (mayDeliver() && (await hook.post(delivery, this.#stop.signal))) {
          await this.#store(hook, document.at)
          const later = get(id)
          if (isOpen(later) && later.at !== document.at) continue
          break
        }
        await hook.pause(this.#stop.signal)
      }
      pending.delete(id)
    }
    queue.isRunning = false
  }

  async #store(hook: Hook, at: string): Promise<void> {
    const told = this.#cursors.get(hook.key) ?? ''
    if (at <= told) return
    await this.#cursors.set(hook.key, at).catch((error: unknown) => {
      this.#parts.logger.warn(
        {err: error},
        'cannot store what webhooks were told: it is delivered again after a restart',
      )
    })
  }

  /** `text` is what Slack, Mattermost and others show. */
  #bodyOf(review: Document & ReviewRequest) {
    const {get} = this.#parts
    const {_id, _type, _rev, document: id, site: siteId, deed, by, at, comments, comparePage} = review
    const subject = get(draftId(id)) ?? get(id)
    const site = siteId === null ? undefined : get(siteId)
    const name = subject === undefined ? id : labelOf(subject)
    const where = site === undefined || site._id === id ? '' : ` of ${labelOf(site)}`
    const comment = comments.at(-1)?.text
    return {
      text: `${by.name} requests a review to ${deed} ${subject?._type ?? 'document'} “${name}”${where}`,
      _id,
      _type,
      _rev,
      document: {_id: id, _type: subject?._type, name},
      ...(site !== undefined && {site: {_id: site._id, name: labelOf(site)}}),
      deed,
      by: {id: by.id, name: by.name},
      at,
      ...(comment !== undefined && {comment}),
      ...(comparePage !== undefined && {comparePage}),
    }
  }
}

function isOpen(document: Document | undefined): document is Document & ReviewRequest {
  const review = reviewIn(document)
  return review !== undefined && review.state === 'open'
}
