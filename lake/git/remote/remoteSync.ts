import type {FastifyBaseLogger} from 'fastify'
import {backoffDelay, wait} from '../../../common/backoff.ts'
import {errorMessage} from '../../../common/errorMessage.ts'
import {Mutex} from '../../../common/mutex.ts'
import {readBranch} from '../branch.ts'
import {HeadMovedError} from '../errors.ts'
import {readHead} from '../read/lsTree.ts'
import {ConflictError, countAhead, type JoinParts, joinHistories} from './merge.ts'
import {withoutCredentials} from './redact.ts'
import {Remote, RemoteError} from './remote.ts'
import type {PushState} from './status.ts'

export type {PushState}

export type RemoteSyncParts = JoinParts & {
  /** A remote's name in the configuration, or an address; undefined: nothing is pushed. */
  readonly remote: string | undefined
  readonly logger: FastifyBaseLogger
  /** Timeout of one request to the remote, in milliseconds. */
  readonly timeout?: number
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number
  /** Back-off in milliseconds after this many consecutive failures. */
  readonly pause?: (failures: number) => number
}

/** The back-off after consecutive failures, in milliseconds. */
const BACKOFF = {first: 1_000, longest: 60_000}
const pauseAfter = (failures: number) => backoffDelay(failures, BACKOFF)

/** Maximum rounds in which the remote or HEAD moves during the work, before that counts as a failure. */
const MAX_ROUNDS = 5

/**
 * Pushes HEAD to a branch of the remote in the background: one push at a time, always the newest state, with
 * retries, never by force. Merges commits of others if there is no conflict.
 */
export class RemoteSync {
  readonly #parts: RemoteSyncParts
  readonly #remote: Remote | undefined
  readonly #stop = new AbortController()
  /** Aborted when this closes: ends the wait for the next attempt. */
  readonly #closing = new AbortController()
  readonly #pause: (failures: number) => number
  #state: PushState
  #failures = 0
  #wanted = false
  #running: Promise<void> | undefined
  readonly #mutex = new Mutex()
  /** The last known commit of the remote's branch. */
  #theirs: string | undefined

  constructor(parts: RemoteSyncParts) {
    const {folder, remote, timeout = 60_000, now = () => performance.now(), pause = pauseAfter} = parts
    this.#parts = parts
    this.#pause = pause
    this.#remote =
      remote === undefined ? undefined : new Remote(folder, remote, {timeout, now, signal: this.#stop.signal})
    this.#state = {state: remote === undefined ? 'off' : 'pending', since: new Date().toISOString()}
  }

  get state(): PushState {
    return this.#state
  }

  /**
   * Call it after a publication and at the start: pushes soon what the remote does not have. Never throws.
   */
  published(): void {
    if (this.#remote === undefined || this.#closing.signal.aborted) return
    this.#wanted = true
    if (this.#state.state === 'ok') this.#enter({state: 'pending'})
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#wanted) this.published()
    })
  }

  /**
   * Fetches and merges what others have pushed. Never throws.
   * @returns the state afterwards
   */
  async pull(): Promise<PushState> {
    const remote = this.#remote
    if (remote === undefined || this.#closing.signal.aborted) return this.#state
    await this.#attempt(async () => {
      await this.#settle(async (branch) => {
        await this.#join(remote, branch)
        return true
      })
    })
    // Pushes the merge commit, if there is one; otherwise this ends at once.
    this.published()
    return this.#state
  }

  /** Pushes what is pending one last time, for at most `deadline` milliseconds, and stops. */
  async close(deadline: number): Promise<void> {
    this.#closing.abort()
    const timer = setTimeout(() => this.#stop.abort(), deadline)
    await this.#running
    await this.#mutex.idle()
    clearTimeout(timer)
  }

  async #run(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false
      if (await this.#attempt(() => this.#push())) continue
      if (this.#closing.signal.aborted) return
      this.#wanted = true
      await wait(this.#pause(this.#failures), this.#closing.signal)
    }
  }

  async #push(): Promise<void> {
    const remote = this.#remote
    if (remote === undefined) return
    await this.#settle(async (branch, head) => {
      if (head === undefined || (await remote.push(head, branch))) {
        this.#theirs = head
        return true
      }
      await this.#join(remote, branch)
      return false
    })
  }

  /** Repeats a round until it returns true. */
  async #settle(round: (branch: string, head: string | undefined) => Promise<boolean>): Promise<void> {
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
      const {folder} = this.#parts
      const branch = await readBranch(folder.gitDir)
      if (branch === undefined) throw new RemoteError('HEAD is detached; nothing is pushed')
      try {
        if (await round(branch, await readHead(folder.root))) return
      } catch (error) {
        // An editor has published in the meantime.
        if (!(error instanceof HeadMovedError)) throw error
      }
    }
    throw new RemoteError('the remote and HEAD kept changing')
  }

  async #join(remote: Remote, branch: string): Promise<void> {
    const theirs = await remote.fetch(branch)
    if (theirs === undefined) return
    this.#theirs = theirs
    await joinHistories(this.#parts, theirs)
  }

  /** Runs work with the remote after all work that was queued before. Returns whether it succeeded. */
  #attempt(work: () => Promise<void>): Promise<boolean> {
    return this.#mutex.run(async () => {
      try {
        await work()
        this.#failures = 0
        const ahead = await this.#ahead()
        // Read afterwards, because something may have been published in the meantime.
        this.#enter({state: this.#wanted ? 'pending' : 'ok', ...ahead})
        return true
      } catch (error) {
        this.#failures += 1
        const lastError = withoutCredentials(errorMessage(error))
        const state = error instanceof ConflictError ? 'conflict' : 'failing'
        this.#enter({state, lastError, ...(await this.#ahead())})
        return false
      }
    })
  }

  #enter(next: Omit<PushState, 'since'>): void {
    const {state, since, lastError} = this.#state
    const {logger} = this.#parts
    if (next.lastError !== undefined && next.lastError !== lastError) {
      logger.warn(
        {state: next.state, reason: next.lastError},
        'push failed; commits are safe locally and will be retried',
      )
    } else if (next.state === 'ok' && lastError !== undefined) logger.info('push succeeded again')
    this.#state = {...next, since: next.state === state ? since : new Date().toISOString()}
  }

  async #ahead(): Promise<{ahead?: number}> {
    if (this.#theirs === undefined) return {}
    const ahead = await countAhead(this.#parts.folder, this.#theirs).catch(() => undefined)
    return ahead === undefined ? {} : {ahead}
  }
}
