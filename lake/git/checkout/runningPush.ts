import {readFile, rm, stat} from 'node:fs/promises'
import {join} from 'node:path'
import timers from 'node:timers/promises'
import type {ContentDirectory} from '../contentDirectory.ts'
import {readHead} from '../read/lsTree.ts'

/** How long Git may take from the hook to the new branch, in milliseconds. A failed push leaves no other trace. */
const MAX_DURATION = 3_000
const PAUSE = 20

/**
 * A push into the checked-out branch. Git updates index and work tree first and compares the branch last, so
 * that a publish in between would leave both at a rejected commit. The `update` hook records each push.
 */
export class RunningPush {
  readonly #folder: ContentDirectory
  readonly #file: string

  constructor(folder: ContentDirectory) {
    this.#folder = folder
    this.#file = join(folder.gitDir, 'handrail', 'push')
  }

  /** Whether a push has begun whose commit is not at HEAD yet. */
  async isRunning(head: string | undefined): Promise<boolean> {
    const pushed = await readFile(this.#file, 'utf8').catch(() => undefined)
    if (pushed === undefined) return false
    const startedAt = await stat(this.#file).then(
      ({mtimeMs}) => mtimeMs,
      () => 0,
    )
    // In the future: the clock was ahead then, or is behind now.
    const isRunning = Math.abs(Date.now() - startedAt) < MAX_DURATION && pushed.trim() !== head
    if (!isRunning) await rm(this.#file, {force: true}).catch(() => {})
    return isRunning
  }

  /** Waits for the end of a push. Returns whether it has moved HEAD. */
  async movedHead(head: string | undefined): Promise<boolean> {
    while (await this.isRunning(head)) {
      if ((await readHead(this.#folder.root)) !== head) return true
      await timers.setTimeout(PAUSE)
    }
    return false
  }
}
