import type {FastifyBaseLogger} from 'fastify'
import {errorCode} from '../../common/errorCode.ts'
import type {LockProblem, RepositoryLock} from './heartbeat.ts'
import {acquireLock, LockError, type LockOptions, refuseWhileHeld} from './repositoryLock.ts'

/** Disk errors that may be temporary. */
const DISK_ERRORS = {
  ENOSPC: 'DISK_FULL',
  EDQUOT: 'DISK_FULL',
  EROFS: 'DISK_READ_ONLY',
} as const

const MESSAGES = {
  DISK_FULL: 'the disk is full',
  DISK_READ_ONLY: 'the content repository is not writable',
  LOCK_NOT_HELD:
    'the lake started without the lock of the content repository, and another process has held it since: restart the lake',
} as const

/** Milliseconds between two attempts to take the lock. */
const RETRY_EVERY = 2_000

export type OpenLockOptions = LockOptions & {
  readonly logger: FastifyBaseLogger
  readonly retryEvery?: number
}

/** A lock that can be taken after the start. */
export type OpenedLock = RepositoryLock & {
  /**
   * For a lock that is not held yet: takes it as soon as the disk is writable.
   * @param prepare runs before any other write. It returns false if another process has changed what was read
   * at the start; then nothing is written until a restart
   */
  takeLater(prepare: () => Promise<boolean>): void
}

/**
 * Takes the repository lock for this process. If the disk is not writable, the lake starts read-only and
 * takes the lock once there is space.
 * @throws LockError if another process holds it, or the repository is not writable for another reason
 */
export async function openLock(gitDir: string, who: string, options: OpenLockOptions): Promise<OpenedLock> {
  const acquire = () => acquireLock(gitDir, who, options)
  try {
    return new LateLock(await acquire(), undefined, acquire, options)
  } catch (error) {
    const code = diskProblem(error)
    if (code === undefined) throw error
    await refuseWhileHeld(gitDir, options)
    options.logger.error({err: error, code}, 'the lake starts read-only until its disk is writable')
    return new LateLock(undefined, code, acquire, options)
  }
}

function diskProblem(error: unknown): keyof typeof MESSAGES | undefined {
  const code = error instanceof LockError ? errorCode(error.cause) : undefined
  return Object.entries(DISK_ERRORS).find(([name]) => name === code)?.[1]
}

class LateLock implements OpenedLock {
  readonly #acquire: () => Promise<RepositoryLock>
  readonly #options: OpenLockOptions
  #lock: RepositoryLock | undefined
  #code: keyof typeof MESSAGES | undefined
  #timer: NodeJS.Timeout | undefined
  #taking: Promise<void> | undefined
  #closed = false

  constructor(
    lock: RepositoryLock | undefined,
    code: keyof typeof MESSAGES | undefined,
    acquire: () => Promise<RepositoryLock>,
    options: OpenLockOptions,
  ) {
    this.#lock = lock
    this.#code = code
    this.#acquire = acquire
    this.#options = options
  }

  get held(): boolean {
    return this.#lock?.held ?? false
  }

  get problem(): LockProblem | undefined {
    if (this.#code !== undefined) return {code: this.#code, message: MESSAGES[this.#code]}
    return this.#lock?.problem
  }

  async confirm(): Promise<boolean> {
    return (await this.#lock?.confirm()) ?? false
  }

  takeLater(prepare: () => Promise<boolean>): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#taking = this.#take(prepare)
    }, this.#options.retryEvery ?? RETRY_EVERY)
    this.#timer.unref()
  }

  async release(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#taking
    await this.#lock?.release()
  }

  async #take(prepare: () => Promise<boolean>): Promise<void> {
    const {logger} = this.#options
    let lock: RepositoryLock | undefined
    try {
      lock = await this.#acquire()
      if (await prepare()) {
        this.#lock = lock
        this.#code = undefined
        logger.info('the disk is writable again; the lake accepts changes')
        return
      }
      this.#code = 'LOCK_NOT_HELD'
      logger.error('another process changed the drafts while the lake was read-only: restart the lake')
      await lock.release()
    } catch (error) {
      await lock?.release().catch(() => {})
      logger.debug({err: error}, 'still cannot lock the content repository')
      this.takeLater(prepare)
    }
  }
}
