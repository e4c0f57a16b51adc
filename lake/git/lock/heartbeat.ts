import {type FileHandle, readFile, rm} from 'node:fs/promises'

/** Why nothing may be written, in words for an editor and for /readyz. */
export type LockProblem = {
  readonly code: 'LOCK_LOST' | 'LOCK_NOT_HELD' | 'DISK_FULL' | 'DISK_READ_ONLY'
  readonly message: string
}

/** That this process alone writes a repository. */
export type RepositoryLock = {
  /** Whether it was still so at the last heartbeat. */
  readonly held: boolean
  /** Undefined while it is held. */
  readonly problem: LockProblem | undefined
  /** Whether it is still so; asked before each write, it costs nothing within a heartbeat. Never throws. */
  confirm(): Promise<boolean>
  /** Gives it back. */
  release(): Promise<void>
}

export type HeartbeatParts = {
  readonly file: string
  /** What stands in the file for as long as the lock is ours. */
  readonly text: string
  /** Of the file, and so never of one that has replaced it. */
  readonly handle: FileHandle
  /** Milliseconds. */
  readonly beat: number
  readonly patience: number
  readonly onLost: () => void
}

/** Shows the others that this process lives, and itself whether somebody has thought otherwise. */
export class Heartbeat implements RepositoryLock {
  readonly #parts: HeartbeatParts
  readonly #timer: NodeJS.Timeout
  #lost = false
  /** By the clock on the wall, which goes on while a laptop sleeps. */
  #beatAt = Date.now()
  #beating: Promise<void> | undefined

  constructor(parts: HeartbeatParts) {
    this.#parts = parts
    this.#timer = setInterval(() => this.#beat().catch(() => {}), parts.beat)
    this.#timer.unref()
  }

  get held(): boolean {
    return !this.#lost && Date.now() - this.#beatAt < this.#parts.patience
  }

  get problem(): LockProblem | undefined {
    if (this.held) return undefined
    return this.#lost
      ? {code: 'LOCK_LOST', message: 'another process writes the repository'}
      : {code: 'LOCK_NOT_HELD', message: 'the lock of the repository cannot be renewed'}
  }

  async confirm(): Promise<boolean> {
    if (!this.#lost && Math.abs(Date.now() - this.#beatAt) > this.#parts.beat) await this.#beat()
    return this.held
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beat()
    if (!this.#lost) await rm(this.#parts.file, {force: true})
    this.#lost = true
    await this.#parts.handle.close()
  }

  #beat(): Promise<void> {
    this.#beating ??= this.#doBeat().finally(() => {
      this.#beating = undefined
    })
    return this.#beating
  }

  async #doBeat(): Promise<void> {
    const {file, text, handle, onLost} = this.#parts
    if (this.#lost) return
    const found = await readFile(file, 'utf8').catch((error: unknown) => {
      return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? '' : undefined
    })
    // What cannot be read may still be ours: others will tell by the missing heartbeats.
    if (found === undefined) return
    if (found !== text) {
      this.#lost = true
      clearInterval(this.#timer)
      onLost()
      return
    }
    try {
      // Written, not touched: the time is then that of the file system, which may be another machine's.
      await handle.write(text, 0)
      await handle.datasync()
      this.#beatAt = Date.now()
    } catch {
      // A full disk is no reason to give up; a lock that nobody can renew is one for `held`.
    }
  }
}
