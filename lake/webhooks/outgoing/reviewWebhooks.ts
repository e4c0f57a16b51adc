import type {Document} from '../../../content/document.ts'
import {draftId, isReviewId} from '../../../content/ids.ts'
import {labelOf} from '../../../content/label.ts'
import type {Applied} from '../../../content/store.ts'
import {releaseIn, titleOf} from '../../write/transaction/releases/release.ts'
import {type ReviewRequest, reviewIn} from '../../write/transaction/review/reviewRequest.ts'
import {type HookQueue, HookQueues, type HookQueuesOptions} from './hookQueues.ts'

type ReviewWebhooksOptions = HookQueuesOptions & {
  /** A document with an id, drafts and reviews included. */
  readonly get: (id: string) => Document | undefined
  readonly all: () => Iterable<Document>
}

/** The ids of the reviews that an address was not told of yet. */
type Pending = Set<string>

/**
 * Posts each request for a review to the operator's addresses for reviews, at least once: such as a chat, where
 * reviewers see it. Across restarts, the requests themselves are the queue: for each address, the time of the last
 * delivered one is stored. A review that is done before its delivery is not reported.
 */
export class ReviewWebhooks extends HookQueues<Pending> {
  readonly #options: ReviewWebhooksOptions
  #isStarted = false

  constructor(options: ReviewWebhooksOptions) {
    super(options, 'reviews', () => new Set())
    this.#options = options
  }

  /** Queues what was requested and not delivered before. Call it once, after the documents are loaded. */
  async start(): Promise<void> {
    this.#isStarted = true
    for (const queue of this.all) {
      const told = this.cursorOf(queue.hook)
      // A new address hears of requests from now on.
      if (told === undefined) this.store(queue.hook, new Date().toISOString())
      else
        for (const document of this.#options.all())
          if (isOpen(document) && document.at > told) queue.pending.add(document._id)
      this.wake(queue)
    }
  }

  /** Queues the requests of a transaction. Those before {@link start} are the initial load. */
  record({changes}: Applied): void {
    if (!this.#isStarted) return
    for (const {id, before, after} of changes) {
      if (!isReviewId(id) || !isOpen(after) || reviewIn(before)?.at === after.at) continue
      for (const queue of this.all) {
        queue.pending.add(id)
        this.wake(queue)
      }
    }
  }

  protected override async deliver({hook, pending}: HookQueue<Pending>, stop: AbortSignal): Promise<void> {
    const {get, mayDeliver} = this.#options
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
        if (mayDeliver() && (await hook.post(delivery, stop))) {
          if (document.at > (this.cursorOf(hook) ?? '')) this.store(hook, document.at)
          const later = get(id)
          if (isOpen(later) && later.at !== document.at) continue
          break
        }
        await hook.pause(stop)
      }
      pending.delete(id)
    }
  }

  /** `text` is what Slack, Mattermost and others show. */
  #bodyOf(review: Document & ReviewRequest) {
    const {get} = this.#options
    const {_id, _type, _rev, document: id, site: siteId, by, at, comments, comparePage} = review
    const {action} = reviewIn(review) ?? review
    const subject = get(draftId(id)) ?? get(id)
    const site = siteId === null ? undefined : get(siteId)
    const release = releaseIn(subject)
    const name = release !== undefined ? titleOf(release) : subject === undefined ? id : labelOf(subject)
    const kind = release !== undefined ? 'release' : (subject?._type ?? 'document')
    const where = site === undefined || site._id === id ? '' : ` of ${labelOf(site)}`
    const comment = comments.at(-1)?.text
    return {
      text: `${by.name} requests a review to ${action} ${kind} “${name}”${where}`,
      _id,
      _type,
      _rev,
      document: {_id: id, _type: subject?._type, name},
      ...(site !== undefined && {site: {_id: site._id, name: labelOf(site)}}),
      action,
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
