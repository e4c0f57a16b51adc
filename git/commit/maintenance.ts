import type {FastifyBaseLogger} from 'fastify'
import {inBackground} from '../../common/background.ts'
import {git} from '../process.ts'

/** Publications between two runs of `git maintenance`. */
const EVERY_PUBLICATIONS = 100

/**
 * Bytes of loose objects after which they are packed. Git counts objects instead, and would start at 6,700.
 * In a folder of 10,000 documents, each publication writes a tree of 420 kB, which takes a few hundred bytes
 * in a pack.
 */
const EVERY_BYTES = 64 * 1024 * 1024

/** Runs Git's maintenance in the background after publications. */
export class Maintenance {
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

  /** Counts a publication and the bytes that it wrote. */
  wrote(bytes: number): void {
    this.#publications += 1
    this.#bytes += bytes
    if (this.#publications < EVERY_PUBLICATIONS && this.#bytes < EVERY_BYTES) return
    this.#running ??= inBackground(() => this.#run(), {
      onFailure: (err) => this.#logger.warn({err}, 'git maintenance failed'),
    }).finally(() => {
      this.#running = undefined
    })
  }

  /** Waits for the current run. */
  async settled(): Promise<void> {
    await this.#running
  }

  /** Aborts the current run. Git leaves the repository consistent. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const isMuch = this.#bytes >= EVERY_BYTES
    this.#publications = 0
    if (isMuch) this.#bytes = 0
    // If Git's maintenance is switched off, the operator runs it another way.
    const limit = await git(this.#root, ['config', '--get', '--type=int', 'gc.auto']).catch(() => '')
    if (limit.trim() === '0') return
    const options = {timeout: 600_000, signal: this.#stop.signal}
    if (isMuch) await git(this.#root, ['repack', '-d', '-q'], options)
    await git(this.#root, ['maintenance', 'run', '--auto', '--quiet'], options)
  }
}
