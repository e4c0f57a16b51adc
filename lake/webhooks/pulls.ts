import {Mutex} from '../../common/mutex.ts'
import type {PushState} from '../../git/remote/status.ts'

/** The result of a pull. */
export type Pulled = {
  /** `conflict`: a person has to merge; `failing`: will be retried. */
  readonly result: 'pulled' | 'unchanged' | 'conflict' | 'failing'
  /** The commit that is served now. */
  readonly commit: string | null
  /** One line, without credentials. */
  readonly reason?: string
}

type PullOptions = {
  /** Fetches and merges what others have pushed. Never throws. */
  pull(): Promise<PushState>
  /** Serves what HEAD holds now. */
  refresh(): Promise<void>
  head(): string | undefined
}

/**
 * Pulls, one at a time. All requests that arrive during a pull share the next one, because their push may
 * have come too late for the current one.
 */
export class Pulls {
  readonly #options: PullOptions
  readonly #mutex = new Mutex()
  /** The pull that has not begun. */
  #next: Promise<Pulled> | undefined

  constructor(options: PullOptions) {
    this.#options = options
  }

  /**
   * Pulls. Resolves once the pulled content is served.
   * @throws if the content repository cannot be read
   */
  request(): Promise<Pulled> {
    this.#next ??= this.#mutex.run(() => {
      this.#next = undefined
      return this.#pull()
    })
    return this.#next
  }

  /** Waits for all pulls. */
  settled(): Promise<void> {
    return this.#mutex.idle()
  }

  async #pull(): Promise<Pulled> {
    const before = this.#options.head()
    const {state, lastError} = await this.#options.pull()
    await this.#options.refresh()
    const head = this.#options.head()
    const commit = head ?? null
    if ((state === 'conflict' || state === 'failing') && lastError !== undefined)
      return {result: state, commit, reason: lastError}
    return {result: head === before ? 'unchanged' : 'pulled', commit}
  }
}
