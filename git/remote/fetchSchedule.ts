import {backoffDelay, wait} from '../../common/backoff.ts'

type FetchScheduleOptions = {
  /** Longest delay between two fetches while the remote works, in milliseconds; the shortest is half of it. */
  readonly every: number
  /** Fetches and merges. Returns whether the remote responded. */
  readonly pull: () => Promise<boolean>
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Longest delay while the remote does not respond, in milliseconds, unless `every` is longer. */
const LONGEST = 3_600_000

/** Fetches from the remote at intervals, one fetch at a time, for remotes that send no webhook. */
export class FetchSchedule {
  readonly #options: FetchScheduleOptions
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(options: FetchScheduleOptions) {
    this.#options = options
  }

  /** Call it once. */
  start(): void {
    this.#running = this.#run()
  }

  /** Waits for a running fetch. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const {every, pull, wait: pause = wait} = this.#options
    const {signal} = this.#stop
    for (let failures = 0; ; ) {
      await pause(backoffDelay(failures + 1, {first: every, longest: Math.max(every, LONGEST)}), signal)
      if (signal.aborted) return
      failures = (await pull().catch(() => false)) ? 0 : failures + 1
    }
  }
}
