import {readFile, stat} from 'node:fs/promises'
import {join} from 'node:path'
import type {FastifyBaseLogger} from 'fastify'
import {inBackground} from '../common/background.ts'
import {errorCode} from '../common/errorCode.ts'
import type {ContentDirectory} from './contentDirectory.ts'
import {describeDamagedBranch} from './damagedBranch.ts'

export type HeadFollowerOptions = {
  /** Milliseconds between two checks of the files that name HEAD: a few stats, no process. Default: 150. */
  readonly checkInterval?: number
  /** Milliseconds after which the lake queries Git anyway, for changes that no file time shows. Default: 3,000. */
  readonly askEvery?: number
  /** Delay before a failed refresh is retried, in milliseconds. Default: 300. */
  readonly retryAfter?: number
}

/**
 * Calls `refresh` soon after HEAD may have moved, for any reason: a push, a fetch, an import. It polls, because network mounts and containers do not deliver file system events. Refreshes never overlap. A
 * failing refresh is logged once and retried.
 */
export class HeadFollower {
  readonly #folder: ContentDirectory
  readonly #refresh: () => Promise<void>
  readonly #logger: FastifyBaseLogger
  readonly #options: Required<HeadFollowerOptions>
  #seen = ''
  #askedAt = 0
  #failing = false
  #stopped = false
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(
    folder: ContentDirectory,
    refresh: () => Promise<void>,
    logger: FastifyBaseLogger,
    options: HeadFollowerOptions = {},
  ) {
    this.#folder = folder
    this.#refresh = refresh
    this.#logger = logger
    this.#options = {checkInterval: 150, askEvery: 3_000, retryAfter: 300, ...options}
  }

  /** Starts polling. The first check always refreshes. */
  start(): void {
    this.#timer = setTimeout(() => {
      this.#running = inBackground(() => this.#look(), {
        onFailure: (err) => this.#logger.error({err}, 'cannot look for new commits'),
      }).finally(() => {
        if (!this.#stopped) this.start()
      })
    }, this.#options.checkInterval)
  }

  /** Whether the last attempt failed to read the content repository. */
  get failing(): boolean {
    return this.#failing
  }

  /** Stops, and waits for a running refresh. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #look(): Promise<void> {
    // Read before the query to Git, so that the next check notices a change in between.
    const signature = await headSignature(this.#folder)
    const now = performance.now()
    const {askEvery, retryAfter} = this.#options
    if (signature === this.#seen && now - this.#askedAt < askEvery) return
    this.#askedAt = now
    try {
      await this.#refresh()
      this.#seen = signature
      if (this.#failing) this.#logger.info('content repository readable again')
      this.#failing = false
    } catch (error) {
      if (!this.#failing) {
        const damage = await describeDamagedBranch(this.#folder)
        this.#logger.error(
          {err: error, ...(damage !== undefined && {damage})},
          'content repository unreadable; serving its last good state',
        )
      }
      this.#failing = true
      this.#seen = signature
      this.#askedAt = now - askEvery + retryAfter
    }
  }
}

/** Changes whenever HEAD, its branch, or the file that stores the branch does. */
async function headSignature({root}: ContentDirectory): Promise<string> {
  const head = await readFile(join(root, 'HEAD'), 'utf8').catch(() => 'missing')
  const branch = /^ref: (\S+)/.exec(head)?.[1]
  const files = [
    join(root, 'HEAD'),
    ...(branch === undefined ? [] : [join(root, branch)]),
    join(root, 'packed-refs'),
    join(root, 'reftable', 'tables.list'),
  ]
  return [head, ...(await Promise.all(files.map(fileSignature)))].join(' ')
}

/** A value that changes whenever a file does. For a file that is missing or unreadable, the error's code. */
async function fileSignature(path: string): Promise<string> {
  try {
    const {mtimeNs, size, ino} = await stat(path, {bigint: true})
    return `${mtimeNs}/${size}/${ino}`
  } catch (error) {
    return errorCode(error) ?? ''
  }
}
