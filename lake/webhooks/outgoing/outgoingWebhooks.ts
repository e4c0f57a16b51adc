import type {Document} from '../../../content/document.ts'
import type {Applied} from '../../../content/store.ts'
import {changedSince} from './changedSince.ts'
import type {Hook} from './hook.ts'
import {type HookQueue, HookQueues, type HookQueuesOptions} from './hookQueues.ts'

type OutgoingWebhooksOptions = HookQueuesOptions & {
  readonly directory: string
  /** The published document with an id. */
  readonly published: (id: string) => Document | undefined
  readonly all: () => Iterable<Document>
  /** The commit whose documents are served. */
  readonly head: () => string | undefined
}

/** A changed document that a webhook was not told of yet. */
type Pending = {
  readonly type: string
  /** Whether the webhook knows the document. */
  readonly wasThere: boolean
  readonly transactionId: string
}

/** By the id of the document. */
type Queue = HookQueue<Map<string, Pending>>

/**
 * Posts each change of a published document to the operator's webhooks, at least once, and for each document in
 * order. The queue of a webhook is a set of documents: while an address fails, several changes of a document
 * become one. Across restarts, Git's history is the queue: a webhook stores the commit up to which everything was
 * delivered.
 */
export class OutgoingWebhooks extends HookQueues<Map<string, Pending>> {
  readonly #options: OutgoingWebhooksOptions
  /** The commit up to which changes were recorded. */
  #recorded: string | undefined
  #isStarted = false

  constructor(options: OutgoingWebhooksOptions) {
    super(options, 'changes', () => new Map())
    this.#options = options
  }

  /** Queues what changed while no lake was running. Call it once, after the documents are loaded. */
  async start(): Promise<void> {
    this.#recorded = this.#options.head()
    this.#isStarted = true
    for (const queue of this.all) {
      await this.#queueMissed(queue)
      this.wake(queue)
    }
  }

  /** Queues the published documents of a transaction. Changes before {@link start} are the initial load. */
  record({id: transactionId, seen}: Applied): void {
    if (!this.#isStarted) return
    this.#recorded = this.#options.head()
    if (seen.published.length === 0) return
    for (const queue of this.all) {
      for (const {id, before, after} of seen.published) {
        const wasThere = queue.pending.get(id)?.wasThere ?? before !== undefined
        // Moves to the end, so that deliveries stay in the order of the last changes.
        queue.pending.delete(id)
        queue.pending.set(id, {type: (after ?? before)?._type ?? '', wasThere, transactionId})
      }
      this.wake(queue)
    }
  }

  async #queueMissed({hook, pending}: Queue): Promise<void> {
    const {directory, published, logger} = this.#options
    const [from, to] = [this.cursorOf(hook), this.#recorded]
    // A new webhook hears of changes from now on.
    if (to === undefined || from === undefined || from === to) return
    const exists = (id: string, type: string) => published(id)?._type === type
    try {
      for (const {id, type, isNew} of await changedSince(directory, from, to, exists))
        pending.set(id, {type, wasThere: !isNew, transactionId: to})
    } catch (error) {
      logger.warn(
        {err: error, host: hook.host},
        'cannot compare with the last delivery: reporting every document',
      )
      for (const {_id, _type} of this.#options.all())
        pending.set(_id, {type: _type, wasThere: true, transactionId: to})
    }
  }

  /** Delivers until the queue is empty, and stores how far that was. */
  protected override async deliver({hook, pending}: Queue, stop: AbortSignal): Promise<void> {
    const {mayDeliver, published} = this.#options
    for (let [next] = pending; next !== undefined; [next] = pending) {
      const [id, change] = next
      const document = published(id)
      const isDelivered = mayDeliver() && (await this.#deliver(hook, id, change, document, stop))
      const later = pending.get(id) ?? change
      if (isDelivered && later === change) pending.delete(id)
      else if (isDelivered) pending.set(id, {...later, wasThere: document !== undefined})
      else await hook.pause(stop)
    }
    if (this.#recorded !== undefined && this.#recorded !== this.cursorOf(hook))
      this.store(hook, this.#recorded)
  }

  /** Posts one change. Returns whether the address accepted it. */
  #deliver(
    hook: Hook,
    id: string,
    change: Pending,
    now: Document | undefined,
    stop: AbortSignal,
  ): Promise<boolean> {
    const {type, wasThere, transactionId} = change
    const operation = now === undefined ? 'delete' : wasThere ? 'update' : 'create'
    const body =
      now === undefined
        ? {_id: id, _type: type}
        : {_id: id, _type: now._type, _rev: now._rev, _createdAt: now._createdAt, _updatedAt: now._updatedAt}
    return hook.post({id, operation, transactionId, body}, stop)
  }
}
