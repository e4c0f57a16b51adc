import {type FileHandle, readFile, rm} from 'node:fs/promises'

/** Why the lake may not write, in words for an editor and for /readyz. */
export type LockProblem = {
  readonly code: 'LOCK_LOST' | 'LOCK_NOT_HELD' | 'DISK_FULL' | 'DISK_READ_ONLY'
  readonly message: string
}

/** The exclusive right of this process to write to a repository. */
export type RepositoryLock = {
  /** Whether the last heartbeat still held the lock. */
  readonly held: boolean
  /** Undefined while the lock is held. */
  readonly problem: LockProblem | undefined
  /**
   * Whether the lock is still held. Called before each write; cheap if the last heartbeat is recent. Never
   * throws.
   */
  confirm(): Promise<boolean>
  /** Releases the lock. */
  release(): Promise<void>
}

export type HeartbeatOptions = {
  readonly file: string
  /** The content of the lock file as long as the lock is ours. */
  readonly text: string
  /** A handle of our own file, so that we never write to a file that has replaced it. */
  readonly handle: FileHandle
  /** Milliseconds. */
  readonly beat: number
  readonly maxSilence: number
  readonly onLost: () => void
}

/** Shows other processes that this one is alive, and detects that another process has taken over the lock. */
export class Heartbeat implements RepositoryLock {
  readonly #options: HeartbeatOptions
  readonly #timer: NodeJS.Timeout
  #lost = false
  /** Wall-clock time, which continues while a laptop sleeps. */
  #beatAt = Date.now()
  #beating: Promise<void> | undefined

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#beat().catch(() => {}), options.beat)
    this.#timer.unref()
  }

  get held(): boolean {
    return !this.#lost && Date.now() - this.#beatAt < this.#options.maxSilence
  }

  get problem(): LockProblem | undefined {
    if (this.held) return undefined
    return this.#lost
      ? {code: 'LOCK_LOST', message: 'another process has taken the lock of the content repository'}
      : {code: 'LOCK_NOT_HELD', message: 'cannot renew the lock of the content repository'}
  }

  async confirm(): Promise<boolean> {
    if (!this.#lost && Math.abs(Date.now() - this.#beatAt) > this.#options.beat) await this.#beat()
    return this.held
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beat()
    if (!this.#lost) await rm(this.#options.file, {force: true})
    this.#lost = true
    await this.#options.handle.close()
  }

  #beat(): Promise<void> {
    this.#beating ??= this.#doBeat().finally(() => {
      this.#beating = undefined
    })
    return this.#beating
  }

  async #doBeat(): Promise<void> {
    const {file, text, handle, onLost} = this.#options
    if (this.#lost) return
    const found = await readFile(file, 'utf8').catch((error: unknown) => {
      return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? '' : undefined
    })
    // A lock file that cannot be read may still be ours. Others notice the missing heartbeats.
    if (found === undefined) return
    if (found !== text) {
      this.#lost = true
      clearInterval(this.#timer)
      onLost()
      return
    }
    try {
      // Written, not touched: this sets the time of the file system, which may be another machine's.
      await handle.write(text, 0)
      await handle.datasync()
      this.#beatAt = Date.now()
    } catch {
      // A full disk is not a reason to give up the lock; `held` covers a lock that cannot be renewed.
    }
  }
}
