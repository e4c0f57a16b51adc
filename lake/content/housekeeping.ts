import type {FastifyBaseLogger} from 'fastify'
import {git} from './git.ts'

/** Publications, and bytes that they have written, after which Git looks whether there is something to tidy up. */
const everyPublications = 100
const everyBytes = 64 * 1024 * 1024

/** Lets Git pack in the background what publications have written: each one writes a folder's whole tree. */
export class Housekeeping {
  readonly #root: string
  readonly #logger: FastifyBaseLogger
  readonly #stop = new AbortController()
  #publications = 0
  #bytes = 0
  #running: Promise<void> | undefined

  constructor(root: string, logger: FastifyBaseLogger) {
    this.#root = root
    this.#logger = logger
  }

  /** Counts a publication and the bytes that it has written. */
  wrote(bytes: number): void {
    this.#publications += 1
    this.#bytes += bytes
    if (this.#publications < everyPublications && this.#bytes < everyBytes) return
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    this.#publications = 0
    this.#bytes = 0
    try {
      await git(this.#root, ['maintenance', 'run', '--auto', '--quiet'], {
        timeout: 600_000,
        signal: this.#stop.signal,
      })
    } catch (error) {
      this.#logger.warn({err: error}, 'Git could not tidy up the content repository')
    }
  }
}
