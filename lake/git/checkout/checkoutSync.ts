import {join} from 'node:path'
import timers from 'node:timers/promises'
import type {FastifyBaseLogger} from 'fastify'
import type {ObjectFormat} from '../commit/looseObjects.ts'
import type {TreeEntry} from '../commit/treeObject.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import {headEntries} from '../read/treeEntries.ts'
import {CatchUp} from './catchUp.ts'
import {IndexLock} from './indexLock.ts'
import {PendingPaths, type Versions} from './pendingPaths.ts'
import {findTakenBack, type TakenBack} from './staleCommit.ts'
import {removeStaleRefLocks} from './staleRefLocks.ts'

/**
 * Milliseconds between attempts to lock the index, and attempts until `settled` waits no longer. They are so close because
 * a `git commit` that locks the index first would take the index that is older than HEAD.
 */
const LOCK_PAUSE = 5
const LOCK_TRIES = 200

/** Milliseconds until the next attempt after an error. */
const RETRY_AFTER = 1_000

/** The same for a publication that has not yet moved HEAD. */
const SOON_PAUSE = 5
const SOON_TRIES = 50

/** Milliseconds without a publication before one is followed, and at most: many are followed at once. */
const QUIET = 30
const PATIENCE = 1_000

/** Entries that differ between two commits, by path. */
export type Entries = ReadonlyMap<string, TreeEntry>

/**
 * Brings index and work tree along when the lake moves HEAD, so that `git status` stays clean and a person's
 * `git commit --all` takes nothing back. It runs behind the publications, and takes several at once.
 */
export class CheckoutSync {
  readonly #folder: ContentDirectory
  readonly #logger: FastifyBaseLogger
  readonly #behind: PendingPaths
  readonly #lock: IndexLock
  readonly #catchUp: CatchUp
  readonly #restore: (taken: ReadonlyMap<string, TakenBack>) => Promise<void>
  /** Paths that are being restored: they are followed when that has ended. */
  #restored: ReadonlySet<string> = new Set()
  #restoring: Promise<void> | undefined
  /** Paths that HEAD is just being moved for: they are followed when it is known how that ended. */
  #moving: ReadonlySet<string> = new Set()
  #movedAt = 0
  /** Holds of the lock that publications have left to whoever follows them. */
  #handedOver = 0
  #awaited = 0
  #following: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #failing = false
  #closed = false

  /** @param restore publishes again what a commit has taken back by accident. It must not wait for {@link settled}. */
  constructor(
    folder: ContentDirectory,
    format: ObjectFormat,
    logger: FastifyBaseLogger,
    restore: (taken: ReadonlyMap<string, TakenBack>) => Promise<void>,
  ) {
    this.#restore = restore
    this.#folder = folder
    this.#logger = logger
    this.#behind = new PendingPaths(join(folder.gitDir, 'handrail', 'behind.json'))
    this.#lock = new IndexLock(folder.gitDir)
    this.#catchUp = new CatchUp(folder, format, logger)
  }

  /** Finishes what a crash has interrupted. Call it once, before the first {@link move}. */
  async recover(): Promise<void> {
    const isHeld = await this.#lock.recover()
    try {
      const interruptedAt = await this.#behind.load()
      if (interruptedAt !== undefined) {
        for (const lock of await removeStaleRefLocks(this.#folder, interruptedAt)) {
          this.#logger.warn({lock}, 'a lock that a crash has left was removed')
        }
      }
      this.#follow()
      await this.settled()
    } finally {
      if (isHeld) await this.#lock.release()
    }
  }

  /**
   * Runs `moveHead`, and lets index and work tree follow from `before` to `after` when it has ended. What has to
   * follow is durable before HEAD moves. Calls must not overlap.
   * @param to the commit that HEAD is moved to
   * @param ready what else has to be done before HEAD moves, and is being done
   * @throws what `ready` and `moveHead` throw, and the error of the file system
   */
  async move(
    to: string,
    before: Entries,
    after: Entries,
    ready: Promise<unknown>,
    moveHead: () => Promise<void>,
  ): Promise<void> {
    this.#moving = new Set([...before.keys(), ...after.keys()])
    for (const path of this.#moving) this.#behind.add(path, before.get(path), after.get(path), to)
    // A person's `git add` is over in a moment, and the commit after it must not take an index older than HEAD.
    const lock = this.#lock.hold(SOON_TRIES, SOON_PAUSE)
    try {
      // All of them end before anything else is done, or reported.
      for (const result of await Promise.allSettled([ready, this.#behind.save(), lock])) {
        if (result.status === 'rejected') throw result.reason
      }
      // Where a person has the lock for long, their commit will find that HEAD has moved.
      await moveHead()
    } finally {
      const isHeld = await lock.catch(() => false)
      // From here on nothing waits. Were the lock given back before all is followed, somebody could take it between.
      if (isHeld) this.#handedOver += 1
      this.#moving = new Set()
      this.#movedAt = performance.now()
      // Where HEAD did not move, it finds that nothing has to.
      this.#follow()
    }
  }

  /**
   * Publishes again what a commit has taken back that was made from an index older than HEAD, so that nobody sees it gone.
   * @returns whether there was such a commit. Never throws
   */
  async restoreTakenBack(): Promise<boolean> {
    try {
      const paths = this.#waiting()
      if (this.#restoring === undefined && paths.size > 0) {
        const head = await headEntries(this.#folder.root, paths)
        const taken = await findTakenBack(this.#folder.root, paths, head)
        if (this.#restoring === undefined && taken.size > 0) this.#beginToRestore(taken, paths)
      }
    } catch (error) {
      this.#logger.debug({err: error}, 'it cannot be seen whether a commit took something back')
    }
    if (this.#restoring === undefined) return false
    await this.#restoring
    return true
  }

  /** Waits for what runs behind publications. */
  async settled(): Promise<void> {
    this.#awaited += 1
    while (this.#following !== undefined || this.#restoring !== undefined) {
      await this.#following
      await this.#restoring
    }
    this.#awaited -= 1
  }

  /** Waits for what runs, and tries no more. */
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
        this.#warn('the work tree cannot follow HEAD: it is tried again', error)
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

  /** Once, until it works again. */
  #warn(message: string, error?: unknown): void {
    if (!this.#failing) this.#logger.warn({err: error}, message)
    this.#failing = true
  }

  /** Follows until nothing is left to be followed; answers false where it gave up. */
  async #rounds(): Promise<boolean> {
    while (this.#handedOver > 0 || this.#waiting().size > 0) {
      const holds = this.#takeHandedOver() || Number(await this.#lock.hold(LOCK_TRIES, LOCK_PAUSE))
      if (holds === 0) {
        this.#warn(
          'index.lock is held: the work tree follows when it is free; if no Git command runs, delete the file',
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
    if (this.#restoring === undefined) {
      const taken = await findTakenBack(this.#folder.root, paths, head)
      if (taken.size > 0) this.#beginToRestore(taken, paths)
    }
    for (const [path, versions] of paths) {
      // What was taken back stays in the file until it is restored: a crash in between forgets nothing.
      if (!this.#restored.has(path)) this.#behind.followed(path, versions, head.get(path))
    }
    await this.#behind.save()
  }

  #beginToRestore(taken: ReadonlyMap<string, TakenBack>, paths: ReadonlyMap<string, Versions>): void {
    this.#restored = new Set(taken.keys())
    this.#restoring ??= this.#restore(taken)
      .catch((error: unknown) => {
        this.#logger.error({err: error, paths: [...taken.keys()]}, 'what a commit took back was not restored')
      })
      .then(() => {
        for (const [path, {now}] of taken) this.#behind.followed(path, paths.get(path) ?? [], now)
        this.#restored = new Set()
        this.#restoring = undefined
        this.#follow()
      })
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
      Array.from(this.#behind.paths).filter(([path]) => !this.#moving.has(path) && !this.#restored.has(path)),
    )
  }

  /** Waits for the end of a burst of publications, unless somebody waits for it to be followed. */
  async #quiet(): Promise<void> {
    const latest = performance.now() + PATIENCE
    const isQuiet = (now: number) => this.#moving.size === 0 && now - this.#movedAt >= QUIET
    for (let now = performance.now(); now < latest && !isQuiet(now); now = performance.now()) {
      if (this.#awaited > 0) return
      await timers.setTimeout(QUIET / 3)
    }
  }
}
