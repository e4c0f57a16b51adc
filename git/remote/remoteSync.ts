import {hash} from 'node:crypto'
import type {FastifyBaseLogger} from 'fastify'
import {inBackground} from '../../common/background.ts'
import {backoffDelay, wait} from '../../common/backoff.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {Mutex} from '../../common/mutex.ts'
import {readBranch, shortName} from '../branch.ts'
import {HeadMovedError} from '../errors.ts'
import {commitAt, git, WITHOUT_HOOKS} from '../process.ts'
import {readHead} from '../read/commits.ts'
import {withoutCredentials} from '../redact.ts'
import {type ConflictCode, ConflictError, isAncestor, missingBranch, rewrittenBranch} from './conflicts.ts'
import {type JoinOptions, joinHistories} from './merge.ts'
import {Remote, RemoteError} from './remote.ts'

/** The state of the sync with the remote, for an operator. */
export type PushState = {
  /** `pending`: waiting to be pushed; `failing`: will be retried; `conflict`: a person has to decide. */
  readonly state: 'off' | 'ok' | 'pending' | 'failing' | 'conflict'
  /** ISO 8601. */
  readonly since: string
  /** Set in the state `conflict`. */
  readonly code?: ConflictCode
  /** One line, without credentials. */
  readonly lastError?: string
}

export type RemoteSyncOptions = JoinOptions & {
  /** A remote's name in the configuration, or an address; undefined: nothing is pushed. */
  readonly remote: string | undefined
  /** Whether the lake itself made a branch of the remote for another reason: such a remote counts as empty. */
  readonly isOwnBranch?: (branch: string) => boolean
  readonly logger: FastifyBaseLogger
  /** Timeout of one request to the remote, in milliseconds. */
  readonly timeout?: number
  /** Back-off in milliseconds after this many consecutive failures. */
  readonly pause?: (failures: number) => number
}

/** The back-off after consecutive failures, in milliseconds. */
const BACKOFF = {first: 1_000, longest: 60_000}
const pauseAfter = (failures: number) => backoffDelay(failures, BACKOFF)

/**
 * Each names the last commit of one branch of one remote that HEAD included, which is kept between runs: if the remote no longer
 * has it, the history was rewritten there. No clone copies them.
 */
const KNOWN = 'refs/handrail-known/'

/** Maximum rounds in which the remote or HEAD moves during the work, before that counts as a failure. */
const MAX_ROUNDS = 5

/**
 * Pushes HEAD to a branch of the remote in the background: one push at a time, always the newest state, with
 * retries, never by force. Merges commits of others if there is no conflict.
 */
export class RemoteSync {
  readonly #options: RemoteSyncOptions
  readonly #remote: Remote | undefined
  readonly #stop = new AbortController()
  /** Aborted when this closes: ends the wait for the next attempt. */
  readonly #closing = new AbortController()
  readonly #pause: (failures: number) => number
  #state: PushState
  #failures = 0
  #wanted = false
  #running: Promise<void> | undefined
  readonly #queue = new Mutex()
  /** The pull that has not begun. */
  #nextPull: Promise<PushState> | undefined

  constructor(options: RemoteSyncOptions) {
    const {folder, remote, timeout = 60_000, pause = pauseAfter} = options
    this.#options = options
    this.#pause = pause
    this.#remote =
      remote === undefined ? undefined : new Remote(folder, remote, {timeout, signal: this.#stop.signal})
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
    this.#running ??= inBackground(() => this.#run(), {
      onFailure: (err) => this.#options.logger.error({err}, 'cannot push until the next publish'),
    }).finally(() => {
      this.#running = undefined
      if (this.#wanted) this.published()
    })
  }

  /**
   * Fetches and merges what others have pushed. All calls during a pull share the next one, because their push may have come
   * too late for the current one. Never throws.
   * @returns the state afterwards
   */
  async pull(): Promise<PushState> {
    const remote = this.#remote
    if (remote === undefined || this.#closing.signal.aborted) return this.#state
    this.#nextPull ??= this.#attempt(() => {
      this.#nextPull = undefined
      return this.#settle(async (branch, head) => {
        await this.#join(remote, branch, head)
        return true
      })
    }).then(() => {
      // Pushes the merge commit, if there is one; otherwise this ends at once.
      this.published()
      return this.#state
    })
    return this.#nextPull
  }

  /**
   * Runs other work with the remote, between pushes and pulls.
   * @throws RemoteError if there is none, or this closes; what `work` throws
   */
  run<T>(work: (remote: Remote) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      if (this.#remote === undefined || this.#closing.signal.aborted)
        throw new RemoteError('the remote is not used any more')
      return work(this.#remote)
    })
  }

  /**
   * Fetches the branch of a repository that has no commit yet. Call it before anything else.
   * @throws RemoteError, ConflictError, PublishError; there is nothing to serve then
   */
  async fetchFirst(): Promise<void> {
    const remote = this.#remote
    if (remote === undefined) return
    await this.#queue.run(() =>
      this.#settle(async (branch, head) => {
        if (head === undefined) await this.#join(remote, branch, head)
        return true
      }),
    )
  }

  /** Pushes what is pending one last time, for at most `deadline` milliseconds, and stops. */
  async close(deadline: number): Promise<void> {
    this.#closing.abort()
    const timer = setTimeout(() => this.#stop.abort(), deadline)
    await this.#running
    await this.#queue.idle()
    clearTimeout(timer)
  }

  async #run(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false
      if (await this.#attempt(() => this.#push())) continue
      // Nothing calls this again. What was published during this attempt has an attempt of its own.
      if (this.#closing.signal.aborted) continue
      this.#wanted = true
      await wait(this.#pause(this.#failures), this.#closing.signal)
    }
  }

  async #push(): Promise<void> {
    const remote = this.#remote
    const {root} = this.#options.folder
    if (remote === undefined) return
    await this.#settle(async (branch, head) => {
      const known = await commitAt(root, await knownRef(remote, branch))
      // If a person reset the branch here, the remote has more than HEAD.
      const isAhead = head !== undefined && known !== undefined && (await isAncestor(root, known, head))
      if (isAhead && (await remote.push(head, branch, known))) {
        await this.#keep(remote, branch, head)
        return true
      }
      const theirs = await this.#join(remote, branch, head)
      if (head === undefined) return true
      if (theirs !== undefined) return theirs === (await readHead(root))
      // The remote is empty.
      if (!(await remote.push(head, branch, undefined))) return false
      await this.#keep(remote, branch, head)
      return true
    })
  }

  /** Repeats a round until it returns true. */
  async #settle(round: (branch: string, head: string | undefined) => Promise<boolean>): Promise<void> {
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
      const {folder} = this.#options
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

  /**
   * Lets HEAD include what the remote has.
   * @returns the commit of the remote; undefined if the remote is empty
   */
  async #join(remote: Remote, branch: string, head: string | undefined): Promise<string | undefined> {
    const {root} = this.#options.folder
    const known = await commitAt(root, await knownRef(remote, branch))
    const theirs = await remote.fetch(branch)
    if (theirs === undefined) {
      const {isOwnBranch = () => false} = this.#options
      const branches = (await remote.branches()).filter((one) => !isOwnBranch(shortName(one)))
      if (known === undefined && branches.length === 0) return undefined
      throw missingBranch(branch, branches, head !== undefined)
    }
    if (head !== undefined && known !== undefined && !(await isAncestor(root, known, theirs))) {
      const rewritten = await rewrittenBranch(root, {branch, head, known, theirs})
      if (rewritten !== undefined) throw rewritten
    }
    await joinHistories(this.#options, theirs)
    await this.#keep(remote, branch, theirs)
    return theirs
  }

  /** Remembers a commit of the remote that HEAD includes. */
  async #keep(remote: Remote, branch: string, commit: string): Promise<void> {
    const settings = [...WITHOUT_HOOKS, '-c', 'core.fsync=reference']
    const ref = await knownRef(remote, branch)
    await git(this.#options.folder.root, [...settings, 'update-ref', ref, commit])
  }

  /** Runs work with the remote after all work that was queued before. Returns whether it succeeded. */
  #attempt(work: () => Promise<void>): Promise<boolean> {
    return this.#queue.run(async () => {
      try {
        await work()
        this.#failures = 0
        this.#enter({state: this.#wanted ? 'pending' : 'ok'})
        return true
      } catch (error) {
        this.#failures += 1
        const lastError = withoutCredentials(errorMessage(error))
        const code = error instanceof ConflictError ? error.code : undefined
        const state = code === undefined ? 'failing' : 'conflict'
        this.#enter({state, ...(code && {code}), lastError})
        return false
      }
    })
  }

  #enter(next: Omit<PushState, 'since'>): void {
    const {state, since, lastError} = this.#state
    const {logger} = this.#options
    if (next.lastError !== undefined && next.lastError !== lastError) {
      logger.warn(
        {state: next.state, code: next.code, reason: next.lastError},
        'push failed; commits are safe locally and will be retried',
      )
    } else if (next.state === 'ok' && lastError !== undefined) logger.info('push succeeded again')
    this.#state = {...next, since: next.state === state ? since : new Date().toISOString()}
  }
}

/** A digest, because one branch may have the name of another one's folder. */
async function knownRef(remote: Remote, branch: string): Promise<string> {
  return KNOWN + hash('sha256', `${await remote.address()}\n${branch}`).slice(0, 24)
}
