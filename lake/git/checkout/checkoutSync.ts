import {join} from 'node:path'
import timers from 'node:timers/promises'
import type {FastifyBaseLogger} from 'fastify'
import type {ContentDirectory} from '../contentDirectory.ts'
import {HeadMovedError} from '../errors.ts'
import type {ObjectFormat} from '../objects/looseObjects.ts'
import type {TreeEntry} from '../objects/treeObject.ts'
import type {IsContentPath} from '../read/lsTree.ts'
import {treeEntries} from '../read/treeEntries.ts'
import {CatchUp} from './catchUp.ts'
import {IndexLock} from './indexLock.ts'
import {NO_INDEX, noCheckout} from './noCheckout.ts'
import {PendingPaths, type Versions} from './pendingPaths.ts'
import {Restoration} from './restoration.ts'
import {RunningPush} from './runningPush.ts'
import type {TakenBack} from './staleCommit.ts'
import {removeStaleRefLocks} from './staleRefLocks.ts'

/**
 * Pause between attempts to lock the index, in milliseconds, and the number of attempts before `settled`
 * stops waiting. The pause is short because a `git commit` that locks the index first would commit an index
 * older than HEAD.
 */
const LOCK_PAUSE = 5
const LOCK_TRIES = 200

/** Delay before a retry after an error, in milliseconds. */
const RETRY_AFTER = 1_000

/** The same for a publication that has not moved HEAD yet. */
const SOON_PAUSE = 5
const SOON_TRIES = 50

/**
 * Index and work tree are updated after this many milliseconds without a publication, or after `MAX_WAIT` at
 * the latest. This batches a burst of publications.
 */
const QUIET = 30
const MAX_WAIT = 1_000

/** Entries that differ between two commits, by path. */
export type Entries = ReadonlyMap<string, TreeEntry>

/**
 * Updates index and work tree when the lake moves HEAD, so that `git status` stays clean and a person's `git
 * commit --all` reverts nothing. Runs in the background, and batches several publications.
 */
export class CheckoutSync {
  readonly #folder: ContentDirectory
  readonly #logger: FastifyBaseLogger
  readonly #behind: PendingPaths
  readonly #lock: Pick<IndexLock, 'hold' | 'release' | 'recover'>
  readonly #catchUp: Pick<CatchUp, 'run'>
  readonly #push: RunningPush
  readonly #restoration: Restoration
  /** Paths that HEAD is being moved for. They are updated once the outcome is known. */
  #moving: ReadonlySet<string> = new Set()
  #movedAt = 0
  /** How many times publications have left the lock to the background update. */
  #handedOver = 0
  #awaited = 0
  #following: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #failing = false
  #closed = false

  /**
   * @param restore publishes again what a commit reverted by accident. It must not wait for {@link settled}.
   */
  constructor(
    folder: ContentDirectory,
    format: ObjectFormat,
    logger: FastifyBaseLogger,
    isContentPath: IsContentPath,
    restore: (taken: ReadonlyMap<string, TakenBack>) => Promise<void>,
  ) {
    this.#folder = folder
    this.#logger = logger
    this.#behind = new PendingPaths(join(folder.gitDir, 'handrail', 'behind.json'))
    this.#lock = folder.isBare ? NO_INDEX : new IndexLock(folder.gitDir)
    this.#catchUp = folder.isBare ? noCheckout(folder.root) : new CatchUp(folder, format, logger)
    this.#push = new RunningPush(folder)
    const behind = this.#behind
    const onEnd = () => this.#follow()
    this.#restoration = new Restoration({folder, behind, isContentPath, logger, restore, onEnd})
  }

  /** Finishes what a crash interrupted. Call it once, before the first {@link move}. */
  async recover(): Promise<void> {
    const isHeld = await this.#lock.recover()
    try {
      const interruptedAt = await this.#behind.load()
      if (interruptedAt !== undefined) {
        for (const lock of await removeStaleRefLocks(this.#folder, interruptedAt)) {
          this.#logger.warn({lock}, 'removed a lock file that a crash left')
        }
      }
      this.#follow()
      await this.settled()
    } finally {
      if (isHeld) await this.#lock.release()
    }
  }

  /**
   * Runs `moveHead`, then updates index and work tree from `before` to `after` in the background. The list of
   * paths to update is durable before HEAD moves. Calls must not overlap.
   * @param from the commit that HEAD is expected at
   * @param to the commit that HEAD is moved to
   * @param ready other work that must end before HEAD moves and has already started
   * @throws what `ready` and `moveHead` throw, and file system errors
   */
  async move(
    from: string | undefined,
    to: string,
    before: Entries,
    after: Entries,
    ready: Promise<unknown>,
    moveHead: () => Promise<void>,
  ): Promise<void> {
    this.#moving = new Set([...before.keys(), ...after.keys()])
    for (const path of this.#moving) this.#behind.add(path, before.get(path), after.get(path), to)
    const lock = this.#holdIndex(from)
    try {
      // Wait for all of them before doing or reporting anything else.
      for (const result of await Promise.allSettled([ready, this.#behind.save(), lock])) {
        if (result.status === 'rejected') throw result.reason
      }
      // If a person holds the lock for longer, their commit will find that HEAD has moved.
      await moveHead()
    } finally {
      const isHeld = await lock.catch(() => false)
      // No await from here on. If the lock were released before the update, another process could take it in
      // between.
      if (isHeld) this.#handedOver += 1
      this.#moving = new Set()
      this.#movedAt = performance.now()
      // If HEAD did not move, this finds nothing to do.
      this.#follow()
    }
  }

  /**
   * Locks the index while no push is about to use it. A person's `git add` takes only a moment, and the commit
   * after it must not use an index older than HEAD.
   * @throws HeadMovedError after a push
   */
  async #holdIndex(head: string | undefined): Promise<boolean> {
    for (;;) {
      const isHeld = await this.#lock.hold(SOON_TRIES, SOON_PAUSE)
      // In this order: the hook records the push first, and then waits for the lock.
      if (!(await this.#push.isRunning(head))) return isHeld
      if (isHeld) await this.#lock.release()
      if (await this.#push.movedHead(head)) throw new HeadMovedError('a push moved HEAD')
    }
  }

  /**
   * Publishes again what was reverted by a commit made from an index older than HEAD, before clients see the
   * revert.
   * @returns whether there was such a commit. Never throws
   */
  async restoreTakenBack(): Promise<boolean> {
    try {
      const paths = this.#waiting()
      if (this.#restoration.running === undefined && paths.size > 0)
        await this.#restoration.begin(paths, await treeEntries(this.#folder.root, 'HEAD', paths))
    } catch (error) {
      this.#logger.debug({err: error}, 'cannot check whether a commit reverted published documents')
    }
    if (this.#restoration.running === undefined) return false
    await this.#restoration.running
    return true
  }

  /** Waits for the background work of publications. */
  async settled(): Promise<void> {
    this.#awaited += 1
    while (this.#following !== undefined || this.#restoration.running !== undefined) {
      await this.#following
      await this.#restoration.running
    }
    this.#awaited -= 1
  }

  /** Waits for the current run and starts no further one. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    await this.settled()
  }

  #follow(): void {
    clearTimeout(this.#retry)
    let pause = LOCK_PAUSE
    this.#following ??= this.#rounds()
      .catch(async (error: unknown) => {
        this.#warn('updating the work tree failed; will retry', error)
        await this.#release(this.#takeHandedOver())
        pause = RETRY_AFTER
        return false
      })
      .then((done) => {
        this.#following = undefined
        if (done) this.#failing = false
        if (done && (this.#handedOver > 0 || this.#waiting().size > 0)) this.#follow()
        if (!done && !this.#closed) this.#retry = setTimeout(() => this.#follow(), pause).unref()
      })
  }

  /** Logs the first failure only, until it works again. */
  #warn(message: string, error?: unknown): void {
    if (!this.#failing) this.#logger.warn({err: error}, message)
    this.#failing = true
  }

  /** Updates until no path is pending. Returns false if it gave up. */
  async #rounds(): Promise<boolean> {
    while (this.#handedOver > 0 || this.#waiting().size > 0) {
      const holds = this.#takeHandedOver() || Number(await this.#lock.hold(LOCK_TRIES, LOCK_PAUSE))
      if (holds === 0) {
        this.#warn(
          'index.lock exists: the work tree is updated once it is gone; if no Git command is running, delete the file',
        )
        return false
      }
      try {
        await this.#quiet()
        await this.#catchUpOnce()
      } finally {
        await this.#release(holds)
      }
    }
    return true
  }

  async #catchUpOnce(): Promise<void> {
    const paths = this.#waiting()
    if (paths.size === 0) return
    const head = await this.#catchUp.run(paths)
    await this.#restoration.begin(paths, head)
    for (const [path, versions] of paths) {
      // A reverted path stays in the file until it is restored, so that a crash in between loses nothing.
      if (!this.#restoration.paths.has(path)) this.#behind.followed(path, versions, head.get(path))
    }
    await this.#behind.save()
  }

  #takeHandedOver(): number {
    const holds = this.#handedOver
    this.#handedOver = 0
    return holds
  }

  async #release(holds: number): Promise<void> {
    for (let rest = holds; rest > 0; rest -= 1) await this.#lock.release()
  }

  #waiting(): Map<string, Versions> {
    return new Map(
      Array.from(this.#behind.paths).filter(
        ([path]) => !this.#moving.has(path) && !this.#restoration.paths.has(path),
      ),
    )
  }

  /** Waits for the end of a burst of publications, unless a caller is waiting for the update. */
  async #quiet(): Promise<void> {
    const latest = performance.now() + MAX_WAIT
    const isQuiet = (now: number) => this.#moving.size === 0 && now - this.#movedAt >= QUIET
    for (let now = performance.now(); now < latest && !isQuiet(now); now = performance.now()) {
      if (this.#awaited > 0) return
      await timers.setTimeout(QUIET / 3)
    }
  }
}
