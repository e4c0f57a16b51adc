import {inBackground} from '../../common/background.ts'
import type {State} from '../../content/state/state.ts'
import type {HookAddress, HookKind} from '../settings.ts'
import {type Delivery, Hook, type HookOptions} from './hook.ts'

/** How long after a failure of its own the lake delivers again, in milliseconds. */
const RETRY = {first: 1_000, longest: 300_000}

/** Milliseconds between two looks for what other processes, such as commands, did. */
const LOOK_EVERY = 5_000

/** What happened after a cursor, in order. `cursor` is the one after it. */
type Batch = {
  readonly cursor: string
  /** Each is made when it is sent; undefined if there is nothing to tell any more. */
  readonly deliveries: readonly (() => Delivery | undefined)[]
}

/** Something that addresses are told of. It keeps what happened anyway, and so is the queue. */
export type HookSource = {
  readonly kind: HookKind
  /** Where a new address begins; undefined if nothing is loaded. */
  now(): string | undefined
  since(cursor: string): Batch | Promise<Batch>
}

type DelivererOptions = HookOptions & {
  readonly addresses: readonly HookAddress[]
  readonly sources: readonly HookSource[]
  readonly state: State
  readonly lookEvery?: number | undefined
}

type Line = {
  readonly hook: Hook
  readonly source: HookSource
  pending: number
  isRunning: boolean
  isDue: boolean
}

/**
 * Tells the operator's addresses of what happened, in order and at least once, each independently of the others. For each
 * address and kind, the database has the cursor up to where everything was accepted.
 */
export class Deliverer {
  readonly #options: DelivererOptions
  readonly #hooks: readonly Hook[]
  readonly #lines: readonly Line[]
  /** Those that could not be stored: nothing is delivered again before a restart. */
  readonly #cursors = new Map<string, string>()
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: DelivererOptions) {
    this.#options = options
    this.#hooks = options.addresses.map((address) => new Hook(address, options))
    this.#lines = this.#hooks.flatMap((hook) =>
      options.sources
        .filter(({kind}) => hook.kinds.includes(kind))
        .map((source) => ({hook, source, pending: 0, isRunning: false, isDue: false})),
    )
  }

  /** What is known to be pending, over all addresses. */
  get pending(): number {
    return this.#lines.reduce((sum, {pending}) => sum + pending, 0)
  }

  /** The hosts of the addresses whose last delivery failed. */
  get failing(): readonly string[] {
    return this.#hooks.filter(({isFailing}) => isFailing).map(({host}) => host)
  }

  /** Delivers what happened while no lake was running, and from now on. Call it once, after the documents are loaded. */
  start(): void {
    if (this.#lines.length === 0) return
    for (const line of this.#lines) {
      const now = this.#cursorOf(line) === undefined ? line.source.now() : undefined
      if (now !== undefined) this.#store(line, now)
    }
    this.#timer = setInterval(() => this.wake(), this.#options.lookEvery ?? LOOK_EVERY)
    this.wake()
  }

  /** Delivers what happened, in the background. Before {@link start}, nothing has. */
  wake(): void {
    if (this.#timer === undefined || this.#stop.signal.aborted) return
    for (const line of this.#lines) {
      line.isDue = true
      if (line.isRunning) continue
      line.isRunning = true
      const {signal} = this.#stop
      const run = inBackground(() => this.#run(line), {
        onFailure: (err) => {
          if (!signal.aborted)
            this.#options.logger.error({err, host: line.hook.host}, 'a webhook failed, and is tried again')
        },
        retry: {...RETRY, signal},
      }).finally(() => {
        line.isRunning = false
        this.#running.delete(run)
      })
      this.#running.add(run)
    }
  }

  /** Stops. What was not delivered is delivered after the next start. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stop.abort()
    await Promise.all(this.#running)
  }

  async #run(line: Line): Promise<void> {
    const {hook, source} = line
    const {signal} = this.#stop
    for (;;) {
      line.isDue = false
      const from = this.#cursorOf(line) ?? source.now()
      if (from === undefined) return
      const {cursor, deliveries} = await source.since(from)
      line.pending = deliveries.length
      for (const make of deliveries) {
        for (;;) {
          const delivery = make()
          if (delivery === undefined) break
          const body = {kind: source.kind, ...delivery.body}
          if (await hook.post({...delivery, body}, signal)) break
          await hook.pause(signal)
        }
        // The last one is pending until it is stored.
        line.pending = Math.max(1, line.pending - 1)
      }
      if (cursor !== this.#cursorOf(line)) this.#store(line, cursor)
      line.pending = 0
      if (deliveries.length === 0 && !line.isDue) return
    }
  }

  /** Up to where an address was told of everything; undefined for a new one. */
  #cursorOf({hook, source}: Line): string | undefined {
    const stored = this.#cursors.get(`${source.kind} ${hook.key}`)
    if (stored !== undefined) return stored
    const sql = 'SELECT cursor FROM webhook_cursor WHERE kind = ? AND hook = ?'
    const row = this.#options.state.get(sql, source.kind, hook.key)
    return row && String(row.cursor)
  }

  #store({hook, source}: Line, cursor: string): void {
    const sql =
      'INSERT INTO webhook_cursor VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cursor = excluded.cursor'
    const key = `${source.kind} ${hook.key}`
    try {
      this.#options.state.run(sql, source.kind, hook.key, cursor)
      this.#cursors.delete(key)
    } catch (error) {
      this.#cursors.set(key, cursor)
      this.#options.logger.warn(
        {err: error},
        'cannot store what webhooks were told: it is delivered again after a restart',
      )
    }
  }
}
