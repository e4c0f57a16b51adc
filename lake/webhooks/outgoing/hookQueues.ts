import {inBackground} from '../../../common/background.ts'
import type {State} from '../../../content/state/state.ts'
import {Hook, type HookOptions} from './hook.ts'

/** How long after a failure of its own the lake delivers again, in milliseconds. */
const RETRY = {first: 1_000, longest: 300_000}

/** What addresses are told of. */
type HookKind = 'changes' | 'reviews' | 'audit'

/** One of the operator's addresses, and what it was not told of yet. */
export type HookQueue<Pending> = {
  readonly hook: Hook
  readonly pending: Pending
  isRunning: boolean
}

export type HookQueuesOptions = HookOptions & {
  /** The operator's addresses. */
  readonly urls: readonly string[]
  /** Whether this process is the one that writes: only that one delivers. */
  readonly mayDeliver: () => boolean
  readonly state: State
}

/** The queues of several addresses, each of which is delivered in the background, independently of the others. */
export abstract class HookQueues<Pending extends {readonly size: number}> {
  readonly all: readonly HookQueue<Pending>[]
  readonly #options: HookQueuesOptions
  readonly #kind: HookKind
  /** Those that could not be stored: nothing is delivered again before a restart. */
  readonly #cursors = new Map<string, string>()
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()

  /** @param kind which cursors these are */
  constructor(options: HookQueuesOptions, kind: HookKind, empty: () => Pending) {
    this.#options = options
    this.#kind = kind
    this.all = [...new Set(options.urls)].map((url) => ({
      hook: new Hook(url, options),
      pending: empty(),
      isRunning: false,
    }))
  }

  /** Delivers what is pending, and stores how far that was. @throws the reason of `stop` */
  protected abstract deliver(queue: HookQueue<Pending>, stop: AbortSignal): Promise<void>

  /** How much is pending, over all addresses. */
  get pending(): number {
    return this.all.reduce((sum, {pending}) => sum + pending.size, 0)
  }

  /** The hosts of the addresses whose last delivery failed. */
  get failing(): readonly string[] {
    return this.all.filter(({hook}) => hook.isFailing).map(({hook}) => hook.host)
  }

  /** Up to where an address was told of everything; undefined for a new one. */
  cursorOf({key}: Hook): string | undefined {
    const {state} = this.#options
    // A lake with a damaged database tells of what changes from now on.
    if (this.#cursors.has(key) || state.damage !== undefined) return this.#cursors.get(key)
    const sql = 'SELECT cursor FROM webhook_cursor WHERE kind = ? AND hook = ?'
    const row = state.get(sql, this.#kind, key)
    return row && String(row.cursor)
  }

  /** Stores up to where an address was told of everything. */
  store({key}: Hook, cursor: string): void {
    const sql =
      'INSERT INTO webhook_cursor VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cursor = excluded.cursor'
    try {
      this.#options.state.run(sql, this.#kind, key, cursor)
      this.#cursors.delete(key)
    } catch (error) {
      this.#cursors.set(key, cursor)
      this.#options.logger.warn(
        {err: error},
        'cannot store what webhooks were told: it is delivered again after a restart',
      )
    }
  }

  /** Delivers in the background, unless that is happening already. */
  wake(queue: HookQueue<Pending>): void {
    if (queue.isRunning || this.#stop.signal.aborted) return
    queue.isRunning = true
    const {signal} = this.#stop
    const run = inBackground(() => this.#run(queue), {
      onFailure: (err) => {
        if (!signal.aborted)
          this.#options.logger.error({err, host: queue.hook.host}, 'a webhook failed, and is tried again')
      },
      retry: {...RETRY, signal},
    }).finally(() => this.#running.delete(run))
    this.#running.add(run)
  }

  /** Stops. What was not delivered is delivered after the next start. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#running)
  }

  async #run(queue: HookQueue<Pending>): Promise<void> {
    do await this.deliver(queue, this.#stop.signal)
    while (queue.pending.size > 0)
    queue.isRunning = false
  }
}
