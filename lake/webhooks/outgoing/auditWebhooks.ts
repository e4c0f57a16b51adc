import {isJsonObject} from '../../../common/json.ts'
import type {AuditLog} from '../../audit/auditLog.ts'
import {type HookQueue, HookQueues, type HookQueuesOptions} from './hookQueues.ts'

/** Maximum events of one delivery. */
const MAX_EVENTS = 100

/** Milliseconds between two looks at the log, to which commands write, too. */
const LOOK_EVERY = 5_000

type AuditWebhooksOptions = HookQueuesOptions & {
  readonly audit: Pick<AuditLog, 'find' | 'lines'>
  /** See `LOOK_EVERY`. */
  readonly lookEvery?: number
}

/** How many events the next delivery has. */
type Pending = {size: number}

/**
 * Posts the events of the audit log to the operator's addresses, in order and at least once. The log is the queue: for each address,
 * the ID of the last event that it accepted is stored. Events that the log deleted meanwhile are not posted.
 */
export class AuditWebhooks extends HookQueues<Pending> {
  readonly #options: AuditWebhooksOptions
  #timer: NodeJS.Timeout | undefined

  constructor(options: AuditWebhooksOptions) {
    super(options, 'audit', () => ({size: 0}))
    this.#options = options
  }

  /** Begins to deliver. A new address gets what happens from now on. */
  async start(): Promise<void> {
    const {audit, state, lookEvery = LOOK_EVERY} = this.#options
    if (this.all.length === 0 || state.damage !== undefined) return
    for (const {hook} of this.all)
      if (this.cursorOf(hook) === undefined) this.store(hook, audit.find({limit: 1}).events[0]?.id ?? '')
    const look = () => {
      if (state.damage === undefined) for (const queue of this.all) this.wake(queue)
    }
    this.#timer = setInterval(look, lookEvery)
    look()
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer)
    await super.close()
  }

  protected override async deliver({hook, pending}: HookQueue<Pending>, stop: AbortSignal): Promise<void> {
    const {audit, mayDeliver} = this.#options
    for (;;) {
      const events = audit
        .lines(this.cursorOf(hook), MAX_EVENTS)
        .map((line): unknown => JSON.parse(line))
        .filter(isJsonObject)
      pending.size = events.length
      const id = events.at(-1)?.id
      if (typeof id !== 'string') return
      const delivery = {id, operation: 'create', transactionId: id, body: {events}} as const
      if (mayDeliver() && (await hook.post(delivery, stop))) this.store(hook, id)
      else await hook.pause(stop)
    }
  }
}
