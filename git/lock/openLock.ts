import type {FastifyBaseLogger} from 'fastify'
import {errorCode} from '../../common/errorCode.ts'
import {acquireLock, LockError, type RepositoryLock} from './repositoryLock.ts'

/** Why the lake may not write, in words for an editor and for /readyz. */
export type LockProblem = {
  readonly code: 'LOCK_NOT_HELD' | 'DISK_FULL' | 'DISK_READ_ONLY'
  readonly message: string
}

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

type OpenLockOptions = {
  readonly logger: FastifyBaseLogger
  /** Opens what else needs a writable disk, once the lock is held. */
  readonly open: () => void
}

/** A lock that can be taken after the start. */
export class LakeLock {
  readonly #gitDir: string
  readonly #who: string
  readonly #options: OpenLockOptions
  #lock: RepositoryLock | undefined
  #code: LockProblem['code'] | undefined
  #timer: NodeJS.Timeout | undefined
  #taking: Promise<void> | undefined
  #closed = false

  private constructor(gitDir: string, who: string, options: OpenLockOptions) {
    this.#gitDir = gitDir
    this.#who = who
    this.#options = options
  }

  /**
   * Takes the repository lock for this process. If the disk is not writable, the lake starts read-only and takes the lock
   * once there is space.
   * @throws LockError if another process holds it, or the repository is not writable for another reason
   */
  static async open(gitDir: string, who: string, options: OpenLockOptions): Promise<LakeLock> {
    const lock = new LakeLock(gitDir, who, options)
    try {
      lock.#lock = await lock.#acquire()
    } catch (error) {
      const found = Object.entries(DISK_ERRORS).find(([name]) => name === codeOf(error))
      if (found === undefined) throw error
      lock.#code = found[1]
      options.logger.error(
        {err: error, code: lock.#code},
        'the lake starts read-only until its disk is writable',
      )
    }
    return lock
  }

  get held(): boolean {
    return this.#lock !== undefined
  }

  /** Undefined while the lock is held. */
  get problem(): LockProblem | undefined {
    return this.#code && {code: this.#code, message: MESSAGES[this.#code]}
  }

  /**
   * For a lock that is not held yet: takes it as soon as the disk is writable.
   * @param prepare runs before any other write. It returns false if another process has changed what was read
   * at the start; then nothing is written until a restart
   */
  takeLater(prepare: () => Promise<boolean>): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#taking = this.#take(prepare)
    }, RETRY_EVERY)
    this.#timer.unref()
  }

  async release(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#taking
    await this.#lock?.release()
    this.#lock = undefined
  }

  async #acquire(): Promise<RepositoryLock> {
    const lock = await acquireLock(this.#gitDir, this.#who)
    try {
      this.#options.open()
      return lock
    } catch (error) {
      await lock.release()
      throw error
    }
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

function codeOf(error: unknown): string | undefined {
  return errorCode(error instanceof LockError ? error.cause : error)
}
